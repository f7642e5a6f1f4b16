"""README, A turn and Effects: stun."""

from __future__ import annotations

import pytest
from tests.helpers.squads_fights import Fight, ability, battle, damage, names, of, side, stun, unit

from fracas.rulesets.squads.rules.events import Choice, Effect, Stunned

BASH = ability("bash", "one_enemy", stun())
NOVA = ability("nova", "all_enemies", damage(attack=10), stun())


def bashers() -> Fight:
    """Units a and b can stun, c of the other side is to suffer it."""
    return battle(
        side(unit("a", class_ability="bash"), unit("b", class_ability="bash")),
        side(unit("c", attack=10)),
        abilities=[BASH],
    )


def outcomes(fight: Fight, name: str) -> list[str]:
    return [told.outcome for told in of(fight.turn(name), Effect)]


def test_a_stun_is_told_with_its_outcome() -> None:
    fight = bashers()
    (told,) = of(fight.turn("1.a"), Effect)
    assert (told.actor, told.target, told.effect, told.amount, told.until) == ("1.a", "2.c", "stun", 0, 0)
    assert told.outcome == "applied"
    assert fight["2.c"].stunned == 1


def test_a_stunned_unit_loses_its_turn_and_opens_no_address() -> None:
    fight = bashers()
    fight.turn("1.a")
    events = fight.turn("2.c", opens=False)
    assert names(events) == ["stunned"]
    assert of(events, Stunned)[0].actor == "2.c"
    assert fight["1.a"].hp == 100


def test_a_stun_costs_one_action_only() -> None:
    fight = bashers()
    fight.turn("1.a")
    fight.turn("2.c", opens=False)
    assert of(fight.turn("2.c"), Choice)[0].choice == "basic"


@pytest.mark.parametrize(("before", "after"), [(3, 2), (1, 0), (0, 0)])
def test_cooldowns_fall_in_a_lost_turn(before: int, after: int) -> None:
    fight = bashers()
    fight["2.c"].cooldown = fight["2.c"].ultimate_cooldown = before
    fight["2.c"].stunned = 1
    fight.turn("2.c", opens=False)
    assert fight.state("2.c", "cooldown", "ultimate_cooldown") == (after, after)


def test_a_lost_turn_gives_no_charge_and_takes_none() -> None:
    fight = bashers()
    fight["2.c"].charge, fight["2.c"].stunned = 100, 1
    fight.turn("2.c", opens=False)
    assert fight["2.c"].charge == 100


def test_a_lost_turn_leaves_a_ready_ability_ready() -> None:
    fight = bashers()
    fight["1.a"].stunned = 1
    fight.turn("1.a", opens=False)
    assert of(fight.turn("1.a"), Choice)[0].ability == "Bash"


def test_stunning_the_stunned_does_nothing() -> None:
    fight = bashers()
    assert outcomes(fight, "1.a") == ["applied"]
    assert outcomes(fight, "1.b") == ["already stunned"]
    assert names(fight.turn("2.c", opens=False)) == ["stunned"]
    assert "choice" in names(fight.turn("2.c"))


def test_who_has_just_lost_an_action_cannot_be_stunned_before_it_has_acted() -> None:
    fight = bashers()
    assert outcomes(fight, "1.a") == ["applied"]
    fight.turn("2.c", opens=False)
    assert outcomes(fight, "1.b") == ["just lost an action to a stun"]
    assert "choice" in names(fight.turn("2.c"))
    fight["1.a"].cooldown = fight["1.b"].cooldown = 0
    assert outcomes(fight, "1.b") == ["applied"]
    assert names(fight.turn("2.c", opens=False)) == ["stunned"]


def test_the_immunity_does_not_end_with_the_round() -> None:
    fight = bashers()
    fight.turn("1.a")
    fight.turn("2.c", opens=False)
    fight.end_round()
    fight.tick = 2
    assert outcomes(fight, "1.b") == ["just lost an action to a stun"]


def test_a_stun_does_not_end_with_the_round() -> None:
    """Who has already acted loses its turn of the next round."""
    fight = bashers()
    fight.turn("2.c")
    fight.turn("1.a")
    assert "expire" not in names(fight.end_round())
    fight.tick = 2
    assert names(fight.turn("2.c", opens=False)) == ["stunned"]


def test_an_area_stun_judges_every_target_by_itself() -> None:
    fight = battle(
        side(unit("a", class_ability="nova")),
        side(unit("b"), unit("c"), unit("d"), unit("e", hp=10)),
        abilities=[NOVA],
    )
    fight["2.b"].stunned = 1
    fight["2.c"].just_stunned = 1
    told = [(effect.target, effect.outcome) for effect in of(fight.turn("1.a"), Effect)]
    assert told == [
        ("2.b", "already stunned"),
        ("2.c", "just lost an action to a stun"),
        ("2.d", "applied"),
    ]


def test_two_stuns_of_one_ability_count_once() -> None:
    double = ability("double", "one_enemy", stun(), stun())
    fight = battle(side(unit("a", class_ability="double")), side(unit("b")), abilities=[double])
    assert outcomes(fight, "1.a") == ["applied", "already stunned"]


def test_a_unit_cannot_be_kept_from_acting_for_ever() -> None:
    """Two units that stun in every round cost the third every second action, not every one."""
    fight = battle(
        side(unit("a", class_ability="bash", speed=30), unit("b", class_ability="bash", speed=20)),
        side(unit("c", attack=1, speed=10)),
        abilities=[BASH],
    )
    acted = []
    for _ in range(6):
        events = fight.round(fight.opening("1.a"), fight.opening("1.b"), *fight_c(fight))
        acted.append(any(choice.actor == "2.c" for choice in of(events, Choice)))
    assert acted == [False, True, False, True, False, True]


def fight_c(fight: Fight) -> list[str]:
    """The opening of c's address in the coming round, if c is going to act in it."""
    return [fight.opening("2.c")] if fight["2.c"].just_stunned else []
