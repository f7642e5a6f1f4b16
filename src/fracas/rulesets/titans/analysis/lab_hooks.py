"""The analysis hooks of titans: match-ups, policies, titans, stats, search space, contributions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import model_validator

from fracas.content.document_edits import bring_along, check_known, free_name
from fracas.content.field_types import Id
from fracas.content.model_limits import bounds
from fracas.content.packs import Library
from fracas.content.references import to_plain
from fracas.content.validate import Model, validate
from fracas.errors import InputError
from fracas.rulesets.contract.analysis import (
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
from fracas.rulesets.contract.types import Compiled, Document, Rows, Source, Swap
from fracas.rulesets.shared import event_totals as totals
from fracas.rulesets.shared.event_totals import ACTOR, KIND, TARGET, A, B, C, D
from fracas.rulesets.titans.analysis.condition_dry_run import explain, explained_units
from fracas.rulesets.titans.analysis.decision_points import decision_points
from fracas.rulesets.titans.analysis.hit_calculator import hits
from fracas.rulesets.titans.analysis.scenario_generator import random_scenario
from fracas.rulesets.titans.analysis.search_space import POLICY, dimensions_of
from fracas.rulesets.titans.content.ability_models import Ability, PolicyEntry, TitanEntry
from fracas.rulesets.titans.content.library import library_for
from fracas.rulesets.titans.content.models import Player, ResolvedOptions, Scenario
from fracas.rulesets.titans.content.resolver import BASIC, Resolver, used_abilities
from fracas.rulesets.titans.rules import constants as codes
from fracas.rulesets.titans.rules import events as kinds

TITAN = "titan"
STATS = ("hp", *codes.STATS)
# Actions by number: attack, defend, rest, then the duel's abilities.
FIRST_ABILITY = codes.FIRST_ABILITY


class BroughtTitan(Model):
    """The part `titan`: a titan and its abilities."""

    titan: TitanEntry
    abilities: dict[Id, Ability]

    @model_validator(mode="after")
    def _has_its_abilities(self) -> BroughtTitan:
        check_known(self.titan.abilities, self.abilities, "ability")
        return self


class BroughtPolicy(Model):
    """The part `policy`: a policy and the abilities of the titan that used it."""

    policy: PolicyEntry
    abilities: dict[Id, Ability]


class LabHooks(AnalysisHooks):
    """Answers the lab's questions for titans.

    Any player can meet any other, with titan and policy; the options are the first one's. An ability of the second that
    is another one under the same id gets an id of its own, also in the policy. A solved table may meet anybody, though
    it was made against one opponent.
    """

    parts = (POLICY, TITAN)
    explain = staticmethod(explain)
    explained_units = staticmethod(explained_units)
    hits = staticmethod(hits)
    random_scenario = staticmethod(random_scenario)

    def matchup(self, first: SideRef, second: SideRef) -> Document:
        self.check_side_refs(first, second)
        host, guest = _player(first), _player(second)
        there = _abilities_of(first.document, host)
        guest, brought = _moved(guest, second.document["abilities"], there)
        guest = {**guest, "name": free_name(guest["name"], [host["name"]])}
        return _with_players(first.document, [host, guest], brought)

    def part(self, side_ref: SideRef, part: str) -> Any:
        """A player's policy or titan, with the titan's abilities."""
        self.check_side_refs(side_ref)
        self.check_part(part)
        player = _player(side_ref)
        return {part: player[part], "abilities": _abilities_of(side_ref.document, player)}

    def with_part(self, side_ref: SideRef, part: str, value: Any) -> Document:
        """See the contract. A policy may also be in file form.

        Rules about abilities that the titan lacks are left out; other policies that need them are refused.
        """
        self.check_side_refs(side_ref)
        self.check_part(part)
        player, other = _player(side_ref), _player(SideRef(side_ref.document, 3 - side_ref.side))
        brought: Mapping[str, Document] = {}
        strange = list(player["titan"]["abilities"])
        if part == TITAN:
            validate(BroughtTitan, value, part)
            moved, brought = _moved(
                {"titan": value["titan"], "policy": {"choices": []}},
                value["abilities"],
                _abilities_of(side_ref.document, other),
            )
            player = {**player, "titan": moved["titan"]}
        elif isinstance(value, dict) and POLICY in value:
            strange = list(validate(BroughtPolicy, value, part).abilities)
            player = {**player, "policy": value["policy"]}
        else:
            player = {**player, "policy": value}
        player = {**player, "policy": _followed(player["policy"], player["titan"], strange)}
        return _with_players(side_ref.document, [player, other] if side_ref.side == 1 else [other, player], brought)

    def stats(self, side_ref: SideRef) -> Sequence[Stat]:
        self.check_side_refs(side_ref)
        titan = _player(side_ref)["titan"]
        path = ("players", str(side_ref.side - 1), "titan")
        return [Stat((*path, name), name, titan["name"], titan[name], *bounds(TitanEntry, name)) for name in STATS]

    def search_space(self, side_ref: SideRef, folders: Sequence[Path] = ()) -> Sequence[Dimension]:
        self.check_side_refs(side_ref)
        return list(dimensions_of(side_ref, folders))

    def vitals(self, compiled: Compiled, document: Document) -> Vitals:
        """The two titans."""
        return Vitals({0: 1, 1: 2}, (kinds.Titan, kinds.Damage, kinds.Heal), statuses=STATUSES)

    def contributions(self, rows: Rows, compiled: Compiled, document: Document) -> Sequence[Contribution]:
        """Contributions by action, including `attack` and `rest`; in HP, except `uses`, `charge` and `falls`.

        `damage` and `healing` are HP really lost and regained; `stopped` is what the opponent's shield took of blows,
        `absorbed` what the own shield took, each blow rounded to a whole number; `charge` what one's own charge grew.
        """
        names = [*codes.ACTIONS[:FIRST_ABILITY], *compiled.books["ability_name"]]
        tally = _tally(rows, len(names))
        numbers = {name: FIRST_ABILITY + number for number, name in enumerate(compiled.books["ability"])}
        titans = [player["titan"] for player in document["players"]]
        units = [(index, index + 1, titan["name"]) for index, titan in enumerate(titans)]
        owned = [
            (index, number)
            for index, titan in enumerate(titans)
            for number in (*range(FIRST_ABILITY), *(numbers[name] for name in titan["abilities"]))
        ]
        return list(tally.contributions(units, names, owned))

    # Players.

    def decision_points(self, compiled: Compiled, document: Document, stream: int) -> Sequence[DecisionPoint]:
        return list(decision_points(compiled, stream))


def _player(side_ref: SideRef) -> Document:
    player: Document = side_ref.document["players"][side_ref.side - 1]
    return player


def _abilities_of(document: Document, player: Document) -> dict[str, Document]:
    """The abilities of a player's titan."""
    return {name: document["abilities"][name] for name in player["titan"]["abilities"]}


def _moved(
    player: Document, abilities: Mapping[str, Document], there: Mapping[str, Document]
) -> tuple[Document, dict[str, Document]]:
    """A player moved beside other abilities, and its own abilities under their ids there."""
    owned = player["titan"]["abilities"]
    names, brought = bring_along(abilities, there, owned)
    titan = {**player["titan"], "abilities": [names[name] for name in owned]}
    return {**player, "titan": titan, "policy": _renamed(player["policy"], names)}, brought


def _renamed(policy: Any, names: Mapping[str, str]) -> Any:
    """A policy with abilities renamed."""
    match policy:
        case {"rules": rules}:
            return {"rules": [{**rule, "do": names.get(rule["do"], rule["do"])} for rule in rules]}
        case {"choices": choices}:
            return {"choices": [names.get(choice, choice) for choice in choices]}
        case {"solved": table}:
            return {"solved": {**table, "choices": [names.get(choice, choice) for choice in table["choices"]]}}
    return policy


def _followed(policy: Any, titan: Document, strange: Sequence[str]) -> Any:
    """A policy without rules about another titan's abilities; if no rule is left, it attacks."""
    rules = policy.get("rules") if isinstance(policy, dict) else policy
    if not isinstance(rules, list) or not all(isinstance(rule, dict) for rule in rules):
        return policy
    lost = [name for name in strange if name not in titan["abilities"]]
    return {"rules": [rule for rule in rules if rule.get("do") not in lost] or [{"do": BASIC[0]}]}


def _with_players(document: Document, players: list[Document], brought: Mapping[str, Document]) -> Document:
    """A document with other players, with their policies checked again: not every policy fits every titan.

    Raises:
        InputError: what is wrong with them.
    """
    known = {**document["abilities"], **brought}
    abilities = {name: known[name] for name in used_abilities(players)}
    own = {name: validate(Ability, ability, f"abilities.{name}") for name, ability in abilities.items()}
    where = Source(f"{document['id']} with another side")
    resolver = Resolver(Scenario.model_construct(abilities=own), where, library_for(None, ()))
    resolver.options = validate(ResolvedOptions, document["options"], "options")
    settled = []
    for index, player in enumerate(players):
        entry = validate(Player, player, f"{where.where}: players.{index}")
        assert isinstance(entry.titan, TitanEntry)
        policy: Any = player["policy"]
        with resolver.collecting():
            policy = resolver.policy(f"players.{index}.policy", entry, entry.titan)
        settled.append({**player, "policy": policy})
    resolver.raise_problems()
    met = {**document, "players": settled, "abilities": abilities}
    resolver.solve(met)
    return met


# Events.


RAISED, LOWERED = "raised", "lowered"


def _status_changes(row: Sequence[int]) -> Iterator[StatusChange]:
    stat, total = codes.STATS[row[A]], row[D]
    yield StatusChange(row[TARGET], f"{stat}_{RAISED}", int(total > 0))
    yield StatusChange(row[TARGET], f"{stat}_{LOWERED}", int(total < 0))


STATUSES = Statuses(
    tuple(f"{stat}_{way}" for stat in codes.STATS for way in (RAISED, LOWERED)),
    (kinds.Change, kinds.Expire),
    _status_changes,
)


def _tally(rows: Rows, actions: int) -> totals.EventTotals:
    """Totals from event rows, by player and action."""
    tally = totals.EventTotals(codes.PLAYERS, actions)
    kind, actor, target = rows[:, KIND], rows[:, ACTOR], rows[:, TARGET]
    acted, struck, healed = kind == kinds.Act.KIND, kind == kinds.Damage.KIND, kind == kinds.Heal.KIND
    done = np.where(rows[:, A] < FIRST_ABILITY, rows[:, A], FIRST_ABILITY + rows[:, B])
    at_work = totals.take_or(totals.latest(acted), done)
    tally.add("uses", acted, actor, at_work)
    tally.add("damage", struck, actor, at_work, rows[:, C] - rows[:, D])
    absorbed = np.zeros(len(rows), np.int64)
    absorbed[struck] = np.floor(_doubles(rows[struck]) + 0.5)
    tally.add("stopped", struck, actor, at_work, absorbed)
    tally.add("healing", healed, actor, at_work, rows[:, D] - rows[:, C])
    shield = totals.last_index_by_key(kind == kinds.Shield.KIND, np.where(struck, target, actor))
    tally.add("absorbed", struck & (absorbed > 0), target, totals.take_or(shield, at_work), absorbed)
    charged = (kind == kinds.Charge.KIND) & (actor == target)
    tally.add("charge", charged, target, at_work, rows[:, B] - rows[:, A])
    tally.add("falls", kind == kinds.Fall.KIND, actor, at_work)
    return tally


def _doubles(rows: Rows) -> Rows:
    """The doubles in the columns a and b, low half first."""
    pairs = np.ascontiguousarray(rows[:, [A, B]].astype("<i4"))
    return pairs.view("<f8")[:, 0]


def titan_swaps(lab: AnalysisHooks, side_ref: SideRef, library: Library) -> list[Swap]:
    """Every titan of a library in place of a player's own, if the player's policy fits it."""
    present = _player(side_ref)["titan"]
    found = []
    for identifier, entry in sorted(library.of("titans").items()):
        titan = to_plain(entry, without=("id", "archetype"))
        if titan == present:
            continue
        abilities = {name: to_plain(library.of("abilities")[name]) for name in titan["abilities"]}
        # A solved table for one titan does not fit another.
        with suppress(InputError):
            changed = lab.with_part(side_ref, TITAN, {"titan": titan, "abilities": abilities})
            found.append(Swap(f"players.{side_ref.side - 1}.titan", present["name"], identifier, changed))
    return found
