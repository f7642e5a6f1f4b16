"""What the rules of a ruleset draw, emit and write, as tables derived from their sources."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

RULESETS = Path(__file__).parent.parent / "src" / "fracas" / "rulesets"
DICE = "fracas.kernel.dice"
# They look at a roll or move to one, and take nothing.
NOT_DRAWN = {"seek_stream", "peek", "ready_d100"}

Uses = dict[str, list[str]]


def kernel_tables(ruleset: str) -> str:
    """The tables of what is drawn, emitted and written by the kernels in a ruleset's `rules/`."""
    draws, emits, writes = Table(), Table(), Table()
    room = RULESETS / ruleset / "rules"
    for file in sorted(room.rglob("*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        rolls = set(_imported(tree, DICE)) - NOT_DRAWN
        emitters = set(_imported(tree, f"fracas.rulesets.{ruleset}.rules.events"))
        for function in (node for node in tree.body if isinstance(node, ast.FunctionDef)):
            who = f"`{file.relative_to(room).with_suffix('').as_posix()}.{function.name}`"
            for node in ast.walk(function):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                    if node.func.id in rolls:
                        draws.add(who, f"`{ast.unparse(node)}`")
                    elif node.func.id in emitters:
                        emits.add(f"`{node.func.id.removeprefix('emit_')}`", who)
                for path in _written(node):
                    writes.add(f"`{path}`", who)
    return "\n\n".join(
        (
            draws.markdown("kernel", "takes from the dice"),
            emits.markdown("event", "emitted by"),
            writes.markdown("field", "written by"),
        )
    )


class Table:
    """Rows of a name and what belongs to it, each once and in the order of the sources."""

    def __init__(self) -> None:
        self.rows: defaultdict[str, dict[str, None]] = defaultdict(dict)

    def add(self, name: str, entry: str) -> None:
        """Put an entry into the row of a name."""
        self.rows[name][entry] = None

    def markdown(self, name: str, entries: str) -> str:
        """The table, its rows by name."""
        lines = [f"| {name} | {entries} |", "| --- | --- |"]
        return "\n".join(lines + [f"| {row} | {', '.join(found)} |" for row, found in sorted(self.rows.items())])


def _imported(tree: ast.Module, module: str) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module == module:
            yield from (alias.name for alias in node.names)


def _written(node: ast.AST) -> Iterator[str]:
    """The fields that a statement assigns, as they are reached from a name of the kernel: `unit.hp`."""
    targets: list[ast.expr] = []
    if isinstance(node, ast.Assign):
        targets = node.targets
    elif isinstance(node, ast.AugAssign):
        targets = [node.target]
    for target in targets:
        for each in target.elts if isinstance(target, ast.Tuple) else [target]:
            base: ast.expr = each
            while isinstance(base, ast.Subscript):
                base = base.value
            if isinstance(base, ast.Attribute):
                yield ast.unparse(base)
