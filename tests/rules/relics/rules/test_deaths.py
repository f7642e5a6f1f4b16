"""Who has fallen when, both at once, on_kill, and bosses with further phases. README, Death check."""

from __future__ import annotations

from typing import Any

import pytest
from tests.helpers.relics_fights import Fight, fighter, item, of

from fracas.rulesets.relics.rules import events as told


@pytest.mark.parametrize(
    ("left", "right", "reason", "winner", "rounds"),
    [
        # After pre, after battle start: no turn is begun.
        ({"pre": [["pierce", 20]]}, {}, "right_fell", 1, 0),
        ({"pre": [["pierce", 20, "both"]]}, {}, "both_fell", 0, 0),
        ({"battle_start": [["pierce", 20, "self"]]}, {}, "left_fell", 2, 0),
        # Both steps of battle start are taken before anybody looks.
        ({"battle_start": [["pierce", 20]]}, {"battle_start": [["pierce", 20]]}, "both_fell", 0, 0),
        # After the start, after the strike, after the end of a turn.
        ({"turn_start": [["pierce", 20]]}, {}, "right_fell", 1, 1),
        ({"on_hit": [["pierce", 20]]}, {}, "right_fell", 1, 1),
        ({"turn_end": [["pierce", 20, "self"]]}, {}, "left_fell", 2, 1),
        # Who is healed before the check has not fallen.
        ({"turn_start": [["pierce", 20], ["heal", 5, "enemy"], ["pierce", 4]], "on_hit": [["pierce", 1]]}, {},
         "right_fell", 1, 1),
    ],
)  # fmt: skip
def test_when_deaths_are_looked_for(left: Any, right: Any, reason: str, winner: int, rounds: int) -> None:
    fight = Fight(fighter(item("a", **left), speed=1), fighter(item("b", **right)))
    result = fight.play()
    assert (fight.reason, result.winner, result.rounds) == (reason, winner, rounds)
    assert result.units_left.tolist() == [int(hp > 0) for hp in result.hp_left]


def test_the_attacker_can_die_of_thorns_and_both_of_one_strike() -> None:
    fight = Fight(fighter(hp=3, attack=1, speed=1), fighter(thorns=3, hp=5))
    fight.play()
    assert fight.reason == "left_fell"
    fight = Fight(fighter(hp=3, attack=5, speed=1), fighter(thorns=3, hp=5))
    result = fight.play()
    assert (fight.reason, result.winner, result.hp_left.tolist()) == ("both_fell", 0, [0, 0])
    assert [each.target for each in of(fight.events, told.Fall)] == ["left", "right"]


def test_death_is_looked_for_after_each_strike() -> None:
    many = item("a", modifiers=[["strikes", 4]])
    fight = Fight(fighter(many, attack=10, speed=1))
    fight.play()
    assert len(of(fight.events, told.Strike)) == 2


def test_death_is_looked_for_after_a_strike_that_was_skipped() -> None:
    """Neither another attempt nor the turn's end, with its Regen, comes before it."""
    reckless = item("a", strike_skipped=[["lose_hp", 5]], modifiers=[["strikes", 2]])
    fight = Fight(fighter(reckless, hp=5, stun=3, regen=1, speed=1, wounded_triggered=True))
    fight.play()
    assert fight.told == ["left stunned", "stun of left -1", "hp of left -5", "left falls"]
    assert fight.reason == "left_fell"


def test_a_strike_is_finished_before_anybody_looks() -> None:
    """The dead still reflect, and their on_struck effects run: the check comes after all of the strike."""
    left = fighter(attack=20, speed=1, hp=5, wounded_triggered=True)
    right = fighter(item("b", on_struck=[["deal", 1]]), thorns=1)
    fight = Fight(left, right)
    fight.play()
    assert fight.told == [
        "strike on right: 0 armor, 20 hp", "right wounded", "b on left: 0 armor, 1 hp", "thorns on left: 0 armor, 1 hp",
        "right falls",
    ]  # fmt: skip


def test_at_once_nothing_comes_after_a_death() -> None:
    left = fighter(attack=20, speed=1, hp=5)
    right = fighter(item("b", on_struck=[["deal", 1]], on_damaged=[["deal", 1]], hp_lost=[["deal", 1]]), thorns=1)
    fight = Fight(left, right, death_check="at_once")
    fight.play()
    assert fight.told == ["strike on right: 0 armor, 20 hp", "right wounded", "right falls"]
    assert [each.NAME for each in fight.events][-2:] == ["fall", "outcome"]


def test_at_once_a_killing_op_is_the_last() -> None:
    piece = item("a", battle_start=[["pierce", 20], ["heal", 9, "enemy"], ["pierce", 30, "self"]])
    fight = Fight(fighter(piece), death_check="at_once")
    fight.play()
    assert fight.reason == "right_fell"
    fight = Fight(fighter(piece))
    fight.play()
    assert fight.reason == "left_fell"


@pytest.mark.parametrize("start", [{"poison": 20}, {"riptide": 1, "hp": 5}, {"hp": 1, "regen": 3}])
def test_at_once_rules_kill_too(start: dict[str, int]) -> None:
    """Poison, Riptide and fatigue; after the death nothing more of the turn happens."""
    noisy = item("a", turn_start=[["gain_armor", 1]], turn_end=[["gain_armor", 1]])
    fatigue = 0 if "regen" in start else 40
    fight = Fight(fighter(noisy, speed=1, **start), death_check="at_once", fatigue_start=fatigue)
    fight.play()
    assert fight.reason == "left_fell"
    assert [each.NAME for each in fight.events][-2:] == ["fall", "outcome"]


def test_a_death_by_a_threshold_of_a_strike_is_found_once() -> None:
    left = fighter(attack=10, speed=1, hp=5)
    fight = Fight(left, fighter(item("b", wounded=[["pierce", 9]])), death_check="at_once")
    fight.play()
    assert [each.NAME for each in fight.events][-3:] == ["mark", "fall", "outcome"]


def test_on_kill_may_turn_a_win_into_a_draw() -> None:
    piece = item("a", battle_start=[["pierce", 23]], on_kill=[["pierce", 20, "self"]])
    fight = Fight(fighter(piece))
    fight.play()
    assert fight.reason == "both_fell"
    assert [each.payload for each in of(fight.events, told.Trigger) if each.trigger == "on_kill"] == [3]


def test_on_kill_may_save_the_fallen() -> None:
    kind = item("a", turn_start=[{"per_battle": 1, "do": [["pierce", 23]]}], on_kill=[["heal", 5, "enemy"]])
    fight = Fight(fighter(kind, speed=1)).set_up().turn()
    assert not fight.is_over
    assert fight.right["hp"] == 2


def test_no_death_check_within_one() -> None:
    piece = item("a", battle_start=[["pierce", 20]], on_kill=[["pierce", 20, "self"], ["heal", 1]])
    fight = Fight(fighter(piece), death_check="at_once")
    fight.play()
    assert fight.told.count("left falls") == 0
    assert fight.reason == "right_fell"


def boss(*phases: Any, **keys: Any) -> dict[str, Any]:
    """A fighter with further phases: (health, keys of its body)."""
    found = [
        {"name": "p", "stats": {"health": health, "attack": 3, "armor": 1, "speed": 4}, **body}
        for health, body in phases
    ]
    return fighter(**keys) | {"phases": found}


def test_a_boss_gets_up_in_its_next_phase() -> None:
    right = boss((9, {}), attack=2, armor=5, speed=-1, thorns=2, poison=3, temp_attack=1)
    fight = Fight(fighter(item("a", turn_start=[["pierce", 20]]), speed=1), right).set_up().begin()
    assert fight.told == ["a on right: 0 armor, 20 hp", "right wounded", "right falls", "right in phase 2"]
    assert fight.right.has(hp=9, hp_max=9, attack=3, armor=1, speed=4, thorns=0, poison=0, temp_attack=0, phase=2)
    # Marks stay, and so does the order of turns.
    assert fight.right["wounded"] == 1
    assert not fight.is_over


def test_phases_end() -> None:
    right = boss((1, {}), (1, {}))
    fight = Fight(fighter(item("a", turn_start=[["pierce", 20]]), speed=1), right)
    result = fight.play()
    assert (fight.reason, result.rounds) == ("right_fell", 5)
    assert [each.phase for each in of(fight.events, told.PhaseBegins)] == [2, 3]


def test_the_trait_is_the_phase_s() -> None:
    """Of the first phase's effects and modifiers none are left; pieces go on as ever."""
    shout: Any = {"turn_start": [["gain_atk", 1]], "battle_start": [["gain_armor", 1]]}
    other: Any = {"turn_start": [["gain_speed", 1]], "battle_start": [["gain_armor", 5]]}
    worn = item("worn", battle_start=[["gain", "health", 1]])
    right = boss((9, {"triggers": other, "modifiers": [["attack", 4]]}))
    right |= {"triggers": shout, "items": [worn]}
    fight = Fight(fighter(item("a", first_turn=[["pierce", 21]]), speed=1), right).set_up()
    assert fight.triggers == ["battle_start right", "battle_start worn"]
    fight.begin()
    assert fight.triggers == ["first_turn a", "battle_start right"]
    assert fight.right["armor"] == 6
    fight.strikes()
    fight.end()
    fight.begin()
    assert fight.triggers == ["turn_start right"]
    assert fight.told == ["speed of right +1"]
    assert of(fight.strikes().events, told.Attack)[0].bonus == 4


def test_the_phase_s_battle_start_has_the_depth_of_what_killed() -> None:
    right = boss((9, {"triggers": {"battle_start": [["gain_armor", 5]]}}))
    for check, depth in (("steps", 1), ("at_once", 2)):
        fight = (
            Fight(fighter(item("a", first_turn=[["pierce", 20]]), speed=1), right, death_check=check).set_up().begin()
        )
        assert of(fight.events, told.Trigger)[-1].depth == depth


def test_at_once_the_effect_goes_on_after_a_phase() -> None:
    right = boss((9, {"triggers": {"battle_start": [["gain_armor", 5]]}}))
    left = fighter(item("a", first_turn=[["pierce", 20], ["deal", 2]]), speed=1)
    fight = Fight(left, right, death_check="at_once").set_up().begin()
    assert fight.told == [
        "a on right: 0 armor, 20 hp", "right wounded", "right falls", "right in phase 2", "armor of right +5",
        "a on right: 2 armor, 0 hp",
    ]  # fmt: skip


def test_one_down_for_good_is_a_defeat_whatever_the_other_does() -> None:
    """Both at 0: the boss gets up, the other does not."""
    right = boss((9, {}))
    fight = Fight(fighter(item("a", battle_start=[["pierce", 20, "both"]])), right)
    fight.play()
    assert fight.reason == "left_fell"


def test_base_values_are_the_phase_s() -> None:
    right = boss((9, {"triggers": {"turn_start": [["gain", "armor", {"of": "self.base_armor", "times": 10}]]}}))
    right["items"] = [item("b", turn_start=[["lose", "attack", 2], ["restore", "attack"]])]
    fight = Fight(fighter(item("a", first_turn=[["pierce", 20]]), speed=1), right).set_up().turn().begin()
    assert fight.told == ["armor of right +10", "attack of right -2", "attack of right +2"]


def test_countdowns_of_a_phase_count_from_the_start_and_pass() -> None:
    """The clock of phase 2 is due in the second turn of its owner; it was not there then."""
    clock: Any = {"countdown": [{"n": 1, "do": [["gain_armor", 1]]}, {"n": 3, "do": [["gain_armor", 2]]}]}
    right = boss((50, {"triggers": clock}))
    fight = Fight(fighter(item("a", every_n_turns=[{"n": 2, "per_battle": 1, "do": [["pierce", 20]]}]), speed=1), right)
    fight.set_up()
    for _ in range(6):
        fight.turn()
    assert fight.right["armor"] == 1 + 2


def test_a_phase_that_is_entered_in_set_up_may_begin_twice() -> None:
    """The rest of the effects that were being looked at goes on, and the new phase's lie behind the former's."""
    risen = {"name": "Risen", "stats": {"health": 20}, "triggers": {"battle_start": [["gain_armor", 3]]}}
    left = fighter(hp=5, phases=[risen], triggers={"battle_start": [["lose_hp", 9], {"do": [["gain_atk", 5]]}]})
    fight = Fight(left, death_check="at_once").set_up()
    assert fight.told[-3:] == ["left in phase 2", "armor of left +3", "armor of left +3"]
    assert fight.left["attack"] == 1
