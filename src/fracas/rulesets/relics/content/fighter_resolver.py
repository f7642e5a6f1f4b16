"""Resolve fighters and their pieces, collecting every problem.

Resolving is idempotent: a resolved fighter is a valid fighter that resolves to itself. So `--set` can change any
value by path and resolve again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from fracas.conditions import parse
from fracas.content.packs import Library, unknown_name
from fracas.content.part_cache import LookUps, to_plain_once
from fracas.content.reference_tables import singular
from fracas.content.references import list_of, table_of, to_plain
from fracas.content.validate import validate
from fracas.errors import InputError, Problem
from fracas.errors.suggestions import quoted
from fracas.rulesets.contract.types import Document
from fracas.rulesets.relics.content.library import titled
from fracas.rulesets.relics.content.models.effects import Effect, needs_n
from fracas.rulesets.relics.content.models.fighters import BuildFile, Fighter, Piece, Worn
from fracas.rulesets.relics.content.models.items import (
    Body,
    Boss,
    Enemy,
    FighterStats,
    Gear,
    Item,
    ItemStats,
    OwnStatus,
    split_id,
)
from fracas.rulesets.relics.content.models.rule_options import StatCaps
from fracas.rulesets.relics.content.op_forms import AmountOf
from fracas.rulesets.relics.content.own_statuses import (
    as_resolved,
    parts_of,
    too_many,
    unknown_statuses,
    unknown_statuses_in_broken,
    with_statuses,
)
from fracas.rulesets.relics.content.places import BUCKETS, PLACES, worn_pieces
from fracas.rulesets.relics.content.share_codes import pieces_of_code
from fracas.rulesets.relics.content.vocabulary import countable, vocabulary_of
from fracas.rulesets.relics.declarations.triggers import TRIGGERS
from fracas.rulesets.relics.rules.constants import MAX_SETS, TIER_FACTORS, TIERS

# The keys that a resolved piece takes from its item.
OF_A_PIECE = ("stats", "tags", "unique", "triggers", "flags", "modifiers")
# How deep a condition can be in an item's triggers: trigger, effect, do, op, the table at its end.
DEEPEST_CONDITION = 6
OF_A_BODY = tuple(Body.model_fields)
Build = Fighter | BuildFile | Gear


class Resolver(LookUps):
    """Resolves fighters and the pieces that they wear."""

    def __init__(
        self,
        origin: str,
        library: Library,
        *,
        items: Mapping[str, Item] | None = None,
        caps: StatCaps | None = None,
        cap_mode: Literal["reject", "clamp"] = "reject",
        problems: Iterable[Problem] = (),
        worn_tags: Iterable[str] = (),
        statuses: Mapping[str, OwnStatus] | None = None,
    ) -> None:
        super().__init__(origin, problems)
        self.library = library
        self.items: Mapping[str, Item] = {**library.of("items"), **items} if items else library.of("items")
        self.known = {"items": self.items}
        self.caps = caps or StatCaps()
        self.statuses: dict[str, OwnStatus] = {**library.of("statuses"), **(statuses or {})}
        tags = library.derived(_tags_of) if not items else _all_tags(self.items.values(), library)
        words = (tuple(sorted({*tags, *countable(worn_tags)})), tuple(sorted(self.statuses)))
        self.vocabulary = vocabulary_of(*words)
        self.cap_mode = cap_mode
        self._tried: dict[tuple[str, str, str], Document | None] = {}
        # What pieces depend on besides their items.
        self._surroundings = (*words, cap_mode, tuple(self.caps.model_dump().items()))

    def fighter(self, path: str, fighter: Fighter, otherwise: str) -> Document:
        """Resolve a fighter, as far as it is valid; `otherwise` is its name if it has none."""
        if fighter.enemy is not None:
            return self.enemy(path, fighter.enemy, fighter.level or 1, fighter.name)
        if fighter.boss is not None:
            return self.boss(path, fighter.boss, fighter.name)
        self.check_body(path, fighter)
        for number, phase in enumerate(fighter.phases):
            self.check_body(f"{path}.phases.{number}", phase)
        document: Document = {"name": fighter.name or otherwise, "tier": fighter.tier}
        if fighter.state is None:
            document["stats"] = to_plain(fighter.stats or FighterStats())
        else:
            self.check_stacks(f"{path}.state.statuses", fighter.state.statuses)
            document["state"] = to_plain(fighter.state)
        document |= body(fighter)
        document |= self.build(path, self.decoded(path, fighter))
        document["sets"] = self.sets(f"{path}.sets", document, [to_plain(entry) for entry in fighter.sets])
        document["phases"] = [to_plain(phase) for phase in fighter.phases]
        self.check_health(path, document)
        return document

    def enemy(self, path: str, identifier: str, level: int, name: str | None = None) -> Document:
        """Resolve an enemy of the content at a level, from 1."""
        enemy: Enemy | None = None
        with self.collecting():
            enemy = self.library.find("enemies", identifier, self.where(f"{path}.enemy"), singular("enemies"))
        if enemy is None:
            return {}
        if level > len(enemy.levels):
            message = f"{quoted(identifier)} has levels 1 to {len(enemy.levels)}, not {level}"
            self.complain(f"{path}.level", message)
            return {}
        base_name = name or enemy.name or titled(identifier)
        entry = enemy.levels[level - 1]
        document = {
            "name": base_name if name or len(enemy.levels) == 1 else f"{base_name} (level {level})",
            "tier": entry.tier,
            "stats": to_plain(entry.stats),
        }
        return self.with_gear(path, document, enemy)

    def boss(self, path: str, identifier: str, name: str | None = None) -> Document:
        """Resolve a boss of the content."""
        boss: Boss | None = None
        with self.collecting():
            boss = self.library.find("bosses", identifier, self.where(f"{path}.boss"), singular("bosses"))
        if boss is None:
            return {}
        document = {"name": name or boss.name or titled(identifier), "tier": TIERS[0], "stats": to_plain(boss.stats)}
        return {**self.with_gear(path, document, boss), "phases": [to_plain(phase) for phase in boss.phases]}

    def with_gear(self, path: str, document: Document, entry: Enemy | Boss) -> Document:
        """Add an enemy's or a boss's effects and gear to its document."""
        document |= body(entry)
        document |= self.build(path, entry)
        document["sets"] = self.sets(f"{path}.sets", document, [])
        self.check_health(path, document)
        return {**document, "phases": []}

    def decoded(self, path: str, fighter: Fighter) -> Build:
        """A fighter's build, decoded if it is a share code."""
        if fighter.code is None:
            return fighter
        with self.collecting():
            pieces = pieces_of_code(fighter.code, self.library.of("items"), self.where(f"{path}.code"))
            return Fighter.model_validate(pieces)
        return Fighter()

    # Pieces.

    def build(self, path: str, build: Build) -> Document:
        """Resolve everything that a build wears, by place."""
        lead = f"{path}." if path else ""
        weapon = self.piece(f"{lead}weapon", "weapon", build.weapon) if build.weapon is not None else None
        document: Document = {"weapon": weapon} if weapon is not None else {}
        for key in ("upgrades", "items", "food"):
            pieces: Sequence[Piece] = getattr(build, key)
            resolved = ((place, self.piece(f"{lead}{key}.{place}", key, piece)) for place, piece in enumerate(pieces))
            found = {place: piece for place, piece in resolved if piece is not None}
            order = by_slot(pieces) if key == "items" else range(len(pieces))
            document[key] = [found[place] for place in order if place in found]
        worn = [piece["id"] for piece in worn_pieces(document) if piece["unique"]]
        for identifier in dict.fromkeys(name for name in worn if worn.count(name) > 1):
            self.complain(path or "build", f"wears the unique item {quoted(identifier)} {worn.count(identifier)} times")
        return document

    def piece(self, path: str, place: str, entry: str | Worn) -> Document | None:
        """Resolve a piece, with missing fields from the item of its id; None if it has problems."""
        worn = self.named(path, entry) if isinstance(entry, str) else entry
        if worn is None:
            return None
        at = path if isinstance(entry, str) else f"{path}.id"
        key = ("piece", place, self._surroundings)
        return self.resolved_once(worn, key, lambda: self._piece(path, at, place, worn)) or None

    def tried(self, path: str, place: str, name: str, tier: str = "normal") -> Document | None:
        """Resolve a piece of the content, the same each time; None if it has problems, which are forgotten."""
        key = (place, name, tier)
        if key not in self._tried:
            before = len(self.problems)
            self._tried[key] = self.piece(path, place, Worn.model_validate({"id": name, "tier": tier}))
            del self.problems[before:]
        return self._tried[key]

    def _piece(self, path: str, at: str, place: str, worn: Worn) -> Document:
        """A piece; empty if it has problems."""
        before = len(self.problems)
        base = self.items.get(worn.id)
        self.note_look_up("items", worn.id, base)
        if base is None and not worn.is_written_out:
            self.problems.append(unknown_name(self.where(at), singular("items"), worn.id, self.items))
            return {}
        self.check_bucket(at, worn, None if worn.is_whole else base, PLACES[place].bucket)
        self.check_body(path, worn)
        given = to_plain(worn)
        values = to_plain_once(base) if base is not None else to_plain(Item(id=worn.id))
        values |= {key: given[key] for key in (*OF_A_PIECE, "name") if key in worn.model_fields_set and key in given}
        values["stats"] = self.capped(path, worn.id, values["stats"])
        if len(self.problems) > before:
            return {}
        name = values.get("name") or titled(worn.id)
        return {"id": worn.id, "name": name, "tier": worn.tier, **{key: values[key] for key in OF_A_PIECE}}

    def named(self, path: str, reference: str) -> Worn | None:
        """A piece written as an id alone; None if there is no such item."""
        bucket, identifier = split_id(reference)
        if identifier not in self.items:
            self.problems.append(unknown_name(self.where(path), singular("items"), identifier, self.items))
            return None
        with self.collecting():
            return validate(Worn, {"id": identifier, **({"bucket": bucket} if bucket else {})}, self.where(path))
        return None

    def check_bucket(self, path: str, worn: Worn, base: Item | None, wanted: str) -> None:
        """Check that a piece belongs to the bucket of its place."""
        bucket = base.bucket if base is not None else worn.bucket or wanted
        key = BUCKETS[bucket]
        one = f"{quoted(worn.id)} is {PLACES[key].one}"
        if base is not None and worn.bucket is not None and worn.bucket != base.bucket:
            self.complain(path, f"{one}, not {PLACES[BUCKETS[worn.bucket]].one}")
        elif bucket != wanted:
            form = f'weapon = "{worn.id}"' if key == "weapon" else f'{key} = ["{worn.id}"]'
            self.complain(path, f"{one}, not {PLACES[BUCKETS[wanted]].one}", f"write {form}")

    def capped(self, path: str, identifier: str, stats: Mapping[str, int]) -> dict[str, int]:
        """Apply the caps to an item's stats: a stat above its cap is a problem, or clamped with a warning."""
        result = dict(stats)
        for name, cap in to_plain(self.caps).items():
            if stats[name] > cap:
                where = f"{path}.stats.{name}" if path else f"stats.{name}"
                message = f"{quoted(identifier)} has {stats[name]:,} {name}, above the cap of {cap:,}"
                if self.cap_mode == "clamp":
                    self.warnings.append(Problem(self.where(where), f"{message}; using {cap:,}"))
                    result[name] = cap
                else:
                    hint = f'at most {cap:,}, or options.stat_cap_mode = "clamp"'
                    self.complain(where, message, hint)
        return result

    def sets(self, path: str, build: Document, given: Sequence[Document]) -> list[Document]:
        """The sets whose bonus applies, by id; given sets replace the content's of the same id."""
        tags = [tag for piece in worn_pieces(build) for tag in piece["tags"]]
        known = self.library.of("sets")
        holding = {identifier for identifier, entry in known.items() if tags.count(entry.tag) >= entry.pieces}
        found = {identifier: _resolved_set(known[identifier]) for identifier in holding}
        found |= {entry["id"]: entry for entry in given if entry["id"] in holding or entry["id"] not in known}
        if len(found) > MAX_SETS:
            self.complain(path, f"{len(found)} sets apply; at most {MAX_SETS} can")
        return [found[identifier] for identifier in sorted(found)]

    def check_health(self, path: str, document: Document) -> None:
        """Check that a fighter has at least 1 full HP with everything it wears."""
        if "stats" not in document:
            return
        base = document["stats"]["health"]
        worn = sum(piece["stats"]["health"] * factor_of(piece["tier"]) for piece in worn_pieces(document))
        full = base + worn + sum(entry["stats"]["health"] for entry in document["sets"])
        if full < 1:
            message = f"has {base:,} health, {full:,} with what it wears; it needs at least 1"
            self.complain(f"{path}.stats.health", message)

    # Conditions.

    def check_body(self, path: str, entry: Body) -> None:
        """Check the conditions of a body, and that the statuses and facts it names exist."""
        self.problems += unknown_statuses(entry, self.statuses, self.where(f"{path}." if path else ""))
        for place, condition in conditions_of(entry):
            self.check_condition(f"{path}.{place}" if path else place, condition)
        for place, fact in counted_in(entry):
            if fact not in self.vocabulary.fact_by_name:
                message = f"{quoted(fact)} cannot be counted: {_why_not(fact)}"
                self.complain(f"{path}.{place}" if path else place, message, self.vocabulary.near_fact(fact))

    def check_stacks(self, path: str, stacks: Mapping[str, int]) -> None:
        """Check that the own statuses a fighter starts with exist."""
        lost = (name for name in stacks if name not in self.statuses)
        self.problems += (unknown_name(self.where(path), singular("statuses"), name, self.statuses) for name in lost)

    def with_statuses(self, document: Document) -> Document:
        """Add the statuses that a document's fighters need; too many are a problem."""
        whole = with_statuses(document, as_resolved(self.statuses))
        message = too_many(whole.get("statuses", {}))
        if message is not None:
            self.complain("statuses", message, "wear fewer pieces that use own statuses")
        return whole

    def check_condition(self, path: str, condition: Any) -> None:
        """Check that a condition is valid."""
        with self.collecting():
            parse(condition, self.vocabulary, where=self.where(path), content=True)

    def check_broken(self, path: str, table: Mapping[Any, Any]) -> None:
        """Check an item that fails its model: conditions, statuses, a missing n, stats above caps."""
        self.problems += unknown_statuses_in_broken(table, self.statuses, self.where(f"{path}."))
        for key in ("triggers", "modifiers"):
            for place, condition in conditions_in(table.get(key), f"{path}.{key}"):
                self.check_condition(place, condition)
        for trigger, number in effects_without_n(table_of(table.get("triggers"))):
            self.complain(f"{path}.triggers.{trigger}.{number}", needs_n(trigger))
        stats = table_of(table.get("stats"))
        whole = {name: value for name, value in stats.items() if type(value) is int}
        self.capped(path, path.rpartition(".")[2], {**to_plain(ItemStats()), **whole})


def _tags_of(library: Library) -> frozenset[str]:
    """The tags of a library's items and sets that conditions can name."""
    return _all_tags(library.of("items").values(), library)


def _all_tags(items: Iterable[Item], library: Library) -> frozenset[str]:
    tags = (tag for item in items for tag in item.tags)
    return frozenset(countable((*tags, *(entry.tag for entry in library.of("sets").values()))))


def conditions_of(entry: Body) -> Iterator[tuple[str, Any]]:
    """The conditions of a body, with their paths in it."""
    yield from ((f"{path}.if", part.if_) for path, part in parts_of(entry) if part.if_ is not None)


def counted_in(entry: Body) -> Iterator[tuple[str, str]]:
    """The facts that a body's amounts are counted from, with their paths in it."""
    for path, part in parts_of(entry):
        if not isinstance(part, Effect) and isinstance(part.amount, AmountOf):
            yield f"{path}.amount.of", part.amount.of


def _why_not(fact: str) -> str:
    return "nothing has this tag" if fact.startswith("tags.") else "there is no such status"


def tags_worn(fighters: Iterable[Fighter | BuildFile]) -> Iterator[str]:
    """The tags that fighters' pieces set themselves."""
    for fighter in fighters:
        for piece in worn_pieces(fighter):
            yield from (piece.tags or ()) if isinstance(piece, Worn) else ()


def conditions_in(value: Any, path: str, levels: int = DEEPEST_CONDITION) -> Iterator[tuple[str, Any]]:
    """The conditions in a possibly invalid value, with their paths."""
    if isinstance(value, dict):
        if "if" in value:
            yield f"{path}.if", value["if"]
        inner = [(entry, f"{path}.{key}") for key, entry in value.items() if key != "if"]
    else:
        is_op = isinstance(value, list) and bool(value) and isinstance(value[0], str)
        inner = [(entry, path if is_op else f"{path}.{index}") for index, entry in enumerate(list_of(value))]
    for entry, at in inner if levels else ():
        yield from conditions_in(entry, at, levels - 1)


def effects_without_n(triggers: Mapping[Any, Any]) -> Iterator[tuple[str, int]]:
    """Where an n is missing in triggers that fail validation for another reason."""
    try:
        validate(Body, {"triggers": triggers}, "")
    except InputError as error:
        if any(problem.where.endswith("triggers") for problem in error.problems):
            return
    for name, entries in triggers.items():
        if name in TRIGGERS and TRIGGERS[name].takes_n:
            for index, entry in enumerate([entries] if isinstance(entries, dict) else list_of(entries)):
                if isinstance(entry, list | dict) and table_of(entry).get("n") is None:
                    yield name, index


def body(entry: Body) -> Document:
    """The triggers, flags and modifiers of a body, as plain values."""
    values = to_plain(entry)
    return {key: values[key] for key in OF_A_BODY}


def factor_of(tier: str) -> int:
    """The multiplier of a tier."""
    return TIER_FACTORS[TIERS.index(tier)]


def by_slot(pieces: Sequence[str | Worn]) -> list[int]:
    """The indices of items in slot order; items without a slot take the lowest free ones."""
    written = {place: piece.slot for place, piece in enumerate(pieces) if isinstance(piece, Worn) and piece.slot}
    free = iter(slot for slot in range(1, len(pieces) + len(written) + 2) if slot not in written.values())
    slots = {place: written.get(place) or next(free) for place in range(len(pieces))}
    return sorted(slots, key=lambda place: slots[place])


def _resolved_set(entry: Any) -> Document:
    values = to_plain(entry)
    stats = values.get("stats") or to_plain(ItemStats())
    return {"id": entry.id, "name": entry.name or titled(entry.id), "stats": stats, **body(entry)}
