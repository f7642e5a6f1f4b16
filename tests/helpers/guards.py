"""What the house rules forbid, as functions from source text to findings, so that faults can be planted."""

from __future__ import annotations

import ast
import fnmatch
import re
import types
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any

import numpy as np

from fracas.kernel.jit import COMPILED_ROOMS

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "fracas"

# The room of a ruleset's rules for lanes.
LANE_ROOM = "lockstep"
# Labels of docstrings that say nothing; what kernels draw, emit and write is generated (docs/reference/kernels.md).
EMPTY_LABEL = re.compile(r"^(Rule:|(Changes|Draws|Emits): *(none|nothing)\.?$)")
SECTIONS = ("Args:", "Returns:", "Raises:", "Source:")
# The last three register kernels that read facts: kernel/fact_table.py.
KERNELS = {"kernel", "kernel_noinline", "fact", "fraction", "fixed"}
MARKS = KERNELS | {"native_implementation"}
# Only a file with such a text can have kernels, or findings; searching for it takes less time than parsing all files.
MARKED = re.compile(r"@[\w.]*kernel")
CACHE = re.compile(r"\bcache\s*=|\b_cache\b")
IMPURE = re.compile(r"random|secrets|uuid|time|fastmath|parallel")
MAKERS = ("zeros", "zeros_like", "empty", "empty_like", "ones", "full", "array", "asarray", "arange", "copy")
CALLS = ("print", "open", "sorted", "list", "dict", "set", "str")
DISPLAYS = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp, ast.GeneratorExp)

Function = ast.FunctionDef | ast.AsyncFunctionDef


def kernel_files() -> list[Path]:
    """Every file that holds kernels."""
    files = [*(SOURCE / "kernel").glob("*.py"), *(SOURCE / "rulesets").glob("*/**/*.py")]
    return sorted(file for file in files if MARKED.search(text := file.read_text()) and kernels_in(text))


def unhashed_imports(file: Path) -> list[str]:
    """Names that a kernel file imports and whose change would leave the cache of compiled kernels stale."""
    parts = file.parts
    ruleset = parts[len(parts) - parts[::-1].index("rulesets")]
    imports = [node for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.ImportFrom)]
    named = [f"{node.module}.{alias.name}" for node in imports for alias in node.names]
    rooms: tuple[str, ...] = COMPILED_ROOMS
    hashed: tuple[str, ...] = ("fracas.kernel.",)
    if LANE_ROOM in parts:
        # The names of its entry points are made from these sources too (lanes/source_names.py).
        rooms = (*rooms, LANE_ROOM)
        hashed = ("fracas.kernel.", "fracas.lanes.")
    hashed = (*hashed, *(f"fracas.rulesets.{ruleset}.{room}." for room in rooms))
    return [name for name in named if name.startswith("fracas.") and not name.startswith(hashed)]


def module_sources() -> dict[str, str]:
    """Every module of the package by its dotted name."""
    found = {file.relative_to(SOURCE.parent).with_suffix("").parts: file.read_text() for file in SOURCE.rglob("*.py")}
    return {".".join(parts[:-1] if parts[-1] == "__init__" else parts): text for parts, text in found.items()}


def imports_of(source: str, modules: Container[str]) -> set[str]:
    """Which of these modules a source imports: at its top, late in a function, or for types alone."""
    found: set[str] = set()
    for node in _statements(ast.parse(source)):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            named = [f"{node.module}.{alias.name}" for alias in node.names]
            found.update(name if name in modules else str(node.module) for name in named)
    return {name for name in found if name in modules}


def _statements(tree: ast.AST) -> Iterator[ast.AST]:
    """All statements of a tree, inner ones too; expressions, which are most of it, are not looked at."""
    for part in ("body", "orelse", "finalbody", "handlers", "cases"):
        inner = getattr(tree, part, ())
        for each in inner if isinstance(inner, list) else ():
            yield each
            yield from _statements(each)


def import_circle(sources: Mapping[str, str]) -> list[str]:
    """Modules of which each imports the next, and the last is the first again; empty if there are no such."""
    graph = {name: sorted(imports_of(text, sources)) for name, text in sorted(sources.items())}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return [*reversed(error.args[1])]
    return []


def functions(source: str) -> list[Function]:
    return [node for node in ast.walk(ast.parse(source)) if isinstance(node, Function)]


def marks_of(function: Function) -> set[str]:
    """The names of a function's decorators."""
    heads = [mark.func if isinstance(mark, ast.Call) else mark for mark in function.decorator_list]
    return {head.id if isinstance(head, ast.Name) else getattr(head, "attr", "") for head in heads}


def kernels_in(source: str) -> list[Function]:
    """The functions that run compiled."""
    return [function for function in functions(source) if marks_of(function) & KERNELS]


def ritual_docstrings(source: str) -> list[str]:
    """Kernels, and functions with a compiled twin, that say nothing in their first line, or nothing after a label."""
    findings = []
    for function in functions(source):
        if not marks_of(function) & MARKS:
            continue
        lines = [line.strip() for line in (ast.get_docstring(function) or "").splitlines()] or [""]
        if not lines[0].endswith((".", ":")) or any(EMPTY_LABEL.match(line) for line in lines):
            findings.append(function.name)
    return findings


def undecorated(source: str) -> list[str]:
    """Functions at the top of a rules file that nobody can call from compiled code."""
    tops = [node for node in ast.parse(source).body if isinstance(node, Function)]
    return [function.name for function in tops if not marks_of(function) & MARKS]


def forbidden_in_kernels(source: str) -> list[str]:
    """What a kernel may not do: allocate, raise, format, catch, read a clock or other randomness."""
    return [f"{function.name}: {what}" for function in kernels_in(source) for what in _forbidden(function)]


def _forbidden(function: Function) -> Iterator[str]:
    docstring = ast.get_docstring(function, clean=False)
    for node in (each for statement in function.body for each in ast.walk(statement)):
        if isinstance(node, ast.Raise | ast.Try | ast.JoinedStr | ast.Global | ast.Nonlocal | ast.With | ast.Import):
            yield type(node).__name__.lower()
        elif isinstance(node, DISPLAYS):
            yield "allocates"
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value != docstring:
            yield f"text {node.value!r}"
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in MAKERS:
            yield f"allocates by {node.func.attr}"
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CALLS:
            yield node.func.id


def impure(source: str) -> list[str]:
    """Randomness, clocks and compiler modes that would let something else than the four inputs decide."""
    if not IMPURE.search(source):
        return []
    findings = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [alias.name for alias in node.names]
            modules = [getattr(node, "module", None) or "", *names]
            findings += [name for name in modules if name.split(".")[0] in ("random", "secrets", "uuid")]
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            dotted = f"{node.value.id}.{node.attr}"
            if dotted in ("np.random", "numpy.random", "os.urandom", "time.time", "time.time_ns"):
                findings.append(dotted)
        elif isinstance(node, ast.keyword) and node.arg in ("fastmath", "parallel"):
            findings.append(str(node.arg))
    return findings


def cache_users(source: str) -> list[str]:
    """What has Numba keep something on disk, by the function that it stands in."""
    if not CACHE.search(source):
        return []
    return [function.name for function in functions(source) for node in ast.walk(function) if _keeps(node)]


def _keeps(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        return any(keyword.arg == "cache" for keyword in node.keywords)
    return isinstance(node, ast.Attribute) and node.attr == "_cache" and isinstance(node.ctx, ast.Store)


def calls_of(source: str, name: str) -> list[str]:
    """What a function is called with, wherever it is called."""
    if name not in source:
        return []
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    named = [call for call in calls if ast.unparse(call.func).rpartition(".")[2] == name]
    return [", ".join(ast.unparse(argument) for argument in call.args) for call in named]


def mutable_globals(function: Callable[..., Any]) -> list[str]:
    """Names of a function's module whose value could change after it was compiled into the function."""
    names = _names_in(function.__code__)
    space = function.__globals__
    return sorted(name for name in names if name in space and not _is_immutable(space[name]))


def _names_in(code: types.CodeType) -> set[str]:
    inner = [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]
    return set(code.co_names).union(*(_names_in(each) for each in inner))


def _is_immutable(value: Any) -> bool:
    if isinstance(value, tuple | frozenset):
        return all(_is_immutable(each) for each in value)
    plain = (bool, int, float, str, bytes, type(None), np.generic, np.dtype, type)
    return isinstance(value, (*plain, types.FunctionType, types.BuiltinFunctionType, types.ModuleType))


def is_one_signature_per_variant(signatures: Iterable[tuple[Any, ...]]) -> bool:
    """A compiled entry point may differ in whether it has a log and plug-ins, and in nothing else."""
    signatures = list(signatures)
    variants = {tuple(str(argument) == "none" for argument in signature) for signature in signatures}
    return len(variants) == len(signatures)


def missing_sections(function: Callable[..., Any]) -> list[str]:
    """The sections that a public function's docstring lacks."""
    return [section for section in SECTIONS if section not in (function.__doc__ or "")]


def repository_files() -> list[Path]:
    """Every text file that was written here: not what .gitignore names, and not what is vendored whole."""
    lines = (ROOT / ".gitignore").read_text().splitlines()
    ignored = [line for line in lines if line and not line.startswith("#")] + ["/.git", "/tests/vendor"]
    # A line that begins with a slash names a path from the top; others a name anywhere.
    paths = {line.strip("/") for line in ignored if line.startswith("/")}
    names = [line.strip("/") for line in ignored if not line.startswith("/")]

    def is_ignored(path: Path) -> bool:
        place = path.relative_to(ROOT).as_posix()
        return any(fnmatch.fnmatch(place, each) for each in paths) or any(
            fnmatch.fnmatch(path.name, each) for each in names
        )

    def walk(folder: Path) -> Iterator[Path]:
        for path in sorted(folder.iterdir()):
            if is_ignored(path):
                continue
            if path.is_dir():
                yield from walk(path)
            elif b"\0" not in path.read_bytes()[:8192]:
                yield path

    return list(walk(ROOT))


def _either(*parts: tuple[str, ...]) -> re.Pattern[str]:
    # Put together here so that this file does not contain what it looks for. In lower case, as `mentions` makes the
    # text: ignoring case takes several times as long.
    return re.compile("|".join("".join(part) for part in parts), re.ASCII)


DOWNLOAD_HOSTS = _either(
    ("py", r"pi\.org"),
    ("python", "hosted"),
    ("git", r"hub\.com"),
    ("git", r"lab\.com"),
    ("crates", r"\.io"),
    ("anaconda", r"\.(org|com)"),
    ("npm", r"js\.(org|com)"),
    ("astral", r"\.sh"),
    ("huggingface", r"\.co"),
    ("(?<!no-emit-)index-", "url"),
    ("--find-", "links"),
)
MACHINE_PATHS = _either(
    ("/r", "oot/"),
    ("/ho", "me/"),
    ("/us", "ers/"),
    ("/wo", "rk/"),
    ("/t", "mp/"),
    ("/us", "r/(?!bin/env)"),
    ("/o", "pt/"),
    (r"[a-z]:\\\\?", "users"),
)
TOOLS = _either(
    ("cla", "ude"),
    ("anth", "ropic"),
    ("open", "ai"),
    ("chat", "gpt"),
    ("co", "pilot"),
    ("language ", "model"),
    (r"\ba", r"i[- ]generated"),
    ("generated ", "by an? a", "i"),
    (r"\bsub", "agent"),
    (r"\bcod", "ex"),
    ("gem", "ini"),
    (r"\bthe ", "brief", r"\b"),
)


def mentions(text: str, pattern: re.Pattern[str]) -> list[str]:
    """The lines of a text that match, in upper or lower case."""
    if not pattern.search(text.lower()):
        return []
    return [line.strip() for line in text.splitlines() if pattern.search(line.lower())]
