"""What holds in every squads battle, tried on drawn and random ones; and for each check a fault that it must find."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from tests.helpers.complaints import dice_complaints, order_complaints, row_complaints, state_complaints
from tests.helpers.retelling import Retelling
from tests.helpers.rules import Rule, as_it_is, bend, replace
from tests.helpers.scripted_dice import recorded_dice
from tests.helpers.soak import times
from tests.helpers.squads_fights import Fight
from tests.helpers.strategies import checked, scenarios

from fracas import load
from fracas.kernel import dice
from fracas.kernel.event_log import emit
from fracas.rulesets import registry
from fracas.rulesets.squads.rules.constants import (
    EFFECTS,
    FALL_EVENT,
    OUTCOMES_OF_EFFECTS,
    REASONS,
    SLOTS,
    STAGES,
    VERDICTS,
)

EXAMPLES = sorted((Path(__file__).parents[2] / "examples" / "squads").glob("*.toml"))
RANDOM_SCENARIOS = times(60)
PORTION = 20


def watched(fight: Fight, stream: int) -> tuple[Any, list[str], list[str]]:
    """Play a battle and look at its state after every turn and every round's end: result, complaints, rolls."""
    found: list[str] = []

    def followed_by_a_look(rule: Rule) -> Rule:
        def look(battle: Any, *arguments: Any) -> None:
            rule(battle, *arguments)
            found.extend(f"round {battle.tick}: {complaint}" for complaint in state_complaints(battle))

        return look

    with recorded_dice() as notes, pytest.MonkeyPatch.context() as patch:
        for name in ("take_turn", "end_round"):
            bend(patch, name, followed_by_a_look)
        return fight.play(stream), found, notes


def complaints(document: dict[str, Any], stream: int = 0) -> list[str]:
    """Everything that is wrong with a battle."""
    fight = Fight(document)
    result, found, notes = watched(fight, stream)
    if result.fault:
        found.append(f"fault {result.fault}")
    events = fight.events()
    told = Retelling(fight.document).tell(events)
    found += told.complaints + told.compare(fight.record)
    found += order_complaints(events) + dice_complaints(events, notes, fight.document)
    return found + row_complaints(fight.rows(), fight.ruleset.protocol)


@checked
@given(document=scenarios())
def test_nothing_is_wrong_with_any_drawn_battle(document: dict[str, Any]) -> None:
    """HP, shields and charge in bounds, the fallen out of it, the end by the cap, events that retell the state."""
    assert not complaints(document)


@pytest.mark.parametrize("first", range(0, RANDOM_SCENARIOS, PORTION))
def test_nothing_is_wrong_with_any_random_battle(first: int) -> None:
    for number in range(first, first + PORTION):
        document = registry.get("squads").random_scenario(number)
        assert not complaints(document, stream=number), f"random scenario {number}"


@pytest.mark.parametrize("path", EXAMPLES, ids=[path.stem for path in EXAMPLES])
def test_nothing_is_wrong_with_the_examples(path: Path) -> None:
    assert not complaints(load(path).document)


def occurrences(document: dict[str, Any]) -> Counter[str]:
    """What occurs in a battle: kinds of events, outcomes, stages, effects, verdicts, how it ended."""
    seen: Counter[str] = Counter()
    fight = Fight(document)
    fight.play()
    for event in fight.events():
        seen[event.NAME] += 1
        for field in ("outcome", "effect", "stage", "ultimate", "class_ability", "reason"):
            if isinstance(getattr(event, field, None), str):
                seen[f"{field} {getattr(event, field)}"] += 1
    return seen


def test_the_battles_tried_here_show_all_there_is() -> None:
    """Checks on battles in which nothing happens would say nothing."""
    seen: Counter[str] = Counter()
    for document in tried_battles():
        seen += occurrences(document)
    wanted = [entry.NAME for entry in registry.get("squads").protocol.kinds.values()]
    # Both sides fall together only by damage over time in one and the same round: the rule tables have that one.
    wanted += [f"reason {name}" for name in REASONS if name not in ("undecided", "both_wiped_out")]
    wanted += [f"outcome {name}" for name in OUTCOMES_OF_EFFECTS]
    wanted += [f"stage {name}" for name in STAGES]
    wanted += [f"effect {name}" for name in EFFECTS if name not in ("damage", "heal")]
    # No agent decides in any of them.
    verdicts = [name for name in VERDICTS if name != "an agent decides"]
    wanted += [f"class_ability {name}" for name in verdicts if name != "not charged"]
    wanted += [
        f"ultimate {name}" for name in verdicts if name not in ("not considered", "refused, but someone is hurt")
    ]
    assert not [name for name in wanted if not seen[name]]


def tried_battles() -> Iterator[dict[str, Any]]:
    """The examples, then random scenarios."""
    for path in EXAMPLES:
        yield load(path).document
    for number in range(60):
        yield registry.get("squads").random_scenario(number)


# Planted faults. Each bends one rule; the checks above must complain, and about the right thing.


def heals_beyond_the_maximum(kept: Rule) -> Rule:
    def heal(battle: Any, unit: Any, target: Any, effect: Any, log: Any) -> None:
        kept(battle, unit, target, effect, log)
        target.hp += target.max_hp

    return heal


def loses_one_point_more(kept: Rule) -> Rule:
    def take_hit(battle: Any, unit: Any, target: Any, value: int, log: Any) -> None:
        kept(battle, unit, target, value, log)
        target.hp = max(1, target.hp - 1) if target.hp else 0

    return take_hit


def charges_without_end(kept: Rule) -> Rule:
    def gain_charge(battle: Any, unit: Any, amount: int, log: Any) -> None:
        unit.charge += amount

    return gain_charge


def shield_goes_negative(kept: Rule) -> Rule:
    def take_hit(battle: Any, unit: Any, target: Any, value: int, log: Any) -> None:
        kept(battle, unit, target, value, log)
        target.shield -= 1

    return take_hit


def the_fallen_act(kept: Rule) -> Rule:
    def play_round(battle: Any, log: Any, plugins: Any) -> None:
        as_it_is("start_round")(battle, log)
        for place in range(battle.order_count):
            as_it_is("take_turn")(battle, battle.units[battle.order_keys[place] % SLOTS], log, plugins)
            as_it_is("decide_if_wiped_out")(battle)
            if battle.reason:
                return
        as_it_is("end_round")(battle, log)

    return play_round


def the_fallen_are_aimed_at(kept: Rule) -> Rule:
    def lowest_hp(battle: Any, side: Any, *arguments: Any) -> int:
        return int(side.first)

    return lowest_hp


def nobody_is_counted_out(kept: Rule) -> Rule:
    def fall(battle: Any, slayer: int, target: Any, log: Any) -> None:
        kept(battle, slayer, target, log)
        battle.sides[target.side].living += 1
        if all(unit.hp == 0 for unit in battle.units[target.side * 8 : target.side * 8 + 8]):
            battle.sides[target.side].living = 0

    return fall


def falls_in_silence(kept: Rule) -> Rule:
    def fall(battle: Any, slayer: int, target: Any, log: Any) -> None:
        kept(battle, slayer, target, None)

    return fall


def goes_on_after_the_cap(kept: Rule) -> Rule:
    def decide_at_cap(battle: Any) -> None:
        if battle.tick >= battle.options.round_cap + 2:
            kept(battle)

    return decide_at_cap


def expires_before_the_strikes(kept: Rule) -> Rule:
    def end_round(battle: Any, log: Any) -> None:
        for index in range(SLOTS):
            if battle.units[index].hp > 0:
                as_it_is("expire_effects")(battle, battle.units[index], log)
        kept(battle, log)

    return end_round


def rolls_twice(kept: Rule) -> Rule:
    def critical(battle: Any, unit: Any, target: Any, stage: Any, log: Any) -> int:
        dice.d100(battle.dice)
        return int(kept(battle, unit, target, stage, log))

    return critical


def opens_an_address_twice(kept: Rule) -> Rule:
    def act(battle: Any, unit: Any, choice: int, log: Any, plugins: Any) -> None:
        dice.open_address(battle.dice, battle.tick, unit.index)
        kept(battle, unit, choice, log, plugins)

    return act


def cools_down_too_fast(kept: Rule) -> Rule:
    def recover(unit: Any) -> None:
        kept(unit)
        kept(unit)

    return recover


def stuns_in_silence(kept: Rule) -> Rule:
    def stun(battle: Any, unit: Any, target: Any, log: Any) -> None:
        kept(battle, unit, target, None)

    return stun


def slowest_first(kept: Rule) -> Rule:
    def start_round(battle: Any, log: Any) -> None:
        kept(battle, None)
        count = int(battle.order_count)
        battle.order_keys[:count] = battle.order_keys[:count][::-1].copy()
        battle.tick -= 1
        order = battle.order_keys[:count].copy()
        kept(battle, log)
        battle.order_keys[:count] = order

    return start_round


def wrong_winner(kept: Rule) -> Rule:
    def decide_at_cap(battle: Any) -> None:
        kept(battle)
        battle.winner = 2

    return decide_at_cap


def chain_loses_a_stage(kept: Rule) -> Rule:
    def strike(battle: Any, *arguments: Any) -> None:
        length = int(battle.chain_length)
        battle.chain_length = max(0, length - 1)
        kept(battle, *arguments)
        battle.chain_length = length

    return strike


def effects_hold_a_round_longer(kept: Rule) -> Rule:
    def expire_effects(battle: Any, unit: Any, log: Any) -> None:
        battle.tick -= 1
        kept(battle, unit, None)
        battle.tick += 1

    return expire_effects


FAULTS: list[tuple[str, Callable[[Rule], Rule], str]] = [
    ("heal", heals_beyond_the_maximum, "has hp"),
    ("take_hit", loses_one_point_more, "HP"),
    ("gain_charge", charges_without_end, "has charge"),
    ("take_hit", shield_goes_negative, "has shield -"),
    ("play_round", the_fallen_act, "has fallen and acts"),
    ("lowest_hp", the_fallen_are_aimed_at, "has fallen and is aimed at"),
    ("fall", nobody_is_counted_out, "living"),
    ("fall", falls_in_silence, "does not fall"),
    ("decide_at_cap", goes_on_after_the_cap, "a round after the cap"),
    ("end_round", expires_before_the_strikes, "documented order"),
    ("critical", rolls_twice, "not those that the events tell of"),
    ("act", opens_an_address_twice, "is opened again"),
    ("recover", cools_down_too_fast, "cooldown"),
    ("stun", stuns_in_silence, "and is not stunned"),
    ("start_round", slowest_first, "is next"),
    ("decide_at_cap", wrong_winner, "2 by cap"),
    ("strike", chain_loses_a_stage, "the chain was"),
    ("expire_effects", effects_hold_a_round_longer, "by its events"),
]


@pytest.mark.parametrize(("rule", "fault", "complaint"), FAULTS, ids=[fault.__name__ for _, fault, _ in FAULTS])
def test_a_planted_fault_is_found(
    rule: str, fault: Callable[[Rule], Rule], complaint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    bend(monkeypatch, rule, fault)
    for document in tried_battles():
        if any(complaint in text for text in complaints(document)):
            return
    pytest.fail(f"nobody complained about {complaint!r}")


def test_a_row_that_tells_more_than_its_kind_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted fault in what the rules tell, not in what they do."""

    def talkative(log: Any, tick: int, kind: int, *columns: int) -> None:
        emit(log, tick, kind, *columns[:-1], 7 if kind == FALL_EVENT else columns[-1])  # type: ignore[call-arg]

    replace(monkeypatch, emit, talkative)
    found = complaints(registry.get("squads").random_scenario(0))
    assert any("does not use" in text for text in found)
