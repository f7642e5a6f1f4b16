"""Write the lookup pages of relics: items, sets, ops, triggers and statuses, from declarations and shipped content.

Examples are copied from the shipped files. The exact effect of an op is its row in the rule book's table.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from fracas.content.packs import shipped_folder
from fracas.events.markdown import table
from fracas.rulesets import registry
from fracas.rulesets.relics.content.models.effects import Effect, Modifier, Op, flag_uses
from fracas.rulesets.relics.content.models.items import Body
from fracas.rulesets.relics.content.vocabulary import is_own_status
from fracas.rulesets.relics.declarations.markdown import list_form
from fracas.rulesets.relics.declarations.ops import OPS
from fracas.rulesets.relics.declarations.triggers import MODIFIERS, STATUS_DOCS, TRIGGERS
from fracas.rulesets.relics.declarations.types import STATUS_KINDS, WORDS, Argument, ArgumentKind, OpForm
from fracas.rulesets.relics.narration.item_text import item_text
from fracas.rulesets.relics.rules.constants import STATUSES, TIERS

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "docs" / "reference" / "relics"
BOOK = ROOT / "src" / "fracas" / "rulesets" / "relics" / "README.md"
# Relative to a page in FOLDER.
TO_BOOK = "../../../src/fracas/rulesets/relics/README.md"
TO_CONTENT = "../relics-content.md"
KINDS = ("items", "sets", "statuses", "enemies", "bosses")
BUCKETS = ("weapons", "upgrades", "items", "food")
WRITTEN_BY = "<!-- This page is generated: scripts/generate_docs.py writes it. -->"
BOUNDS = {
    ArgumentKind.AMOUNT: "0 to 9,999, or counted: `{ of = FACT, times = 1, per = 1 }`",
    ArgumentKind.AMOUNT_OR_ALL: '0 to 9,999, `"all"`, or counted: `{ of = FACT, times = 1, per = 1 }`',
    ArgumentKind.NUMBER: "0 to 9,999",
    ArgumentKind.TAG: "a tag",
    ArgumentKind.PERCENT: "0 to 100",
}
TICKING = ("poison", "acid", "riptide", "regen")


@dataclass
class Entry:
    """An item, set, status, enemy or boss: its source and the triggers, ops, modifiers and statuses it uses."""

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
        """Record what a body uses. A flag counts as the trigger, op or modifier it stands for."""
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
        """Record an op and the statuses it names."""
        self.ops.add(op.op)
        self.note_statuses(*(op.argument(name) for name in ("status", "what", "from", "to")))

    def note_modifier(self, modifier: Modifier) -> None:
        """Record a modifier and the status it names."""
        self.modifiers.add(modifier.modifier)
        self.note_statuses(modifier.status)

    def note_statuses(self, *found: object) -> None:
        """Record the words that are statuses, the content's own included."""
        self.statuses.update(
            word for word in found if isinstance(word, str) and (word in STATUSES or is_own_status(word))
        )

    @property
    def name(self) -> str:
        """The display name."""
        return str(self.entry.name)


class Reference:
    """The lookup pages of relics."""

    def __init__(self) -> None:
        self.library = registry.get("relics").read_library(None, [])

    @cached_property
    def entries(self) -> list[Entry]:
        """All items, sets, statuses, enemies and bosses, by kind, in file order."""
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
        """The TOML of an entry, as its file has it."""
        text = self.texts[Path(self.library.origins[kind, identifier]).name]
        parts = re.split(rf"^(?=\[\[(?:{'|'.join([*KINDS, 'profiles'])})\]\]|#)", text, flags=re.MULTILINE)
        for part in parts:
            if re.search(rf'^id = "{identifier}"$', part, re.MULTILINE) and part.startswith(f"[[{kind}]]"):
                assert [entry["id"] for entry in tomllib.loads(part)[kind]] == [identifier]
                return part.strip()
        raise SystemExit(f"{kind} {identifier} is not a [[table]] of its own in its file, so the docs cannot show it")

    def of_kind(self, kind: str) -> list[Entry]:
        """The entries of a kind."""
        return [entry for entry in self.entries if entry.kind == kind]

    # Pages.

    def items_page(self) -> str:
        """A table of items for each bucket: tags, the text of each tier, and which enemies and bosses wear the item."""
        parts = []
        for bucket in BUCKETS:
            items = sorted((entry.entry for entry in self.of_kind("items") if entry.entry.bucket == bucket), key=by_id)
            rows = (
                (
                    f"`{item.id}`",
                    item.name,
                    ", ".join(item.tags),
                    *(item_text(item, tier) for tier in TIERS),
                    ", ".join(entry.name for entry in self.wearers(item.id)),
                    item.note,
                )
                for item in items
            )
            header = ("id", "name", "tags", *TIERS, "worn by", "note")
            parts.append(f"## {bucket.capitalize()}\n\n{len(items)}.\n\n{filled_table(header, rows)}")
        return page(
            "Items of relics",
            "Every item that ships, by bucket and id, with its text in each tier. Tags count towards [sets](sets.md). "
            f"*Worn by* names the [enemies]({TO_CONTENT}#enemies) and [bosses]({TO_CONTENT}#bosses) that have it. "
            "`fracas content show relics ID` prints an item's definition; the files that "
            f"[the content]({TO_CONTENT}#items) lists have it as TOML.",
            *parts,
        )

    def sets_page(self) -> str:
        """A table of sets: the tag, how many pieces it takes, the text, and the items with the tag."""
        rows = (
            (
                f"`{entry.entry.id}`",
                entry.name,
                entry.entry.tag,
                str(entry.entry.pieces),
                self.does(entry),
                codes(item.entry.id for item in self.of_kind("items") if entry.entry.tag in item.entry.tags),
            )
            for entry in sorted(self.of_kind("sets"), key=lambda entry: by_id(entry.entry))
        )
        return page(
            "Sets of relics",
            "A set is active while a fighter wears enough pieces with its tag. "
            "[Items](items.md) has the text of each piece. `fracas content show relics ID` prints a set's definition.",
            table(("id", "name", "tag", "pieces", "does", "items with the tag"), rows),
        )

    def triggers_page(self) -> str:
        """A table of triggers, then an example of each and what uses it."""
        rows = (
            (
                f"[`{form.name}`](#{form.name})",
                form.doc,
                f"*{form.text.format(n='N', of='a status')}*",
                form.payload.doc,
                "`n` (required)" if form.takes_n else "`of` (default: any status)" if form.takes_status else "",
                self.count("triggers", form.name),
            )
            for form in TRIGGERS.values()
        )
        parts = [section(form.name, form.doc, *self.shown_in("triggers", form.name)) for form in TRIGGERS.values()]
        return page(
            "Triggers of relics",
            "When effects run, in the order of the rule book. An effect under any trigger may have `if` (a "
            "[condition](../conditions.md#relics)), `chance` (per cent), `per_turn` and `per_battle`; the column "
            "*takes* lists what else it has. *Payload* is the number that comes with the trigger. "
            f"The [rule book]({TO_BOOK}#triggers) defines the order in which effects run.",
            table(("trigger", "effects run", "in texts", "payload", "takes", "used by"), rows),
            *parts,
        )

    def ops_page(self) -> str:
        """A table of ops, then the arguments of each, its exact effect, an example and what uses it."""
        rows = (
            (f"[`{form.name}`](#{form.name})", list_form(form), form.doc, self.count("ops", form.name))
            for form in OPS.values()
        )
        parts = [
            section(
                form.name,
                about_op(form),
                list_form(form),
                arguments_table(form.arguments),
                f"*Exactly:* {self.exactly(form.name)}",
                *self.shown_in("ops", form.name),
            )
            for form in OPS.values()
        ]
        return page(
            "Ops of relics",
            "What effects do. Every op also takes `if` (a [condition](../conditions.md#relics)), `chance` (per cent) "
            "and `repeat` (1 to 20), in a table at the end of the list. Golden and diamond items multiply the "
            "arguments marked under *tiers multiply it* by 2 and 4. "
            f"The [rule book]({TO_BOOK}#ops) defines how ops are performed. After *Exactly:*, a "
            "is the amount and T the target.",
            table(("op", "written", "does", "used by"), rows),
            *parts,
        )

    def statuses_page(self) -> str:
        """A table of statuses, then the ops, triggers, modifiers and conditions for each, an example and its uses."""
        rows = (
            (f"[`{status}`](#{status})", doc, self.count("statuses", status)) for status, doc in STATUS_DOCS.items()
        )
        parts = [
            section(status, doc, related_table(status), *self.shown_in("statuses", status))
            for status, doc in STATUS_DOCS.items()
        ]
        own = {str(entry.entry.id): entry for entry in self.of_kind("statuses")}
        shipped = (
            (f"[`{status}`](#{status})", entry.name, self.does(entry), self.count("statuses", status))
            for status, entry in own.items()
        )
        parts += [
            section(
                status,
                entry.entry.note,
                f"```toml\n{entry.source}\n```",
                related_table(status),
                f"Used by: {self.used_by('statuses', status)}.",
            )
            for status, entry in own.items()
        ]
        return page(
            "Statuses of relics",
            f"Statuses come in stacks. The [rule book]({TO_BOOK}#order-of-play) defines when each takes effect.",
            table(("status", "does", "used by"), rows),
            "Content declares further statuses, which act through triggers and modifiers like items, for whoever has "
            "stacks of them. [Add a status](../../how-to/items-sets-enemies-in-a-pack.md#add-a-status) "
            "makes one. These ship:",
            table(("status", "name", "does", "used by"), shipped),
            *parts,
        )

    # Parts of pages.

    def exactly(self, name: str) -> str:
        """The exact effect of an op, from the rule book's table."""
        for line in BOOK.read_text(encoding="utf-8").splitlines():
            cells = [cell.strip() for cell in line.strip("|").split(" | ")]
            if len(cells) == 3 and re.fullmatch(r"\w+", cells[0]) and is_named(name, cells[1]):
                return f"{cells[2].rstrip(' |').strip()}."
        raise SystemExit(f"the rule book's table of ops has no row for {name}")

    def shown_in(self, what: str, name: str) -> list[str]:
        """The shortest entry that uses something, as its file has it, and the list of all that use it."""
        users = [entry for entry in self.entries if name in getattr(entry, what)]
        if not users:
            return ["Nothing that ships uses it."]
        shortest = min(users, key=lambda entry: (KINDS.index(entry.kind), len(entry.source)))
        return [f"```toml\n{shortest.source}\n```", self.does(shortest), f"Used by: {self.used_by(what, name)}."]

    def used_by(self, what: str, name: str) -> str:
        """All entries that use something, by kind."""
        users = [entry for entry in self.entries if name in getattr(entry, what)]
        named = [
            (f"[{kind.capitalize()}]({table_of(kind)})", [entry.entry.id for entry in users if entry.kind == kind])
            for kind in KINDS
        ]
        return ". ".join(f"{link}: {codes(ids)}" for link, ids in named if ids)

    def does(self, entry: Entry) -> str:
        """What an entry does, in words."""
        return " ".join(registry.get("relics").describe_entry(entry.entry))

    def count(self, what: str, name: str) -> str:
        """The number of entries that use something."""
        return str(sum(name in getattr(entry, what) for entry in self.entries))

    def wearers(self, identifier: str) -> list[Entry]:
        """The enemies and bosses that wear an item."""
        found = []
        for entry in [*self.of_kind("enemies"), *self.of_kind("bosses")]:
            gear = entry.entry
            if identifier in [gear.weapon, *gear.upgrades, *gear.items, *gear.food]:
                found.append(entry)
        return found


def page(title: str, *parts: str) -> str:
    """A page."""
    return "\n\n".join([WRITTEN_BY, f"# {title}", *parts]) + "\n"


def section(title: str, *parts: str) -> str:
    """A section of a page."""
    return "\n\n".join([f"## {title}", *parts])


def filled_table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table without the columns that are empty in every row."""
    columns = [(name, cells) for name, *cells in zip(header, *rows, strict=True) if any(cells)]
    return table([name for name, _ in columns], zip(*(cells for _, cells in columns), strict=True))


def table_of(kind: str) -> str:
    """The link from a lookup page to the table of a kind."""
    return f"{kind}.md" if kind in ("items", "sets", "statuses") else f"{TO_CONTENT}#{kind}"


def about_op(form: OpForm) -> str:
    """What an op does, and what its name fixes."""
    about = [form.doc]
    if form.when:
        about.append(f"It runs only if `{form.when}`.")
    if form.on_hit_only:
        about.append("It is allowed only under [`on_hit`](triggers.md#on_hit).")
    if form.fixed:
        about.append(
            f"Fixed by its name: {', '.join(f'`{name} = {toml(value)}`' for name, value in form.fixed.items())}."
        )
    return " ".join(about)


def arguments_table(arguments: Sequence[Argument]) -> str:
    """The arguments of an op: kind, values, default, and whether tiers multiply them."""
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


def related_table(status: str) -> str:
    """The ops, triggers, modifiers and conditions that can name a status."""
    ops = [form.name for form in OPS.values() if is_about(form, status)]
    triggers = [form.name for form in TRIGGERS.values() if form.takes_status or status in form.name]
    if status not in TICKING:
        triggers.remove("status_ticked")
    modifiers = [
        form.name for form in MODIFIERS.values() if any(each.kind is ArgumentKind.STATUS for each in form.arguments)
    ]
    if status == "thorns":
        modifiers.append("thorns_kept")
    facts = [f"{who}.{status}" for who in ("self", "enemy")]
    facts += [f"{who}_{has}_{status}" for who in ("self", "enemy") for has in ("has", "lacks")]
    rows = [
        ("ops", linked("ops", ops)),
        ("triggers", linked("triggers", triggers)),
        ("modifiers", codes(modifiers)),
        ("conditions", codes(facts)),
    ]
    return table(("kind", f"for `{status}`"), rows)


def may_be(kind: ArgumentKind) -> str:
    """The values of a kind of argument."""
    if kind is ArgumentKind.TRIGGER:
        return "the name of a [trigger](triggers.md)"
    return codes(WORDS[kind]) if kind in WORDS else BOUNDS[kind]


def toml(value: Any) -> str:
    """A value as TOML writes it."""
    return f'"{value}"' if isinstance(value, str) else str(value)


def is_about(form: OpForm, status: str) -> bool:
    """Whether an op can take a status as an argument or has it fixed."""
    own = is_own_status(status)
    told = any(
        argument.kind in STATUS_KINDS if own else status in WORDS.get(argument.kind, ()) for argument in form.arguments
    )
    return told or form.fixed.get("status") == status


def is_named(name: str, cell: str) -> bool:
    """Whether a cell lists an op, by name or by a pattern such as `gain_*`."""
    patterns = re.findall("`([a-z_*]+)`", cell)
    return any(re.fullmatch(pattern.replace("*", r"\w+"), name) for pattern in patterns)


def by_id(entry: Any) -> str:
    """The sort key of an entry."""
    return str(entry.id)


def codes(names: Iterable[str]) -> str:
    """Names as code, with commas."""
    return ", ".join(f"`{name}`" for name in names)


def linked(name: str, anchors: Iterable[str]) -> str:
    """Links to sections of a lookup page."""
    return ", ".join(f"[`{anchor}`]({name}.md#{anchor})" for anchor in anchors)


def relics_pages() -> dict[Path, str]:
    """Every lookup page of relics, by path."""
    reference = Reference()
    return {
        FOLDER / "items.md": reference.items_page(),
        FOLDER / "sets.md": reference.sets_page(),
        FOLDER / "triggers.md": reference.triggers_page(),
        FOLDER / "ops.md": reference.ops_page(),
        FOLDER / "statuses.md": reference.statuses_page(),
    }
