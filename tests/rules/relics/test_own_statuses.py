"""Statuses that content declares itself: when they act, for whom, and what leaves them out. README, Own statuses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from tests.helpers.relics_fights import Fight, document, fighter, item, of

from fracas.errors import InputError
from fracas.rulesets.contract.types import Document
from fracas.rulesets.relics.content.compile import compile_battle
from fracas.rulesets.relics.rules import constants as codes
from fracas.rulesets.relics.rules import events as told
from fracas.rulesets.relics.rules.entry_points import play_many
from fracas.rulesets.relics.rules.state import result_t


def status(name: str, *, modifiers: Any = (), flags: Any = (), **triggers: Any) -> Document:
    """A status called like its id; keywords are triggers."""
    return {"id": name, "name": name, "triggers": triggers, "modifiers": list(modifiers), "flags": list(flags)}


def fight_of(statuses: list[Document], left: Document, right: Document | None = None, **options: Any) -> Fight:
    """A fight that has these statuses."""
    resolved = document(left, right if right is not None else fighter(), **options)
    return Fight.of_document(resolved | {"statuses": {each["id"]: each for each in statuses}})


def with_stacks(left: Mapping[str, int], right: Mapping[str, int] | None = None, **keys: Any) -> dict[str, Document]:
    """Two fighters with stacks of own statuses."""
    return {"left": fighter(statuses=dict(left), **keys), "right": fighter(statuses=dict(right or {}))}


WEAK = status("weak", modifiers=[["attack", {"of": "self.weak", "times": -1}]])
FADING = status("fading", turn_end=[["remove", "fading", 1, "self"]])


def test_a_modifier_holds_as_long_as_there_are_stacks():
    fight = fight_of([WEAK], **with_stacks({"weak": 2}, attack=5)).struck()
    assert fight.told == ["strike on right: 0 armor, 3 hp"]
    fight = fight_of([WEAK], **with_stacks({}, {"weak": 2}, attack=5)).struck()
    assert fight.told == ["strike on right: 0 armor, 5 hp"]
    constant = status("weak", modifiers=[["attack", -2]])
    assert fight_of([constant], **with_stacks({}, attack=5)).struck().told == ["strike on right: 0 armor, 5 hp"]


def test_it_acts_for_whoever_has_stacks_of_it():
    bite = status("bite", turn_start=[["deal", {"of": "self.bite"}, "self"]])
    fight = fight_of([bite], **with_stacks({"bite": 2}, {"bite": 3}, speed=1)).set_up()
    assert fight.begin().told == ["bite on left: 0 armor, 2 hp"]
    fight.strikes()
    fight.end()
    assert fight.begin().told == ["bite on right: 0 armor, 3 hp"]


def test_it_wears_off_if_it_says_so_and_not_otherwise():
    fight = fight_of([FADING, WEAK], **with_stacks({"fading": 2, "weak": 2}, speed=1)).set_up()
    fight.turn()
    fight.turn()
    assert fight.left.has(fading=1, weak=2)
    fight.turn()
    assert fight.left.has(fading=0, weak=2)
    fight.turn()
    fight.turn()
    assert not [each for each in fight.triggers if "fading" in each]


@pytest.mark.parametrize(
    ("entry", "healed"),
    [
        ({"of": "last", "do": [["heal", 4]]}, ["heal left: 4"]),
        ({"of": "last", "if": "self.last == 0", "do": [["heal", 4]]}, ["heal left: 4"]),
        # Another status' end, or anybody's: that has to have stacks, and they are gone.
        ({"of": "poison", "do": [["heal", 4]]}, []),
        ({"do": [["heal", 4]]}, []),
    ],
)
def test_what_answers_its_own_end_runs_without_stacks(entry, healed):
    last = status("last", turn_start=[["remove", "last", 1, "self"]], status_lost=[entry])
    one = fighter(statuses={"last": 1}, hp=10, speed=1)
    fight = fight_of([last], one).set_up()
    assert fight.begin().told == ["last of left -1", *healed]


def test_it_has_the_last_numbers_of_both_and_fires_after_sets_by_id():
    ops = {"turn_start": [["gain_armor", 1]]}
    statuses = [status(name, **ops) for name in ("zeal", "ash", "mist")]
    bonus = {"id": "set", "name": "set", "triggers": ops}
    stacks = {"zeal": 1, "ash": 1, "mist": 1}
    one = fighter(item("thing", **ops), statuses=stacks, speed=1, sets=[bonus], triggers=ops)
    fight = fight_of(statuses, one, fighter(statuses=stacks)).set_up()
    worn = {(each.actor, each.piece) for each in of(fight.events, told.PieceWorn) if each.slot == "status"}
    assert worn == {(side, name) for side in ("left", "right") for name in stacks}
    assert fight.begin().triggers == [f"turn_start {name}" for name in ("left", "thing", "set", "ash", "mist", "zeal")]
    kinds = fight.record.piece_kinds.tolist()
    assert [number for number, kind in enumerate(kinds) if kind == codes.PIECE_KINDS.index("status")] == [
        *(29, 30, 31),
        *(61, 62, 63),
    ]
    assert fight.compiled.books["quantity"][13:] == ["ash", "mist", "zeal"]


def test_one_that_does_nothing_is_no_piece():
    fight = fight_of([status("mark")], **with_stacks({"mark": 1})).set_up()
    assert [each.slot for each in of(fight.events, told.PieceWorn)] == []


def test_what_a_fighter_begins_with_is_told_and_a_phase_takes_it():
    risen = {"name": "Risen", "stats": {"health": 5}}
    one = fighter(statuses={"fading": 3}, hp=1, phases=[risen])
    two = fighter(item(battle_start=[["deal", 1]]))
    fight = fight_of([FADING], one, two).set_up()
    assert [(each.actor, each.quantity, each.value) for each in of(fight.events, told.Has)] == [
        ("left", "hp_max", 20),
        ("left", "fading", 3),
    ]
    assert fight.left.has(phase=2, fading=0)


def test_random_and_each_mean_the_seven():
    ops = [["remove", "each", "all", "self"], ["remove", "random", 1, "self"]]
    one = fighter(item(battle_start=ops), statuses={"weak": 2}, poison=1)
    fight = fight_of([WEAK], one).set_up()
    assert fight.told == ["poison of left -1"]
    fight = fight_of([WEAK], fighter(item(battle_start=[["give", "each", 1, "enemy"]]))).set_up()
    assert len(of(fight.events, told.Change)) == len(codes.STATUSES)
    assert fight.right["weak"] == 0


def test_it_is_not_retriggered_and_may_retrigger_others():
    ops = {"turn_end": [["gain_armor", 1]]}
    again = item("again", turn_start=[["retrigger", "turn_end"]])
    fight = fight_of([status("mist", **ops)], fighter(again, statuses={"mist": 1}, speed=1)).set_up()
    assert fight.begin().triggers == ["turn_start again"]
    echo = status("echo", turn_start=[["retrigger", "turn_end"]])
    fight = fight_of([echo], fighter(item("thing", **ops), statuses={"echo": 1}, speed=1)).set_up()
    assert fight.begin().triggers == ["turn_start echo", "turn_end thing"]


@pytest.mark.parametrize(
    ("op", "left", "right", "expected"),
    [
        (["give", "weak", 2, "enemy"], {}, {}, ["weak of right +2"]),
        (["give", "weak", 2, "both"], {}, {}, ["weak of left +2", "weak of right +2"]),
        (["remove", "weak", 1, "self"], {"weak": 3}, {}, ["weak of left -1"]),
        (["move", "weak", "all", "enemy"], {"weak": 3}, {}, ["weak of left -3", "weak of right +3"]),
        (["convert", "weak", "armor", "all"], {"weak": 3}, {}, ["weak of left -3", "armor of left +3"]),
        (["convert", "hp", "weak", 2], {}, {}, ["hp of left -2", "weak of left +2"]),
        (["spend", "weak", 4], {"weak": 3}, {}, ["left cannot pay 4 weak"]),
        (["spend", "weak", 3], {"weak": 3}, {}, ["weak of left -3"]),
        (["give", "weak", 9999, "self"], {"weak": 1}, {}, ["weak of left +9998"]),
        (["gain_armor", 1, {"if": "enemy_has_weak"}], {}, {"weak": 1}, ["armor of left +1"]),
        (["gain_armor", 1, {"if": "self.weak > enemy.weak"}], {"weak": 1}, {"weak": 1}, []),
        (["gain_armor", {"of": "enemy.weak", "times": 2}], {}, {"weak": 2}, ["armor of left +4"]),
    ],
)
def test_ops_take_it_like_any_status(op, left, right, expected):
    one = fighter(item(battle_start=[op]), statuses=left)
    assert fight_of([WEAK], one, fighter(statuses=right)).set_up().told == expected


def test_immunity_and_stacks_given_count_for_it():
    giver = item(battle_start=[["give", "weak", 1, "enemy"]], modifiers=[["stacks_given", "weak", 2]])
    assert fight_of([WEAK], fighter(giver)).set_up().told == ["stacks_given 1 to 3", "weak of right +3"]
    immune = fighter(item(modifiers=[["immune", "weak"]]))
    assert fight_of([WEAK], fighter(giver), immune).set_up().told == ["right immune to 1 weak"]


def test_triggers_of_statuses_tell_it_from_others():
    hears = item("ears", status_gained={"of": "weak", "do": [["gain_armor", 1]]})
    both = item(battle_start=[["give", "fading", 1, "self"], ["give", "weak", 1, "self"]])
    fight = fight_of([WEAK, FADING], fighter(both, hears)).set_up()
    assert fight.told == ["fading of left +1", "weak of left +1", "armor of left +1"]


def test_one_that_gives_itself_is_cut():
    greedy = status("greedy", status_gained=[["give", "greedy", 1, "self"]])
    one = fighter(item(battle_start=[["give", "greedy", 1, "self"]]))
    fight = fight_of([greedy], one).set_up()
    assert fight.told == ["greedy of left +1", "greedy of left +1", "cut reentry of status_gained greedy"]


def test_two_that_give_each_other_end_all_the_same():
    first = status("first", enemy_status_gained=[["give", "first", 1, "enemy"]])
    fight = fight_of([first], fighter(item(battle_start=[["give", "first", 1, "both"]])))
    result = fight.play()
    assert result["fault"] == 0
    assert result["cuts"] > 0


def test_flags_count_with_stacks():
    thorny = status("thorny", flags=["on_damaged_deal_damage", 2, "cant_attack"])
    fight = fight_of([thorny], fighter(attack=1, speed=1), fighter(statuses={"thorny": 1}, attack=3))
    fight.struck()
    assert fight.told == ["strike on right: 0 armor, 1 hp", "thorny on left: 0 armor, 2 hp"]
    fight.end()
    fight.begin()
    assert fight.strikes().told == ["right cannot_attack"]


def test_a_limited_modifier_counts_what_it_does_as_a_piece():
    bite = status("bite", turn_start=[["deal", 3, "self"]])
    armored = item(modifiers=[["damage_taken", -1, {"source": "pieces"}], ["damage_taken", -5, {"tag": "blade"}]])
    fight = fight_of([bite], fighter(armored, statuses={"bite": 1}, speed=1)).set_up()
    assert fight.begin().told == ["damage_taken 3 to 2", "bite on left: 0 armor, 2 hp"]


def test_played_without_a_log_it_is_the_same():
    ops = {"turn_start": [["deal", {"of": "self.bite"}, "self"]], "turn_end": [["remove", "bite", 1, "self"]]}
    bite = status("bite", modifiers=[["damage_taken", 1]], **ops)
    one = fighter(item(on_hit=[["give", "bite", 1, "enemy", {"if": "enemy.bite < 4"}]]), hp=30, attack=2)
    fight = fight_of([bite, WEAK], one, fighter(item(on_struck=[["give", "weak", 1, "enemy"]]), hp=30, attack=3))
    logged = fight.play().copy()
    results = np.zeros(1, result_t)
    play_many(fight.compiled.record.copy(), 0, results, None, None)
    assert results[0] == logged


# Documents that nothing resolved.


@pytest.mark.parametrize(
    ("triggers", "where", "message"),
    [
        ({"pre": [["give", "ghost", 1, "self"]]}, "left.items.0.triggers.pre.0.do.0.status", "there is no status"),
        ({"pre": [["convert", "hp", "ghost", 1]]}, "left.items.0.triggers.pre.0.do.0.to", "there is no status"),
        ({"status_lost": {"of": "ghost", "do": [["heal", 1]]}}, "left.items.0.triggers.status_lost.0.of", "ghost"),
        ({"pre": [["heal", {"of": "self.ghost"}]]}, "left.items.0.triggers.pre.0.do.0.amount.of", "self.ghost"),
        ({"pre": [["heal", 1, {"if": "self_has_ghost"}]]}, "left.items.0.triggers.pre.0.do.0.if", "self_has_ghost"),
    ],
)
def test_a_status_that_is_not_in_the_document_is_refused(triggers, where, message):
    with pytest.raises(InputError) as caught:
        compile_battle(document(fighter(item(**triggers)), fighter()), {})
    (problem,) = caught.value.problems
    assert problem.where == where
    assert message in problem.message


def test_stacks_of_nothing_and_too_many_statuses_are_refused():
    with pytest.raises(InputError, match=r'left\.state\.statuses: there is no status "ghost"'):
        fight_of([], fighter(statuses={"ghost": 1}))
    with pytest.raises(InputError, match="statuses"):
        fight_of([status(name) for name in ("a", "b", "c", "d")], fighter())


def test_three_leave_room_for_seven_sets():
    sets = [{"id": f"set-{number}", "name": f"Set {number}"} for number in range(8)]
    three = [status(name, pre=[["heal", 1]]) for name in ("a", "b", "c")]
    assert not fight_of(three[:2], fighter(sets=sets)).warnings
    assert not fight_of(three, fighter(sets=sets[:7])).warnings
    with pytest.raises(InputError, match=r"left\.sets: has 8 sets; beside 3 own statuses there is room for 7"):
        fight_of(three, fighter(sets=sets))
