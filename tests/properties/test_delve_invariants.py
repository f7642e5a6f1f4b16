"""What holds in every delve battle, tried on random ones; and for each check a fault that it must find."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from tests.helpers.delve import EXAMPLES
from tests.helpers.delve_fights import Fight
from tests.helpers.delve_ledger import Ledger
from tests.helpers.rules import Rule, bend
from tests.helpers.soak import times

from fracas import load
from fracas.rulesets import registry
from fracas.rulesets.delve.rules.constants import REASONS

RULESET = registry.get("delve")
RANDOM_SCENARIOS = times(40)
PORTION = 10


def complaints(document: dict[str, Any], stream: int = 0) -> list[str]:
    """Everything that is wrong with a battle, as far as its events and its last state tell."""
    fight = Fight(document)
    result = fight.play(stream)
    found = [f"fault {result.fault}"] if result.fault else []
    ledger = Ledger(fight.document).tell(fight.events())
    found += ledger.complaints + ledger.compare(fight.record, result)
    for participant in fight.record.participants:
        if not 0 <= participant.hp <= participant.max_hp:
            found.append(f"participant {participant.index} has {participant.hp} HP")
        if participant.hp == 0 and participant.affliction_count:
            found.append(f"participant {participant.index} is dead and has conditions")
    return found


@pytest.mark.parametrize("first", range(0, RANDOM_SCENARIOS, PORTION))
def test_nothing_is_wrong_with_any_random_battle(first: int) -> None:
    """Bounds, an end by the cap, the dead out of it, costs paid, cooldowns kept, events that retell the state."""
    for number in range(first, first + PORTION):
        assert not complaints(RULESET.random_scenario(number), stream=number), f"random scenario {number}"


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.toml")), ids=lambda path: path.stem)
def test_nothing_is_wrong_with_the_examples(path: Any) -> None:
    assert not complaints(load(path).document)


def test_the_battles_tried_here_show_all_there_is() -> None:
    """Checks on battles in which nothing happens would say nothing."""
    seen: Counter[str] = Counter()
    for number in range(40):
        fight = Fight(RULESET.random_scenario(number))
        result = fight.play(number)
        seen[f"reason {REASONS[int(result.reason)]}"] += 1
        for event in fight.events():
            seen[event.NAME] += 1
            for key in ("condition", "obstacle", "verdict", "effect"):
                if hasattr(event, key):
                    seen[f"{key} {getattr(event, key)}"] += 1
    books = RULESET.codebooks
    wanted = [entry.NAME for entry in RULESET.protocol.kinds.values()]
    wanted += [f"condition {name}" for name in books["condition"]]
    wanted += [f"verdict {name}" for name in books["verdict"]]
    wanted += [f"effect {name}" for name in books["effect"]]
    wanted += [f"obstacle {name}" for name in books["obstacle"][1:-1]]
    wanted += [f"reason {name}" for name in REASONS[1:]]
    assert not [name for name in wanted if not seen[name]]


# Planted faults. Each bends one rule; the checks above must complain.


def heals_beyond_the_maximum(kept: Rule) -> Rule:
    def restore(battle: Any, member: Any, hp: int, resource: int, log: Any) -> None:
        kept(battle, member, hp, resource, log)
        member.hp = member.max_hp + 1

    return restore


def never_pays(kept: Rule) -> Rule:
    def take_turn(battle: Any, participant: Any, log: Any) -> None:
        before = int(participant.resource)
        kept(battle, participant, log)
        participant.resource = before

    return take_turn


def forgets_cooldowns(kept: Rule) -> Rule:
    def take_turn(battle: Any, participant: Any, log: Any) -> None:
        kept(battle, participant, log)
        participant.ready_from[:] = 0

    return take_turn


def lets_the_dead_rise(kept: Rule) -> Rule:
    def start_round(battle: Any, log: Any) -> None:
        for participant in battle.participants:
            if participant.max_hp and participant.hp == 0:
                participant.hp = 1
        kept(battle, log)

    return start_round


def keeps_conditions_for_ever(kept: Rule) -> Rule:
    def tick_conditions(battle: Any, participant: Any, log: Any) -> None:
        kept(battle, participant, log)
        for code in participant.affliction_order[: participant.affliction_count]:
            participant.afflictions[code].rounds += 1

    return tick_conditions


def hurts_in_silence(kept: Rule) -> Rule:
    def end_round(battle: Any, log: Any) -> int:
        outcome: int = kept(battle, log)
        first = battle.participants[0]
        first.hp = max(1, first.hp - 1) if first.hp else 0
        return outcome

    return end_round


def always_hits(kept: Rule) -> Rule:
    def is_critical(roll: int, luck: int) -> bool:
        return True

    return is_critical


def pays_in_silence(kept: Rule) -> Rule:
    def reward_party(battle: Any, log: Any) -> None:
        kept(battle, log)
        battle.gold += 1

    return reward_party


FAULTS: dict[str, Callable[[Rule], Rule]] = {
    "restore": heals_beyond_the_maximum,
    "take_turn": never_pays,
    "start_round": lets_the_dead_rise,
    "tick_conditions": keeps_conditions_for_ever,
    "end_round": hurts_in_silence,
    "is_critical": always_hits,
    "reward_party": pays_in_silence,
}


@pytest.mark.parametrize(("name", "fault"), [*FAULTS.items(), ("take_turn", forgets_cooldowns)])
def test_a_planted_fault_is_found(name: str, fault: Callable[[Rule], Rule], monkeypatch: pytest.MonkeyPatch) -> None:
    bend(monkeypatch, name, fault, ruleset="delve")
    assert any(complaints(RULESET.random_scenario(number), stream=number) for number in range(12))


@pytest.mark.parametrize(
    "kind", ["use", "hit", "condition", "regain", "turn_order", "round", "encounter_end", "outcome"]
)
def test_a_row_that_is_lost_is_found(kind: str) -> None:
    fight = Fight(RULESET.random_scenario(0))
    result = fight.play()
    events = fight.events()
    # What costs nothing changes nothing by itself.
    place = next(n for n, event in enumerate(events) if kind == event.NAME and getattr(event, "cost", True))
    ledger = Ledger(fight.document).tell([*events[:place], *events[place + 1 :]])
    assert ledger.complaints or ledger.compare(fight.record, result)
