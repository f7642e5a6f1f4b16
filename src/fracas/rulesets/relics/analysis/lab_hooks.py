"""The analysis hooks of relics: match-ups, builds, stats, search space, contributions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from fracas.content.model_limits import bounds
from fracas.content.references import numbered
from fracas.content.validate import validate
from fracas.errors import InputError
from fracas.rulesets.contract.analysis import (
    ALL_STATUSES,
    AnalysisHooks,
    Contribution,
    DecisionPoint,
    Dimension,
    SideRef,
    Stat,
    StatusChange,
    Statuses,
    Vitals,
)
from fracas.rulesets.contract.types import Compiled, Document, Rows
from fracas.rulesets.relics.analysis.condition_dry_run import explain, explained_units
from fracas.rulesets.relics.analysis.decision_points import decision_points
from fracas.rulesets.relics.analysis.hit_calculator import hits
from fracas.rulesets.relics.analysis.scenario_generator import random_scenario
from fracas.rulesets.relics.analysis.search_space import BUILD, content_resolver, dimensions_of, least_health
from fracas.rulesets.relics.content.fighter_resolver import Resolver
from fracas.rulesets.relics.content.models.fighters import Fighter
from fracas.rulesets.relics.content.models.items import FighterState, FighterStats
from fracas.rulesets.relics.content.own_statuses import as_resolved, own_of, with_statuses
from fracas.rulesets.relics.content.places import PLACES, SIDES
from fracas.rulesets.relics.rules import constants as codes
from fracas.rulesets.relics.rules import events as kinds
from fracas.rulesets.shared.event_totals import ACTOR, KIND, TARGET, A, B, C, D, EventTotals, last_index_by_key, take_or

STATS = ("health", "attack", "armor", "speed")
STATE = ("hp", "hp_max", "atk", "armor", "speed")
CAPS = ("stat_caps", "stat_cap_mode")
# Rules with totals of their own; other rules count for the fighter.
RULES = {codes.BY_THORNS: "thorns", codes.BY_REGEN: "regen"}
ITSELF = "itself"


class LabHooks(AnalysisHooks):
    """Answers the lab's questions for relics.

    Any fighter can meet any other, including enemies and bosses; the second becomes the right one. The options are the
    first one's: an item of the second above their caps is refused or clamped. If both declare a status of the same id,
    the first one's applies.
    """

    parts = (BUILD,)
    explain = staticmethod(explain)
    explained_units = staticmethod(explained_units)
    hits = staticmethod(hits)
    random_scenario = staticmethod(random_scenario)

    def __init__(self, ruleset: str) -> None:
        super().__init__(ruleset)
        self._resolvers: dict[tuple[str, tuple[Path, ...]], Resolver] = {}

    def matchup(self, first: SideRef, second: SideRef) -> Document:
        self.check_side_refs(first, second)
        host, guest = _fighter(first), _fighter(second)
        guest = {**guest, "name": numbered(guest["name"], [host["name"]])}
        document = with_statuses({**first.document, "left": host, "right": guest}, second.document.get("statuses", {}))
        theirs = second.document["options"]
        if all(document["options"][cap] == theirs[cap] for cap in CAPS):
            return document
        return _resolved(document, "right")

    def part(self, side_ref: SideRef, part: str) -> Any:
        """A fighter's build and its set bonuses."""
        self.check_side_refs(side_ref)
        self.check_part(part)
        fighter = _fighter(side_ref)
        return {key: fighter[key] for key in (*PLACES, "sets") if key in fighter}

    def with_part(self, side_ref: SideRef, part: str, value: Any) -> Document:
        """See the contract. The value may also be a build in file form; stats, state and trait stay."""
        self.check_side_refs(side_ref)
        self.check_part(part)
        if not isinstance(value, Mapping) or not any(key in value for key in PLACES):
            raise InputError.of(part, "is not a build: write a table of weapon, upgrades, items and food")
        own = {key: entry for key, entry in _fighter(side_ref).items() if key not in (*PLACES, "sets")}
        worn = {key: value[key] for key in (*PLACES, "sets") if value.get(key) is not None}
        side = SIDES[side_ref.side - 1]
        return _resolved({**side_ref.document, side: {**own, **worn}}, side)

    def stats(self, side_ref: SideRef) -> Sequence[Stat]:
        """The fighter's own stats, or its state, without those of its pieces."""
        self.check_side_refs(side_ref)
        fighter, side = _fighter(side_ref), SIDES[side_ref.side - 1]
        if "state" in fighter:
            return [self._of_state(side, fighter, name) for name in STATE]
        found = []
        for name in STATS:
            least, most = bounds(FighterStats, name)
            if name == "health":
                least = max(least, least_health(fighter))
            found.append(Stat((side, "stats", name), name, fighter["name"], fighter["stats"][name], least, most))
        return found

    def _of_state(self, side: str, fighter: Document, name: str) -> Stat:
        """A number of a state; HP cannot exceed the maximum."""
        state = fighter["state"]
        least, most = bounds(FighterState, name)
        least = state["hp"] if name == "hp_max" else least
        most = state["hp_max"] if name == "hp" else most
        return Stat((side, "state", name), name, fighter["name"], state[name], least, most)

    def search_space(self, side_ref: SideRef, folders: Sequence[Path] = ()) -> Sequence[Dimension]:
        self.check_side_refs(side_ref)
        return list(dimensions_of(side_ref, self._resolver(side_ref.document, folders)))

    def with_choices(
        self, document: Document, choices: Iterable[tuple[Dimension, int]], folders: Sequence[Path] = ()
    ) -> Document:
        """See the contract. Set bonuses follow the pieces worn afterwards."""
        known = list(choices)
        changed = super().with_choices(document, known, folders)
        for side in dict.fromkeys(dimension.path[0] for dimension, _ in known):
            if changed[side] != document[side]:
                sets = self._resolver(document, folders).sets(side, changed[side], document[side]["sets"])
                changed[side] = {**changed[side], "sets": sets[: codes.MAX_SETS]}
        return with_statuses(changed, as_resolved(self._resolver(document, folders).statuses))

    def _resolver(self, document: Document, folders: Sequence[Path]) -> Resolver:
        """A cached resolver for content pieces under a document's caps."""
        key = (repr([document["options"][cap] for cap in CAPS]), tuple(folders))
        if key not in self._resolvers:
            self._resolvers[key] = content_resolver(document, folders)
        return self._resolvers[key]

    def vitals(self, compiled: Compiled, document: Document) -> Vitals:
        """The two fighters."""
        hp_events = (kinds.Fighter, kinds.Damage, kinds.Heal, kinds.Fall, kinds.PhaseBegins)
        return Vitals({0: 1, 1: 2}, hp_events, statuses=statuses_of(compiled.books["quantity"]))

    def contributions(self, rows: Rows, compiled: Compiled, document: Document) -> Sequence[Contribution]:
        """Contributions by piece, strikes by weapon; `itself` is the fighter, `thorns` and `regen` are the statuses.

        `runs` is how often its effects ran, `damage` the HP and `stopped` the ARMOR that it took from the enemy,
        `healing` the HP and `armor` the ARMOR that it gave its owner, `falls` how often it felled the enemy. Poison,
        acid, riptide, fatigue and what a fighter does to itself count for no piece.
        """
        sources = list(compiled.books["source"])
        kinds = np.asarray(compiled.record[0].piece_kinds)
        tally = _tally(rows, _owners(kinds), len(sources))
        units = [(side, side + 1, document[name]["name"]) for side, name in enumerate(SIDES)]
        names = [_called(number, name) for number, name in enumerate(sources)]
        worn = np.flatnonzero(kinds != codes.NOBODY).tolist()
        owned = [(number // codes.PIECES, number) for number in worn if number % codes.PIECES]
        return list(tally.contributions(units, names, owned))

    def decision_points(self, compiled: Compiled, document: Document, stream: int) -> Sequence[DecisionPoint]:
        return list(decision_points(compiled, stream))


def _fighter(side_ref: SideRef) -> Document:
    fighter: Document = side_ref.document[SIDES[side_ref.side - 1]]
    return fighter


def _resolved(document: Document, side: str) -> Document:
    """Resolve one fighter of a document again, so that its pieces fit the options and its sets are right.

    Raises:
        InputError: every problem found.
    """
    where = f"{document['id']} with another side"
    resolver = content_resolver(document, (), where, own_of(document))
    fighter = resolver.fighter(side, validate(Fighter, document[side], f"{where}: {side}"), side.title())
    resolver.raise_problems()
    return with_statuses({**document, side: fighter}, as_resolved(resolver.statuses))


def _called(number: int, name: str) -> str:
    return ITSELF if number in (0, codes.PIECES) else RULES.get(number, name)


# Events.


def statuses_of(quantities: Sequence[str]) -> Statuses:
    """The statuses of a battle with these quantities, its own statuses included."""

    def changes(row: Sequence[int]) -> Iterator[StatusChange]:
        if row[KIND] == kinds.PhaseBegins.KIND:
            yield StatusChange(row[TARGET], ALL_STATUSES, 0)
        elif row[A] >= codes.FREEZE:
            is_start = row[KIND] == kinds.Has.KIND
            unit, stacks = (row[ACTOR], row[B]) if is_start else (row[TARGET], row[C])
            yield StatusChange(unit, quantities[row[A]], max(0, stacks))

    names = (*codes.STATUSES, *quantities[codes.FIRST_OWN_STATUS :])
    return Statuses(names, (kinds.Has, kinds.Change, kinds.PhaseBegins), changes)


def _owners(kinds: Rows) -> Rows:
    """The piece that each source counts for, by side: strikes for the weapon, most rules for the fighter."""
    sources = codes.PIECE_SLOTS + len(codes.RULE_SOURCES)
    owners = np.tile(np.arange(sources), (codes.SIDES, 1))
    for side in range(codes.SIDES):
        itself = side * codes.PIECES
        others = [number for number in range(codes.PIECE_SLOTS, sources) if number not in RULES]
        owners[side, others] = itself
        weapon = itself + codes.WEAPON_PIECE
        owners[side, codes.BY_STRIKE] = weapon if kinds[weapon] != codes.NOBODY else itself
    return owners


def _tally(rows: Rows, owners: Rows, sources: int) -> EventTotals:
    """Totals from event rows, by fighter and piece."""
    tally = EventTotals(codes.SIDES, sources)
    kind, actor, target = rows[:, KIND], rows[:, ACTOR], rows[:, TARGET]
    actor_or_left = np.maximum(actor, 0)

    def owner(column: int, where: Rows) -> Rows:
        """The piece behind a source, in rows that have one."""
        return owners[actor_or_left, np.where(where, rows[:, column], 0)]

    ran, struck = kind == kinds.Trigger.KIND, kind == kinds.Damage.KIND
    healed, changed = kind == kinds.Heal.KIND, kind == kinds.Change.KIND
    against = struck & (actor != target)
    tally.add("runs", ran, actor, owner(B, ran))
    tally.add("damage", against, actor, owner(A, struck), rows[:, C])
    tally.add("stopped", against, actor, owner(A, struck), rows[:, B])
    tally.add("healing", healed & (actor == target), actor, owner(A, healed), rows[:, B])
    gained = changed & (actor == target) & (rows[:, A] == codes.ARMOR) & (rows[:, B] > 0)
    tally.add("armor", gained, actor, owner(D, changed), rows[:, B])
    lost = changed & (rows[:, A] == codes.HP) & (rows[:, B] < 0)
    blow = last_index_by_key(struck & (rows[:, C] > 0) | lost, target)
    culprit = take_or(blow, actor)
    fell = (kind == kinds.Fall.KIND) & (culprit != target)
    tally.add("falls", fell, culprit, take_or(blow, np.where(struck, owner(A, struck), owner(D, changed))))
    return tally
