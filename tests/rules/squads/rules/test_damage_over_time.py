"""README, Effects and Round end: damage over time."""

from __future__ import annotations

import pytest
from tests.helpers.squads_fights import Fight, ability, attack_up, battle, names, of, side, unit, wound

from fracas.rulesets.squads.rules.events import Effect, Expire, Fall, Power, Suffer


def poisoners(rounds: int = 3, percent: int = 20) -> Fight:
    """Unit a poisons b; both live on for long."""
    return battle(
        side(unit("a", hp=200, class_ability="poison"), unit("x", hp=200, class_ability="poison")),
        side(unit("b", hp=200, defense=50)),
        abilities=[ability("poison", "one_enemy", wound(rounds, attack=percent))],
        chain="classic",
        modifier={"id": "iron", "name": "Iron", "defense": 200, "damage": 300, "critical_chance": 100},
    )


@pytest.mark.parametrize(("rounds", "applied_in"), [(1, 1), (2, 1), (3, 1), (3, 6)])
def test_it_strikes_n_times_first_at_the_end_of_its_own_round(rounds: int, applied_in: int) -> None:
    fight = poisoners(rounds)
    fight.tick = applied_in
    (told,) = of(fight.turn("1.a"), Effect)
    assert (told.effect, told.amount, told.until) == ("damage_over_time", 20, applied_in + rounds - 1)
    strikes = []
    for tick in range(applied_in, applied_in + rounds):
        fight.tick = tick
        events = fight.end_round()
        strikes += [(suffer.tick, suffer.lost, suffer.hp, suffer.strikes_left) for suffer in of(events, Suffer)]
        ended = [(expire.effect, expire.by_time) for expire in of(events, Expire)]
        assert ended == ([("damage_over_time", True)] if tick == told.until else [])
    assert strikes == [(applied_in + n, 20, 180 - 20 * n, rounds - 1 - n) for n in range(rounds)]
    fight.tick += 1
    assert not fight.end_round()


def test_it_goes_past_shield_and_defense_and_gives_no_charge() -> None:
    fight = poisoners()
    fight["2.b"].shield, fight["2.b"].shield_until = 50, 9
    fight.turn("1.a")
    (told,) = of(fight.end_round(), Suffer)
    assert (told.actor, told.target, told.damage, told.lost) == ("1.a", "2.b", 20, 20)
    assert fight.state("2.b", "hp", "shield", "charge") == (180, 50, 0)


def test_applying_it_runs_no_chain_and_rolls_nothing() -> None:
    """The environment of these fights triples damage and makes every hit critical."""
    assert names(poisoners().turn("1.a")) == ["choice", "target", "power", "effect", "charge"]


def test_its_amount_is_the_power_when_applied() -> None:
    fight = poisoners()
    fight["1.a"].attack_up = 50
    (told,) = of(fight.turn("1.a"), Effect)
    assert told.amount == 30
    fight["1.a"].attack_up = 0
    assert of(fight.end_round(), Suffer)[0].lost == 30


@pytest.mark.parametrize(
    ("effect", "amount"),
    [(wound(1, attack=33), 33), (wound(1, defense=50), 13), (wound(1, attack=33, defense=50, max_hp=50), 96)],
)
def test_its_power_has_the_three_shares(effect: dict[str, int], amount: int) -> None:
    fight = battle(
        side(unit("a", attack=100, defense=27, hp=101, class_ability="poison")),
        side(unit("b", hp=200)),
        abilities=[ability("poison", "one_enemy", effect)],
    )
    events = fight.turn("1.a")
    assert of(events, Power)[0].power == of(events, Effect)[0].amount == amount


@pytest.mark.parametrize(
    ("there", "replaced"),
    [(0, True), (19, True), (20, True), (21, False)],
    ids=["none there", "smaller", "as large", "larger"],
)
def test_a_new_one_replaces_amount_strikes_and_source_if_at_least_as_large(there: int, replaced: bool) -> None:
    fight = poisoners()
    victim = fight["2.b"]
    if there:
        victim.wound, victim.wound_strikes, victim.wound_source = there, 1, fight.index("1.x")
    (told,) = of(fight.turn("1.a"), Effect)
    assert told.outcome == ("applied" if replaced else "weaker than what is there")
    assert (told.amount, told.until) == (20, 3)
    kept = (20, 3, 0) if replaced else (there, 1, 1)
    assert fight.state("2.b", "wound", "wound_strikes", "wound_source") == kept
    assert of(fight.end_round(), Suffer)[0].actor == ("1.a" if replaced else "1.x")


def test_it_kills_and_the_fall_names_who_caused_it() -> None:
    fight = poisoners()
    fight.turn("1.a")
    fight["2.b"].hp = 15
    events = fight.end_round()
    (told,) = of(events, Suffer)
    assert (told.damage, told.lost, told.hp) == (20, 15, 0)
    assert [(fall.actor, fall.target) for fall in of(events, Fall)] == [("1.a", "2.b")]
    assert (int(fight.record.winner), fight.ruleset.reasons[int(fight.record.reason)]) == (1, "wiped_out")


def test_it_goes_on_after_who_caused_it_has_fallen() -> None:
    fight = poisoners()
    fight.turn("1.a")
    fight.fell("1.a")
    assert of(fight.end_round(), Suffer)[0].actor == "1.a"


def test_the_fallen_suffer_no_more_and_nothing_of_theirs_expires() -> None:
    fight = poisoners()
    fight.turn("1.a")
    fight["2.b"].attack_up, fight["2.b"].attack_up_until = 10, 1
    fight.fell("2.b")
    assert not fight.end_round()


def test_both_sides_may_fall_at_a_rounds_end_and_then_it_is_a_draw() -> None:
    fight = battle(
        side(unit("a", hp=30, class_ability="poison")),
        side(unit("b", hp=30, class_ability="poison")),
        abilities=[ability("poison", "one_enemy", wound(3, attack=20))],
    )
    openings = [fight.opening("1.a"), fight.opening("2.b")]
    fight.round(*openings)
    assert int(fight.record.reason) == 0
    fight["1.a"].attack = fight["2.b"].attack = 1
    fight["1.a"].cooldown = fight["2.b"].cooldown = 5
    events = fight.round(fight.opening("1.a"), fight.opening("2.b"))
    assert [fall.target for fall in of(events, Fall)] == ["1.a", "2.b"]
    assert fight.ruleset.reasons[int(fight.record.reason)] == "both_wiped_out"
    assert int(fight.record.winner) == 0


def test_everybody_suffers_before_anything_expires_and_both_go_by_index() -> None:
    fight = battle(
        side(unit("a", class_ability="plague"), unit("x")),
        side(unit("b", class_ability="plague"), unit("c")),
        abilities=[ability("plague", "all_enemies", wound(1, attack=5))],
    )
    fight.turn("2.b")
    fight.turn("1.a")
    fight["1.x"].attack_up, fight["1.x"].attack_up_until = 10, 1
    events = fight.end_round()
    assert [told.target for told in of(events, Suffer)] == ["1.a", "1.x", "2.b", "2.c"]
    assert [(told.target, told.effect) for told in of(events, Expire)] == [
        ("1.a", "damage_over_time"),
        ("1.x", "attack_up"),
        ("1.x", "damage_over_time"),
        ("2.b", "damage_over_time"),
        ("2.c", "damage_over_time"),
    ]
    assert names(events) == ["suffer"] * 4 + ["expire"] * 5


def test_a_units_effects_expire_in_their_order() -> None:
    fight = poisoners()
    unit_record = fight["2.b"]
    unit_record.shield = unit_record.attack_up = unit_record.attack_down = unit_record.wound = 10
    for field in ("shield_until", "attack_up_until", "attack_down_until", "taunt_until"):
        unit_record[field] = 4
    unit_record.wound_strikes, unit_record.wound_source = 1, fight.index("1.a")
    fight.tick = 4
    ended = [told.effect for told in of(fight.end_round(), Expire)]
    assert ended == ["shield", "attack_up", "attack_down", "taunt", "damage_over_time"]


def test_a_renewed_poison_counts_its_strikes_anew() -> None:
    fight = poisoners(rounds=2)
    fight.turn("1.a")
    fight.end_round()
    fight.tick = 2
    fight.turn("1.x")
    left = []
    for tick in (2, 3, 4):
        fight.tick = tick
        left += [told.strikes_left for told in of(fight.end_round(), Suffer)]
    assert left == [1, 0]


def test_a_raise_of_attack_later_changes_nothing() -> None:
    fight = battle(
        side(unit("a", class_ability="poison", ultimate="roar")),
        side(unit("b", hp=200)),
        abilities=[ability("poison", "one_enemy", wound(3, attack=20)), ability("roar", "self", attack_up(100, 3))],
    )
    fight.turn("1.a")
    fight["1.a"].charge = 100
    fight.turn("1.a")
    assert of(fight.end_round(), Suffer)[0].lost == 20


def test_an_amount_of_zero_strikes_for_nothing_has_the_status_and_ends_without_a_row() -> None:
    fight = battle(
        side(unit("a", attack=1, class_ability="poison")),
        side(unit("b", class_ability="probe"), orders={"probe": {"when": "self.damage_over_time"}}),
        abilities=[ability("poison", "one_enemy", wound(2, attack=10)), ability("probe", "self", attack_up(1, 1))],
    )
    (told,) = of(fight.turn("1.a"), Effect)
    assert (told.amount, told.until, told.outcome) == (0, 2, "applied")
    assert names(fight.turn("2.b"))[:3] == ["choice", "target", "effect"]
    assert [(event.lost, event.strikes_left) for event in of(fight.end_round(), Suffer)] == [(0, 1)]
    fight["2.b"].attack_up = 0
    fight.tick = 2
    assert names(fight.end_round()) == ["suffer"]
    fight.tick = 3
    assert not fight.end_round()
