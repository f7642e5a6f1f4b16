"""The reference of relics, a page for each trigger, op, status and item, made from their declarations and the content.

An example is a piece of a shipped file, to the letter; what an op does exactly is the row of the rule book's table.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from fracas.content.packs import shipped_folder
from fracas.errors.suggestions import listed
from fracas.events.markdown import table
from fracas.rulesets import registry
from fracas.rulesets.relics.content.effect_models import Effect, Modifier, Op, flag_uses
from fracas.rulesets.relics.content.item_models import Body
from fracas.rulesets.relics.declarations.markdown import list_form
from fracas.rulesets.relics.declarations.ops import OPS
from fracas.rulesets.relics.declarations.triggers import MODIFIERS, STATUS_FORMS, TRIGGERS
from fracas.rulesets.relics.declarations.types import WORDS, Argument, Kind, OpForm, TriggerForm
from fracas.rulesets.relics.narration.item_text import item_text
from fracas.rulesets.relics.rules.constants import STATUSES, TIERS

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "docs" / "reference" / "relics"
BOOK = ROOT / "src" / "fracas" / "rulesets" / "relics" / "README.md"
# From a page in a folder of the reference.
TO_BOOK = "../../../../src/fracas/rulesets/relics/README.md"
TO_CONTENT = "../../relics-content.md"
KINDS = ("items", "sets", "enemies", "bosses")
FOLDERS = ("triggers", "ops", "statuses", "items")
WRITTEN_BY = "<!-- This page is generated: scripts/generate_docs.py writes it. -->"
BOUNDS = {
    Kind.AMOUNT: "0 to 9,999, or counted: `{ of = FACT, times = 1, per = 1 }`",
    Kind.AMOUNT_OR_ALL: '0 to 9,999, `"all"`, or counted: `{ of = FACT, times = 1, per = 1 }`',
    Kind.NUMBER: "0 to 9,999",
    Kind.TAG: "a tag",
    Kind.PERCENT: "0 to 100",
}
TICKING = ("poison", "acid", "riptide", "regen")


@dataclass
class Entry:
    """Something of the content that does things, what it uses, and how it is written."""

    kind: str
    entry: Any
    source: str
    triggers: set[str] = field(default_factory=set)
    ops: set[str] = field(default_factory=set)
    modifiers: set[str] = field(default_factory=set)
    statuses: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        for body in [self.entry, *getattr(self.entry, "phases", [])]:
            self.note(body)

    def note(self, body: Body) -> None:
        """Take in what something does, flags in the words of what they stand for."""
        for trigger, entries in body.triggers.items():
            for each in entries:
                self.triggers.add(trigger)
                if isinstance(each, Effect):
                    self.note_statuses(each.of)
                for op in each.do if isinstance(each, Effect) else [each]:
                    self.note_op(op)
        for modifier in body.modifiers:
            self.note_modifier(modifier)
        for form, _ in flag_uses(body.flags):
            self.triggers |= {form.trigger} - {""}
            self.ops |= {form.op} - {""}
            self.modifiers |= {form.modifier} - {""}
            if form.op:
                self.note_statuses(*OPS[form.op].fixed.values())

    def note_op(self, op: Op) -> None:
        """Take in an op."""
        self.ops.add(op.op)
        self.note_statuses(*(op.argument(name) for name in ("status", "what", "from", "to")))

    def note_modifier(self, modifier: Modifier) -> None:
        """Take in a modifier."""
        self.modifiers.add(modifier.modifier)
        self.note_statuses(modifier.status)

    def note_statuses(self, *found: object) -> None:
        """Take in those words that are statuses."""
        self.statuses.update(status for status in STATUSES if status in found)

    @property
    def name(self) -> str:
        """What people call it."""
        return str(self.entry.name)


class Reference:
    """All pages."""

    def __init__(self) -> None:
        self.library = registry.get("relics").read_library(None, [])

    @cached_property
    def entries(self) -> list[Entry]:
        """Everything of the content that does things, by kind, in the order of the files."""
        return [
            Entry(kind, entry, self.source(kind, identifier))
            for kind in KINDS
            for identifier, entry in self.library.of(kind).items()
        ]

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """The shipped files, by name."""
        return {path.name: path.read_text(encoding="utf-8") for path in sorted(shipped_folder("relics").glob("*.toml"))}

    def source(self, kind: str, identifier: str) -> str:
        """How an entry stands in its file."""
        text = self.texts[Path(self.library.origins[kind, identifier]).name]
        parts = re.split(rf"^(?=\[\[(?:{'|'.join([*KINDS, 'profiles'])})\]\]|#)", text, flags=re.MULTILINE)
        for part in parts:
            if re.search(rf'^id = "{identifier}"$', part, re.MULTILINE) and part.startswith(f"[[{kind}]]"):
                assert [entry["id"] for entry in tomllib.loads(part)[kind]] == [identifier]
                return part.strip()
        raise SystemExit(f"{kind} {identifier} does not stand in its file as the reference would show it")

    def pages(self) -> Iterator[tuple[str, str, str]]:
        """The folder, the name and the text of every page."""
        for trigger in TRIGGERS.values():
            yield "triggers", trigger.name, self.trigger_page(trigger)
        for op in OPS.values():
            yield "ops", op.name, self.op_page(op)
        for status in STATUS_FORMS:
            yield "statuses", status, self.status_page(status)
        for entry in self.of_kind("items"):
            yield "items", entry.entry.id, self.item_page(entry)
        for folder, text in self.index_pages():
            yield folder, "index", text

    def of_kind(self, kind: str) -> list[Entry]:
        """The entries of a kind."""
        return [entry for entry in self.entries if entry.kind == kind]

    # Pages.

    def trigger_page(self, form: TriggerForm) -> str:
        """When effects of a trigger run, with what number, and who has such effects."""
        own = ["`n`, which it needs"] if form.takes_n else []
        own += ["`of`, the status that it answers (absent: any)"] if form.takes_status else []
        rows = [
            ("in texts", f"*{form.text.format(n='N', of='a status')}*"),
            ("number that comes with it (`payload`)", form.payload),
            ("an effect may have", ", ".join([*own, "`if`, `chance`, `per_turn`, `per_battle`"])),
        ]
        users = [entry for entry in self.entries if form.name in entry.triggers]
        return page(
            form.name,
            form.doc,
            table(("trigger", f"`{form.name}`"), rows),
            self.example(users),
            self.used_by(users),
            f"The [rule book]({TO_BOOK}#triggers) has the order in which effects run. [All triggers](index.md).",
        )

    def op_page(self, form: OpForm) -> str:
        """What an op does, what it is told, and who uses it."""
        users = [entry for entry in self.entries if form.name in entry.ops]
        about = [form.doc]
        if form.when:
            about.append(f"Only if `{form.when}`, as its name says.")
        if form.on_hit_only:
            about.append("It belongs under [`on_hit`](../triggers/on_hit.md) alone.")
        if form.fixed:
            about.append(
                f"Its name says {', '.join(f'`{name} = {toml(value)}`' for name, value in form.fixed.items())}."
            )
        return page(
            form.name,
            " ".join(about),
            list_form(form),
            arguments_table(form.arguments),
            "Besides, every op takes `if` (a [condition](../../conditions.md)), `chance` (per cent) and `repeat` "
            "(1 to 20), in a table at the end of the list.",
            f"## Exactly\n\n{self.exactly(form.name)}",
            self.example(users),
            self.used_by(users),
            f"The [rule book]({TO_BOOK}#ops) has how ops are performed. [All ops](index.md).",
        )

    def status_page(self, name: str) -> str:
        """What a status does, what is about it, and who has to do with it."""
        users = [entry for entry in self.entries if name in entry.statuses]
        ops = [form.name for form in OPS.values() if is_about(form, name)]
        triggers = [form.name for form in TRIGGERS.values() if form.takes_status or name in form.name]
        if name not in TICKING:
            triggers.remove("status_ticked")
        modifiers = [
            form.name for form in MODIFIERS.values() if any(each.kind is Kind.STATUS for each in form.arguments)
        ]
        if name == "thorns":
            modifiers.append("thorns_kept")
        facts = [f"{who}.{name}" for who in ("self", "enemy")]
        facts += [f"{who}_{has}_{name}" for who in ("self", "enemy") for has in ("has", "lacks")]
        rows = [
            ("ops", linked("ops", ops)),
            ("triggers", linked("triggers", triggers)),
            ("modifiers", ", ".join(f"`{each}`" for each in modifiers)),
            ("conditions", ", ".join(f"`{each}`" for each in facts)),
        ]
        return page(
            name,
            STATUS_FORMS[name].doc,
            table((f"`{name}`", "is what these are about"), rows),
            self.example(users),
            self.used_by(users),
            f"The [rule book]({TO_BOOK}#order-of-play) has the exact times. [All statuses](index.md).",
        )

    def item_page(self, entry: Entry) -> str:
        """What an item does in each tier, how it is written, and what it is made of."""
        item = entry.entry
        tiers = [(tier, item_text(item, tier)) for tier in TIERS]
        made = [
            ("triggers", linked("triggers", ordered(entry.triggers, TRIGGERS))),
            ("ops", linked("ops", ordered(entry.ops, OPS))),
            ("statuses", linked("statuses", ordered(entry.statuses, STATUSES))),
            ("modifiers", ", ".join(f"`{name}`" for name in ordered(entry.modifiers, MODIFIERS))),
            (
                "counts for",
                ", ".join(f"{each.name} ({each.entry.pieces} {each.entry.tag})" for each in self.sets(item)),
            ),
            ("worn by", ", ".join(each.name for each in self.wearers(item.id))),
        ]
        rows = [row for row in made if row[1]]
        kinds = {"weapons": "A weapon", "upgrades": "An upgrade", "items": "An item", "food": "Food"}
        tags = f" with the tag{'s' * (len(item.tags) > 1)} {listed(item.tags, 'and')}" if item.tags else ""
        only = " A fighter can wear only one of it." if item.unique else ""
        return page(
            entry.name,
            f"{kinds[item.bucket]}{tags}.{only} {item.note}".strip(),
            table(("tier", "does"), tiers),
            f"## As it is written\n\n```toml\n{entry.source}\n```",
            table(("it has to do with", ""), rows) if rows else "",
            f"`fracas content show relics {item.id}` shows the same in a terminal. [All items](index.md).",
        )

    def index_pages(self) -> Iterator[tuple[str, str]]:
        """A page for each folder that leads to its pages."""
        yield (
            "triggers",
            self.index(
                "Triggers of relics",
                "When effects run. The order is that of the rule book.",
                ("trigger", "its effects run", "used by"),
                ((form.name, form.doc, self.count("triggers", form.name)) for form in TRIGGERS.values()),
            ),
        )
        yield (
            "ops",
            self.index(
                "Ops of relics",
                "What effects do. The first fourteen are those of the seed.",
                ("op", "does", "used by"),
                ((form.name, form.doc, self.count("ops", form.name)) for form in OPS.values()),
            ),
        )
        yield (
            "statuses",
            self.index(
                "Statuses of relics",
                "What fighters have in stacks.",
                ("status", "does", "used by"),
                ((form.name, form.doc, self.count("statuses", form.name)) for form in STATUS_FORMS.values()),
            ),
        )
        yield (
            "items",
            self.index(
                "Items of relics",
                "Everything that ships to be worn: weapons, upgrades, items and food. Texts are those of the normal "
                "tier; golden doubles the numbers, diamond makes them four times as large.",
                ("item", "is", "does"),
                (
                    (
                        entry.entry.id,
                        ", ".join([BUCKETS[entry.entry.bucket], *entry.entry.tags]),
                        item_text(entry.entry),
                    )
                    for entry in self.of_kind("items")
                ),
            ),
        )

    def index(self, title: str, about: str, head: Sequence[str], rows: Iterable[tuple[str, str, str]]) -> str:
        """A table of links."""
        linked_rows = ((f"[`{name}`]({name}.md)", *rest) for name, *rest in rows)
        return page(title, about, table(head, linked_rows))

    # Parts of pages.

    def exactly(self, name: str) -> str:
        """The row of the rule book that says what an op does."""
        for line in BOOK.read_text(encoding="utf-8").splitlines():
            cells = [cell.strip() for cell in line.strip("|").split(" | ")]
            if len(cells) == 3 and re.fullmatch(r"\w+", cells[0]) and is_named(name, cells[1]):
                text = cells[2].rstrip(" |").strip()
                return f"a is the amount, T the target.\n\n> {text[0].upper()}{text[1:]}."
        raise SystemExit(f"the rule book does not say exactly what {name} does")

    def example(self, users: Sequence[Entry]) -> str:
        """The shortest entry that uses something, as it stands in its file."""
        if not users:
            return ""
        shortest = min(users, key=lambda entry: (KINDS.index(entry.kind), len(entry.source)))
        text = item_text(shortest.entry) if isinstance(shortest.entry, Body) else ""
        return f"## Example\n\n```toml\n{shortest.source}\n```\n\n{text}"

    def used_by(self, users: Sequence[Entry]) -> str:
        """Links to what uses something."""
        items = ", ".join(f"[{entry.name}](../items/{entry.entry.id}.md)" for entry in users if entry.kind == "items")
        parts = [f"Items: {items}."] if items else []
        for kind in KINDS[1:]:
            named = ", ".join(entry.name for entry in users if entry.kind == kind)
            if named:
                parts.append(f"[{kind.capitalize()}]({TO_CONTENT}#{kind}): {named}.")
        return "## Used by\n\n" + "\n\n".join(parts) if parts else ""

    def count(self, what: str, name: str) -> str:
        """How much of the content uses something."""
        return str(sum(name in getattr(entry, what) for entry in self.entries))

    def sets(self, item: Any) -> list[Entry]:
        """The sets that an item counts for."""
        return [entry for entry in self.of_kind("sets") if entry.entry.tag in item.tags]

    def wearers(self, identifier: str) -> list[Entry]:
        """The enemies and bosses that wear an item."""
        found = []
        for entry in [*self.of_kind("enemies"), *self.of_kind("bosses")]:
            gear = entry.entry
            if identifier in [gear.weapon, *gear.upgrades, *gear.items, *gear.food]:
                found.append(entry)
        return found


BUCKETS = {"weapons": "weapon", "upgrades": "upgrade", "items": "item", "food": "food"}


def page(title: str, *parts: str) -> str:
    """A page."""
    return "\n\n".join([WRITTEN_BY, f"# {title}", *(part for part in parts if part)]) + "\n"


def arguments_table(arguments: Sequence[Argument]) -> str:
    """What an op is told."""
    if not arguments:
        return "It takes no arguments."
    rows = (
        (
            f"`{argument.name}`",
            argument.kind.value,
            may_be(argument.kind),
            "required" if argument.default is None else f"`{toml(argument.default)}`",
            "yes" if argument.tiered else "no",
        )
        for argument in arguments
    )
    return table(("argument", "is", "may be", "default", "tiers multiply it"), rows)


def may_be(kind: Kind) -> str:
    """What an argument of a kind may be."""
    if kind is Kind.TRIGGER:
        return "the name of a [trigger](../triggers/index.md)"
    if kind in WORDS:
        return ", ".join(f"`{word}`" for word in WORDS[kind])
    return BOUNDS[kind]


def toml(value: Any) -> str:
    """A value as TOML writes it."""
    return f'"{value}"' if isinstance(value, str) else str(value)


def is_about(form: OpForm, status: str) -> bool:
    """Whether an op can be told of a status, or is about it by its name."""
    told = any(status in WORDS.get(argument.kind, ()) for argument in form.arguments)
    return told or form.fixed.get("status") == status


def is_named(name: str, cell: str) -> bool:
    """Whether a cell lists an op, perhaps by a family: `gain_*`."""
    patterns = re.findall("`([a-z_*]+)`", cell)
    return any(re.fullmatch(pattern.replace("*", r"\w+"), name) for pattern in patterns)


def linked(folder: str, names: Iterable[str]) -> str:
    """Links to pages of a folder."""
    return ", ".join(f"[`{name}`](../{folder}/{name}.md)" for name in names)


def ordered(names: Iterable[str], order: Iterable[str]) -> list[str]:
    """Names in the order of their declarations."""
    found = set(names)
    return [name for name in order if name in found]


def relics_pages() -> dict[Path, str]:
    """Every page of the reference, and what it should hold."""
    return {FOLDER / folder / f"{name}.md": text for folder, name, text in Reference().pages()}


def left_over(pages: Iterable[Path]) -> list[Path]:
    """The pages of the reference that nothing stands behind any more."""
    known = set(pages)
    return [path for folder in FOLDERS for path in sorted((FOLDER / folder).glob("*.md")) if path not in known]
