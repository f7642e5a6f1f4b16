"""Set-up, who acts first, a turn from its start to its end, statuses, fatigue, caps. README, Order of play."""

from __future__ import annotations

from typing import Any

import pytest
from tests.helpers.relics_fights import GAME, Fight, build, fighter, item, of

from fracas.rulesets.relics.rules import events as told


def kinds(fight: Fight, *without: str) -> list[str]:
    return [each.NAME for each in fight.events if each.NAME not in without]


def test_set_up_in_order() -> None:
    """Pre right then left, battle start left then right, then who acts first."""
    both = {"pre": [["gain_armor", 1]], "battle_start": [["gain_armor", 1]]}
    fight = Fight(fighter(item("a", **both)), fighter(item("b", **both), speed=1)).set_up()
    steps = [(each.actor, each.step) for each in of(fight.events, told.Step)]
    assert steps == [("right", "pre"), ("left", "pre"), ("left", "battle_start"), ("right", "battle_start")]
    assert fight.triggers == ["pre b", "pre a", "battle_start a", "battle_start b"]
    assert [each.as_json() for each in of(fight.events, told.First)] == [
        {"tick": 0, "kind": "first", "actor": "right", "reason": "speed", "speed_1": 0, "speed_2": 1}
    ]


def test_set_up_tells_who_stands_there() -> None:
    left = fighter(item("a", tier="golden"), hp=7, hp_max=9, thorns=2, temp_attack=1, weapon=item("w"))
    fight = Fight(left, fighter(triggers={"pre": [["gain_armor", 1]]})).set_up()
    worn = [(each.piece, each.slot, each.tier) for each in of(fight.events, told.PieceWorn)]
    assert worn == [("w", "weapon", "normal"), ("a", "item", "golden"), ("right", "trait", "normal")]
    has = [(each.actor, each.quantity, each.value) for each in of(fight.events, told.Has)]
    assert has == [("left", "hp_max", 9), ("left", "temp_attack", 1), ("left", "thorns", 2)]


def test_without_pre_phase() -> None:
    pieces = item("a", pre=[["gain_armor", 1]])
    assert Fight(fighter(pieces), allow_pre_phase=False).set_up().triggers == []


@pytest.mark.parametrize(
    ("tie_breaker", "speeds", "rolls", "first"),
    [
        ("left_first", (1, 1), [], "left"),
        ("right_first", (1, 1), [], "right"),
        ("right_first", (2, 1), [], "left"),
        ("left_first", (1, 2), [], "right"),
        ("random", (1, 1), ["open(0,tie)", "below(2)=1"], "right"),
        ("random", (1, 1), ["open(0,tie)", "below(2)=0"], "left"),
        ("random", (2, 1), [], "left"),
    ],
)
def test_who_acts_first(tie_breaker: str, speeds: tuple[int, int], rolls: list[str], first: str) -> None:
    fight = Fight(fighter(speed=speeds[0]), fighter(speed=speeds[1]), tie_breaker=tie_breaker).set_up(*rolls)
    assert [each.actor for each in of(fight.events, told.First)] == [first]
    assert [each.actor for each in of(fight.turn().events, told.Turn)] == [first]


def test_speed_is_compared_after_battle_start_and_never_again() -> None:
    fight = Fight(
        fighter(speed=1), fighter(item("a", battle_start=[["gain_speed", 2]], turn_end=[["lose", "speed", 9]]))
    )
    fight.set_up()
    assert [of(fight.turn().events, told.Turn)[0].actor for _ in range(4)] == ["right", "left"] * 2


def test_addresses_of_rolls() -> None:
    """Each step opens its own, at its first draw only; a step without one opens none."""
    luck = [["gain_armor", 1, {"chance": 50}]]
    piece = item("a", pre=luck, battle_start=luck, turn_start=[*luck, *luck], turn_end=luck)
    fight = Fight(fighter(piece), fighter(piece))
    pre = ["open(0,pre_right)", "d100=51", "open(0,pre_left)", "d100=51"]
    fight.set_up(*pre, "open(0,0)", "d100=51", "open(0,1)", "d100=50")
    fight.turn("open(1,0)", "d100=1", "d100=1", "d100=1")
    fight.turn("open(2,1)", "d100=1", "d100=1", "d100=1")
    assert fight.right["armor"] == 4


def test_a_start_of_turn_in_order() -> None:
    pieces = [
        item("start", turn_start=[["gain_armor", 1]]),
        item("n", every_n_turns=[{"n": 1, "do": [["gain_armor", 1]]}]),
        item("first", first_turn=[["gain_armor", 1]]),
        item("clock", countdown=[{"n": 1, "do": [["gain_armor", 1]]}]),
    ]
    fight = Fight(fighter(*pieces, poison=2, acid=1), fatigue_start=0).set_up().begin()
    assert fight.told == [
        "hp of left -1",
        "poison on left: 0 armor, 2 hp",
        "poison of left -1",
        *["armor of left +1"] * 4,
    ]
    assert fight.triggers == ["countdown clock", "first_turn first", "every_n_turns n", "turn_start start"]


@pytest.mark.parametrize(
    ("left", "lines"),
    [
        # Poison: ARMOR 0 first, the stacks fall by 1 either way.
        ({"poison": 3}, ["poison on left: 0 armor, 3 hp", "poison of left -1"]),
        ({"poison": 3, "armor": 1}, ["poison of left -1"]),
        # Acid has no decay, and cannot take more than there is.
        ({"acid": 3, "armor": 5}, ["armor of left -3"]),
        ({"acid": 3, "armor": 2}, ["armor of left -2", "left exposed"]),
        ({"acid": 3}, []),
        # Poison comes before Acid: ARMOR that Acid will take still protects.
        ({"poison": 1, "acid": 9, "armor": 2}, ["poison of left -1", "armor of left -2", "left exposed"]),
    ],
)
def test_statuses_at_the_start(left: dict[str, int], lines: list[str]) -> None:
    assert Fight(fighter(**left)).set_up().begin().told == lines


@pytest.mark.parametrize(
    ("left", "right", "options", "lines"),
    [
        ({"freeze": 2}, {"freeze": 1}, {}, ["freeze of left -1", "freeze of right -1"]),
        ({"freeze": 2}, {"freeze": 1}, {"freeze_decay": "own_turn"}, ["freeze of left -1"]),
        ({"riptide": 2, "armor": 9}, {}, {}, ["riptide on left: 0 armor, 5 hp", "riptide of left -1"]),
        ({"riptide": 2, "armor": 3}, {}, {"riptide_route": "armor"},
         ["riptide on left: 3 armor, 2 hp", "left exposed", "riptide of left -1"]),
        ({"regen": 3, "hp": 15}, {}, {}, ["heal left: 3", "regen of left -1"]),
        ({"regen": 3, "hp": 19}, {}, {}, ["heal left: 1, 2 over", "regen of left -1"]),
        # Riptide before Regen; the right's are for its own turns.
        ({"riptide": 1, "regen": 1}, {"riptide": 1, "regen": 1}, {},
         ["riptide on left: 0 armor, 5 hp", "riptide of left -1", "heal left: 1", "regen of left -1"]),
        ({"temp_attack": 2}, {"temp_attack": 2}, {}, ["temp_attack of left -2"]),
        ({"temp_attack": -2}, {}, {}, ["temp_attack of left +2"]),
    ],
)  # fmt: skip
def test_statuses_at_the_end(left: Any, right: Any, options: Any, lines: list[str]) -> None:
    fight = Fight(fighter(**left), fighter(**right), **options).set_up().begin()
    fight.strikes()
    assert fight.end().told == lines


@pytest.mark.parametrize(
    ("clear", "attack", "struck_before", "lines"),
    [
        ("struck", 1, False, ["thorns of right -3"]),
        # A strike of nothing reflects, but takes nothing: the owner was not struck.
        ("struck", 0, False, []),
        ("fired", 0, False, ["thorns of right -3"]),
        ("struck", 0, True, ["thorns of right -3"]),
    ],
)
def test_thorns_end_of_turn(clear: str, attack: int, struck_before: bool, lines: list[str]) -> None:
    right = fighter(thorns=3, struck_this_turn=struck_before)
    fight = Fight(fighter(attack=attack), right, thorns_clear=clear).struck()
    assert "thorns on left: 0 armor, 3 hp" in fight.told
    assert fight.end().told == lines
    assert fight.right["struck"] == fight.right["reflected"] == fight.left["struck"] == 0


def test_thorns_that_fire_answer_every_strike_of_the_turn() -> None:
    """Firing does not spend them; the turn's end does."""
    many = item("m", modifiers=[["strikes", 2]])
    fight = Fight(fighter(many, attack=1, speed=1), fighter(thorns=3), thorns_clear="fired").set_up().begin()
    fight.strikes()
    assert fight.told.count("thorns on left: 0 armor, 3 hp") == 3
    assert fight.right["thorns"] == 3
    assert fight.end().told == ["thorns of right -3"]


def test_who_strikes_into_thorns_is_struck_too() -> None:
    fight = Fight(fighter(thorns=4), fighter(thorns=1)).struck()
    assert fight.end().told == ["thorns of left -4"]


def test_thorns_kept() -> None:
    keeper = item("k", modifiers=["thorns_kept"])
    fight = Fight(fighter(attack=1), fighter(keeper, thorns=3)).struck()
    assert fight.end().told == []


def test_effects_of_the_end_in_order() -> None:
    pieces = [item("other", every_other_turn=[["gain_armor", 1]]), item("end", turn_end=[["gain_armor", 1]])]
    fight = Fight(fighter(*pieces, regen=1, hp=10)).set_up()
    fight.turn().turn().turn()
    assert fight.triggers == ["turn_end end", "every_other_turn other"]


@pytest.mark.parametrize(("start", "lost"), [(0, [1, 2, 3, 4]), (2, [1, 2]), (4, [])])
def test_fatigue(start: int, lost: list[int]) -> None:
    """1, 2, 3… to the active fighter alone, without ARMOR and without modifiers; Wounded may follow."""
    tough = item("t", modifiers=[["damage_taken", -9]])
    fight = Fight(fighter(tough, armor=5, hp=11), fighter(tough, armor=5), fatigue_start=start, turn_cap=4)
    fight.play()
    falls = [-each.change for each in of(fight.events, told.Change) if each.source == "fatigue"]
    assert falls == lost
    assert ("left wounded" in fight.told) is bool(lost)


def test_nobody_fights_for_ever() -> None:
    """Two that do no damage: fatigue ends it, both profiles alike."""
    for options in ({}, GAME):
        fight = Fight(fighter(), fighter(), **options)
        result = fight.play()
        # 40 turns, then 1, 3, 5… for the left and 2, 4, 6… for the right: 2 + 4 + 6 + 8 = 20 is reached first.
        assert (result.rounds, fight.reason, result.winner) == (48, "right_fell", 1)


def test_turn_cap_is_a_draw() -> None:
    fight = Fight(fighter(), fighter(hp=1), turn_cap=7)
    result = fight.play()
    assert (result.rounds, fight.reason, result.winner) == (7, "turn_cap", 0)
    assert kinds(fight)[-1] == "outcome"


def test_cap_of_500_turns() -> None:
    rich = item("r", turn_end=[["heal", 999]])
    fight = Fight(build(rich, stats={"health": 9999, "attack": 0}), build(rich, stats={"health": 9999, "attack": 0}))
    result = fight.play()
    assert (result.rounds, fight.reason) == (500, "turn_cap")


def test_extra_strikes_move_from_turn_to_turn() -> None:
    piece = item("a", first_turn=[["extra_strikes", 1, "now"], ["extra_strikes", 2, "next_turn"]],
                 battle_start=[["extra_strikes", 1, "every_turn"]])  # fmt: skip
    fight = Fight(fighter(piece)).set_up()
    made = []
    for _ in range(3):
        fight.turn()
        made.append(len(of(fight.events, told.Strike)))
        fight.turn()
    assert made == [3, 4, 2]


def test_extra_strikes_outside_of_the_strikes_are_for_the_next_turn() -> None:
    late = item("a", turn_end=[{"per_battle": 1, "do": [["extra_strikes", 1]]}])
    pushed = item("b", turn_start=[{"per_battle": 1, "do": [["extra_strikes", 1, "now", "enemy"]]}])
    for pieces in ((fighter(late), fighter()), (fighter(), fighter(pushed))):
        fight = Fight(*pieces).set_up()
        made = []
        for _ in range(3):
            fight.turn()
            made.append(len(of(fight.events, told.Strike)))
            fight.turn()
        assert sorted(made) == [1, 1, 2]


def test_extra_strike_in_the_midst_of_strikes() -> None:
    again = item("a", on_hit=[{"per_turn": 2, "do": [["extra_strikes", 1]]}])
    assert len(of(Fight(fighter(again)).struck().events, told.Strike)) == 3


def test_sixteen_strikes_at_most() -> None:
    many = item("a", modifiers=[["strikes", 40]])
    fight = Fight(fighter(many)).struck()
    assert len(of(fight.events, told.Strike)) == 16
    assert fight.told[-1] == "cut strikes of None None"
    assert fight.record.cut_count == 1


def test_sixteen_are_no_cut() -> None:
    fight = Fight(fighter(item("a", modifiers=[["strikes", 15]]))).struck()
    assert len(of(fight.events, told.Strike)) == 16
    assert fight.record.cut_count == 0
