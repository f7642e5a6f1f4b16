"""What every ruleset answers to the lab: meetings, parts, stats, knobs, contributions."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fracas import Battle, load, run
from fracas.content.document_edits import get_path, with_value
from fracas.errors import InputError
from fracas.kernel.event_protocol import Event
from fracas.rulesets import registry
from fracas.rulesets.contract.analysis import AnalysisHooks, Contribution, Dimension, SideRef
from fracas.rulesets.contract.ruleset import Ruleset
from fracas.rulesets.contract.types import Document, Source
from fracas.rulesets.stacks.rules.events import Ready

ROOT = Path(__file__).parents[2]
RULESETS = pytest.mark.parametrize("name", registry.NAMES)
SEEDS = range(4)
SIDES = (1, 2)
# Of each knob so many values are tried, and so many combinations of all knobs of a side.
VALUES = 3
COMBINATIONS = 2


def ruleset_of(name: str) -> Ruleset:
    return registry.get(name)


@cache
def resolved(name: str, seed: int) -> Document:
    return load(ruleset_of(name).random_scenario(seed)).document


@cache
def benchmark(name: str) -> Document:
    return load(ROOT / "examples" / name / f"{ruleset_of(name).benchmarks[0]}.toml").document


def documents(name: str, seeds: Sequence[int] = SEEDS) -> list[Document]:
    return [benchmark(name), *(resolved(name, seed) for seed in seeds)]


def side_refs(name: str, seeds: Sequence[int] = SEEDS) -> Iterator[SideRef]:
    yield from (SideRef(document, side) for document in documents(name, seeds) for side in SIDES)


@cache
def battles(name: str) -> list[Battle]:
    return [run(document) for document in documents(name, range(6))]


def is_settled(name: str, document: Document) -> bool:
    """Whether a document compiles, and resolving it changes nothing."""
    ruleset = ruleset_of(name)
    ruleset.compile(document, {})
    return ruleset.resolve(document, Source("here")).document == document


# Meetings.


@RULESETS
def test_the_first_sides_of_any_two_battles_meet(name: str) -> None:
    ruleset, known = ruleset_of(name), documents(name)
    for first, second in zip(known, [*known[1:], known[0]], strict=True):
        met = ruleset.analysis.matchup(SideRef(first, 1), SideRef(second, 1))
        assert is_settled(name, met)
        assert {key: met[key] for key in ("seed", "profile", "options")} == {
            key: first[key] for key in ("seed", "profile", "options")
        }


@RULESETS
def test_a_side_meets_itself_and_goes_by_another_name_then(name: str) -> None:
    ruleset = ruleset_of(name)
    for document in documents(name):
        met = ruleset.analysis.matchup(SideRef(document, 1), SideRef(document, 1))
        assert is_settled(name, met)
        first, second = ruleset.side_names(met)
        assert first != second


@RULESETS
def test_the_sides_of_one_battle_meet_as_they_are(name: str) -> None:
    for document in documents(name):
        assert ruleset_of(name).analysis.matchup(SideRef(document, 1), SideRef(document, 2)) == document


@RULESETS
def test_whoever_cannot_meet_is_told_why(name: str) -> None:
    """Every other pair of side_refs meets, or is refused in a sentence that names what would be right."""
    ruleset, met = ruleset_of(name), 0
    pairs = list(product(side_refs(name, SEEDS[:3]), repeat=2))
    for first, second in random.Random(1).sample(pairs, 12):
        try:
            assert is_settled(name, ruleset.analysis.matchup(first, second))
            met += 1
        except InputError as error:
            (problem,) = error.problems
            assert problem.suggestion
    assert met >= 4


@RULESETS
def test_seats_are_sides_of_the_rulesets_own_battles(name: str) -> None:
    lab, document = ruleset_of(name).analysis, benchmark(name)
    stranger = benchmark(next(other for other in registry.NAMES if other != name))
    ask: list[Callable[[SideRef], Any]] = [
        lambda side_ref: lab.matchup(side_ref, SideRef(document, 1)),
        lambda side_ref: lab.matchup(SideRef(document, 1), side_ref),
        lambda side_ref: lab.part(side_ref, lab.parts[0]),
        lambda side_ref: lab.with_part(side_ref, lab.parts[0], {}),
        lab.stats,
        lab.search_space,
    ]
    for question in ask:
        with pytest.raises(InputError, match=f"not of {name}"):
            question(SideRef(stranger, 1))
        with pytest.raises(InputError, match="3 is neither 1 nor 2"):
            question(SideRef(document, 3))


# Parts.


@RULESETS
def test_a_side_keeps_itself_with_its_own_parts(name: str) -> None:
    lab = ruleset_of(name).analysis
    assert lab.parts
    for document in documents(name):
        for part in lab.parts:
            assert lab.with_part(SideRef(document, 1), part, lab.part(SideRef(document, 1), part)) == document


@RULESETS
def test_parts_of_others_fit_or_are_refused(name: str) -> None:
    lab, fitting = ruleset_of(name).analysis, Counter[str]()
    for first, second, part in product(documents(name, SEEDS[:2]), documents(name, SEEDS[2:]), lab.parts):
        with suppress(InputError):
            changed = lab.with_part(SideRef(first, 1), part, lab.part(SideRef(second, 1), part))
            fitting[part] += 1 if is_settled(name, changed) else -1000
    assert all(fitting[part] > 0 for part in lab.parts)


@RULESETS
def test_an_unknown_part_is_refused_with_those_that_there_are(name: str) -> None:
    lab, side_ref = ruleset_of(name).analysis, SideRef(benchmark(name), 1)
    for ask in (lambda: lab.part(side_ref, "hat"), lambda: lab.with_part(side_ref, "hat", {})):
        with pytest.raises(InputError, match=lab.parts[0]):
            ask()


@RULESETS
def test_what_is_no_part_is_refused(name: str) -> None:
    lab, side_ref = ruleset_of(name).analysis, SideRef(benchmark(name), 1)
    for part, value in product(lab.parts, (7, ["x"], {"x": 1})):
        with pytest.raises(InputError):
            lab.with_part(side_ref, part, value)


# Stats.


@RULESETS
def test_stats_are_numbers_of_the_document_within_what_the_models_accept(name: str) -> None:
    ruleset = ruleset_of(name)
    for side_ref in side_refs(name):
        found = ruleset.analysis.stats(side_ref)
        assert len({stat.path for stat in found}) == len(found)
        for stat in found:
            assert get_path(side_ref.document, stat.path) == stat.value
            assert stat.least <= stat.value <= stat.most
            assert stat.name
            assert stat.owner
    assert ruleset.analysis.stats(SideRef(benchmark(name), 1))


@RULESETS
def test_stats_can_be_set_to_both_of_their_ends_and_to_nothing_beyond(name: str) -> None:
    ruleset = ruleset_of(name)
    for document in documents(name, SEEDS[:2]):
        found = ruleset.analysis.stats(SideRef(document, 1))
        for stat in random.Random(2).sample(list(found), min(12, len(found))):
            for value in (stat.least, stat.most):
                ruleset.compile(with_value(document, stat.path, value), {})
            with pytest.raises(InputError):
                ruleset.compile(with_value(document, stat.path, stat.most + 1), {})


# Knobs.


def tried(knob: Dimension, dice: random.Random) -> list[int]:
    """Some values of a knob, the last always among them."""
    places = range(len(knob.values))
    return sorted({*dice.sample(places, min(VALUES, len(places))), len(places) - 1})


@RULESETS
def test_knobs_are_at_their_present_values(name: str) -> None:
    lab = ruleset_of(name).analysis
    for side_ref in side_refs(name, SEEDS[:4]):
        knobs = lab.search_space(side_ref)
        assert len({knob.path for knob in knobs}) == len(knobs)
        for knob in knobs:
            assert knob.part in lab.parts
            assert len(knob.values) == len(knob.labels) > 1
            assert len(set(map(repr, knob.values))) == len(knob.values), knob.name
            assert not knob.requires or len(knob.requires) == len(knob.values)
            assert get_path(side_ref.document, knob.path) == knob.values[knob.current]
            assert lab.with_choices(side_ref.document, [(knob, knob.current)]) == side_ref.document
    assert lab.search_space(SideRef(benchmark(name), 1))


@RULESETS
def test_every_value_of_a_knob_gives_a_battle(name: str) -> None:
    ruleset, dice = ruleset_of(name), random.Random(3)
    lab = ruleset.analysis
    for document in documents(name, SEEDS[:1]):
        for knob in lab.search_space(SideRef(document, 1)):
            for number in tried(knob, dice):
                changed = lab.with_choices(document, [(knob, number)])
                assert get_path(changed, knob.path) == knob.values[number]
                ruleset.compile(changed, {}, strict=name != "squads")


@RULESETS
def test_knobs_can_be_turned_together(name: str) -> None:
    ruleset, dice = ruleset_of(name), random.Random(4)
    lab = ruleset.analysis
    for side_ref in side_refs(name, SEEDS[:2]):
        knobs = lab.search_space(side_ref)
        for _ in range(COMBINATIONS):
            choices = [(knob, dice.randrange(len(knob.values))) for knob in knobs]
            changed = lab.with_choices(side_ref.document, choices)
            ruleset.compile(changed, {})
            assert is_settled(name, ruleset.resolve(changed, Source("here")).document)


# Contributions.


def squads_damage(event: Any) -> Iterator[tuple[str, int]]:
    if event.NAME in ("hit", "suffer"):
        yield event.actor, event.lost


def titans_damage(event: Any) -> Iterator[tuple[str, int]]:
    if event.NAME == "damage":
        yield event.actor, event.before - event.hp


def relics_damage(event: Any) -> Iterator[tuple[str, int]]:
    if event.NAME == "damage" and event.actor not in (None, event.target):
        yield event.actor, event.lost


def delve_damage(event: Any) -> Iterator[tuple[str, int]]:
    if event.NAME == "hit":
        yield event.actor, event.lost
    if event.NAME == "condition_tick" and event.condition != "regenerating":
        yield event.actor, event.amount


def stacks_damage(events: Sequence[Any]) -> Iterator[tuple[str, int]]:
    health: dict[str, int] = {}
    sides: dict[str, int] = {}
    for event in events:
        if event.NAME == "ready":
            health[event.actor], sides[event.actor] = event.health, event.side
        if event.NAME == "health":
            health[event.target] = event.health
        if event.NAME == "move":
            whom = event.target or event.actor
            if event.target is not None and sides[event.actor] != sides[whom]:
                yield event.actor, max(0, health[whom] - event.health)
            health[whom] = event.health


def counted(name: str, events: Sequence[Event]) -> Counter[str]:
    """The damage of everybody, by names in events, one event after the other."""
    each = {"squads": squads_damage, "titans": titans_damage, "relics": relics_damage, "delve": delve_damage}
    pairs = (pair for event in events for pair in each[name](event)) if name in each else stacks_damage(events)
    sums: Counter[str] = Counter()
    for who, amount in pairs:
        sums[who] += amount
    return +sums


def people(name: str, battle: Battle) -> dict[str, tuple[int, str]]:
    """Side and name of everybody, by names in events."""
    books, document = battle.scenario.compiled.books, battle.scenario.document
    if name == "titans":
        return {each["name"]: (side, each["titan"]["name"]) for side, each in enumerate(document["players"], 1)}
    if name == "relics":
        return {document[key]["name"]: (side, document[key]["name"]) for side, key in enumerate(("left", "right"), 1)}
    named = {unit: title for unit, title in zip(books["unit"], books["title"], strict=True) if unit is not None}
    if name == "stacks":
        stacks = dict(zip(books["stack"], books["stack_title"], strict=True))
        ready = {event.actor: event.side for event in battle.events if isinstance(event, Ready)}
        return {unit: (ready[unit], f"{stacks[unit.partition('.')[0]]}: {title}") for unit, title in named.items()}
    return {unit: (int(unit[0]), title) for unit, title in named.items()}


def told(found: Sequence[Contribution], amount: str) -> Counter[tuple[int, str]]:
    sums: Counter[tuple[int, str]] = Counter()
    for each in found:
        sums[each.side, each.unit] += each.amounts[amount]
    return +sums


@RULESETS
def test_contributions_are_what_the_events_say(name: str) -> None:
    lab, seen = ruleset_of(name).analysis, 0
    for battle in battles(name):
        known = people(name, battle)
        wanted: Counter[tuple[int, str]] = Counter()
        for who, amount in counted(name, battle.events).items():
            wanted[known[who]] += amount
        assert battle.rows is not None
        found = lab.contributions(battle.rows, battle.scenario.compiled, battle.scenario.document)
        assert told(found, "damage") == wanted
        seen += wanted.total()
    assert seen > 50


@RULESETS
def test_contributions_of_battles_add_up(name: str) -> None:
    scenario = load(benchmark(name))
    lab = scenario.ruleset.analysis
    rows = [each for each in (run(scenario, stream=stream).rows for stream in range(3)) if each is not None]
    apart = [lab.contributions(each, scenario.compiled, scenario.document) for each in rows]
    together = lab.contributions(np.concatenate(rows), scenario.compiled, scenario.document)
    assert len({(each.side, each.unit, each.ability) for each in together}) == len(together)
    for amount in together[0].amounts:
        sums: Counter[tuple[int, str, str]] = Counter()
        for each in (each for found in apart for each in found):
            sums[each.side, each.unit, each.ability] += each.amounts.get(amount, 0)
        assert {key: value for key, value in sums.items() if value} == {
            (each.side, each.unit, each.ability): each.amounts[amount] for each in together if each.amounts[amount]
        }


@RULESETS
def test_every_fall_is_put_down_to_a_unit_of_the_other_side(name: str) -> None:
    """Whoever falls to nobody in particular (poison of relics, traps of a quest) is nobody's."""
    lab = ruleset_of(name).analysis
    for battle in battles(name):
        assert battle.rows is not None
        falls = sum(event.NAME == "fall" for event in battle.events)
        found = lab.contributions(battle.rows, battle.scenario.compiled, battle.scenario.document)
        felled = told(found, "falls").total()
        assert felled <= falls
        if name in ("squads", "titans"):
            assert felled == falls


@RULESETS
def test_contributions_of_no_rows_name_everybody(name: str) -> None:
    scenario = load(benchmark(name))
    found = scenario.ruleset.analysis.contributions(np.zeros((0, 8), np.int32), scenario.compiled, scenario.document)
    assert {each.side for each in found} == {1, 2}
    assert not any(amount for each in found for amount in each.amounts.values())


# Without an answer.


def test_what_a_ruleset_has_no_answer_to_is_refused_in_a_sentence() -> None:
    lab, side_ref = AnalysisHooks("chess"), SideRef({"ruleset": "chess"}, 1)
    questions: list[Callable[[], Any]] = [
        lambda: lab.matchup(side_ref, side_ref),
        lambda: lab.part(side_ref, "queen"),
        lambda: lab.with_part(side_ref, "queen", None),
        lambda: lab.stats(side_ref),
        lambda: lab.search_space(side_ref),
        lambda: lab.contributions(np.zeros((0, 8), np.int32), None, {}),  # type: ignore[arg-type]
    ]
    for question in questions:
        with pytest.raises(InputError, match=r"not available for this ruleset \(chess\)"):
            question()
