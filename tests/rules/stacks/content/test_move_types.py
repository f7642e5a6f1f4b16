"""README, Plug-in moves: Strike written anew plays the same battles; what a plug-in may not do is found and named."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.helpers.scenarios import problems_of
from tests.helpers.soak import times
from tests.helpers.stacks_fights import CHOOSABLE, Fight, attack, names, of, random_documents, unit

from fracas.plugins import loader as loading
from fracas.plugins import sandbox
from fracas.plugins.loader import plugins_of
from fracas.rulesets.stacks.content.move_type_proof import prove
from fracas.rulesets.stacks.content.move_types import MOVE_TYPE
from fracas.rulesets.stacks.rules.events import Choice, Considered, Move, Scores
from fracas.rulesets.stacks.rules.mechanics import take_turn

HEAD = """
import fracas
from fracas.rulesets.stacks.rules.participants import can_harm, participant_at
from fracas.rulesets.stacks.rules.rolls import damage_roll, hit_value, lose_health, own_roll, put


@fracas.move_type
"""
BLOW = {
    "flags": "melee, counts_as_strike = True, True",
    "is_viable(battle, actor, target)": "return can_harm(battle, actor, target)",
    "expected_value(battle, actor, target)": (
        "one, other = participant_at(battle, actor), participant_at(battle, target)\n"
        "return hit_value(battle, one.attack, other.defence, one.damage, 2)"
    ),
    "repeats(battle, actor, target)": "return 2",
    "generate(battle, actor, target)": (
        "one, other = participant_at(battle, actor), participant_at(battle, target)\n"
        "put(battle, target, damage_roll(battle, target, one.attack, other.defence, one.damage))"
    ),
    "apply(battle, actor, target, effect)": "lose_health(participant_at(battle, target), effect)",
}


def written(name="Blow", **changed):
    """The class Blow, which is Strike, with other bodies for some of its functions."""
    lines = [f"class {name}:"]
    for head, body in BLOW.items():
        body = changed.get(head.partition("(")[0], body)
        if head == "flags":
            lines += [f"    {line}" for line in body.splitlines()]
        elif body is not None:
            lines += [f"    def {head}:", *(f"        {line}" for line in body.splitlines()), ""]
    return HEAD + "\n".join(lines) + "\n"


@pytest.fixture
def load(tmp_path, monkeypatch):
    """Load the plug-ins of a text, without proving them."""
    monkeypatch.setattr(loading, "kinds", lambda: {MOVE_TYPE.mark: MOVE_TYPE})
    file = tmp_path / "moves.py"

    def plugins(text):
        file.write_text(text, encoding="utf-8")
        return {plugin.name: plugin for _, plugin in plugins_of(file)}

    return plugins


def renamed(document, old, new):
    """A document in which units have another move type in the place of one."""
    for stack in document["stacks"]:
        for each in stack["units"]:
            each["moves"] = [new if name == old else name for name in each["moves"]]
    return document


def told(fight, **renaming):
    """What happened, without what was considered: a plug-in's place in the registry order is another."""
    fight.play()
    rows = [event.as_json() for event in fight.events() if event.NAME != "considered"]
    return [{**row, "move": renaming.get(row["move"], row["move"])} if "move" in row else row for row in rows]


@pytest.mark.parametrize("usual", [False, True])
def test_strike_as_a_plug_in_plays_the_same_battles(load, usual):
    plugins = load(written(flags=f"melee, counts_as_strike, usual_targets = True, True, {usual}"))
    strikers = [move for move in CHOOSABLE if move not in ("archery", "bombard", "javelin", "sacrifice")]
    made = 0
    for document in random_documents(300, times(12), strikers):
        document["options"]["valuation"] = "exact"
        shipped = told(Fight(document))
        own = told(Fight(renamed(document, "strike", "blow"), plugins), blow="strike")
        assert own == shipped
        made += sum(row["kind"] == "move" for row in shipped)
    assert made > 75


def test_the_usual_targets_are_living_enemies_of_harmful_moves_and_living_friends_of_others(load):
    for harmful, expected in (("True", ["t.y"]), ("False", ["a.x", "a.w"])):
        flags = f"usual_targets, harmful = True, {harmful}"
        plugins = load(written(flags=flags, is_viable="return True", expected_value="return 0"))
        fight = attack({"a": [unit("x", "blow"), unit("w"), unit("v")]}, {"t": [unit("y"), unit("z")]}, plugins)
        fight["a.v"].health = fight["t.z"].health = 0
        assert [event.target for event in of(fight.turn("a.x"), Considered)] == expected


def test_a_usual_target_that_has_died_is_not_struck_again(load):
    plugins = load(written(flags="usual_targets = True", is_viable="return True", repeats="return 3"))
    fight = attack({"a": [unit("x", "blow", attack=9, damage=9)]}, {"t": [unit("y", health=4), unit("z")]}, plugins)
    made = of(fight.turn("a.x", (9, 5), (0, 0), (9, 1), (9, 5), (0, 0), (9, 4)), Move)
    assert [(event.target, event.health) for event in made] == [("t.y", 3), ("t.y", 0)]


def test_a_weaker_strike_plays_other_battles(load):
    """A negative control."""
    plugins = load(written(repeats="return 1"))
    differ = 0
    for document in random_documents(300, 20, ["strike"]):
        document["options"]["valuation"] = "exact"
        shipped = told(Fight(document))
        differ += told(Fight(renamed(document, "strike", "blow"), plugins), blow="strike") != shipped
        if differ > 3:
            return
    pytest.fail(f"no more than {differ} battles differ")


def test_the_name_is_the_classs_in_snake_case(load):
    assert list(load(written("FireBreath") + written("HTTPMove2Go").removeprefix(HEAD.partition("@")[0]))) == [
        "fire_breath",
        "http_move2_go",
    ]


def test_a_move_of_ones_own_can_change_scores_and_aim_at_friends(load, monkeypatch):
    text = written(
        "Song",
        flags="harmful = False",
        is_viable="return battle.participants[actor].side == battle.participants[target].side",
        expected_value="return 3 if battle.participants[actor].used[battle.move_type] == 0 else 0",
        repeats="return 1",
        generate="put(battle, target, own_roll(battle, target, 1, 6))",
        apply="battle.participants[target].attack += effect",
    )
    fight = attack({"a": [unit("x", "song"), unit("w")]}, {"t": [unit("y")]}, load(text))
    before = int(fight.log.count)
    monkeypatch.setattr("fracas.rulesets.stacks.rules.rolls.between", lambda dice, low, high: 4)
    take_turn(fight.record, fight.id("a.x"), fight.log, fight.plugins)
    events = fight.events(before)
    assert names(events, "considered") == ["choice", "amount", "move", "scores"]
    [scores] = of(events, Scores)
    assert (scores.target, scores.attack) == ("a.x", 4)
    assert fight["a.x"].used[8] == 1
    assert names(fight.turn("a.x"), "considered") == ["wait"]


def test_a_move_without_a_target_concerns_nobody_but_the_actor(load):
    text = written(
        "Rest", flags="harmful = False", is_viable="return actor == target", expected_value="return 1.0",
        repeats="return 1", generate="put(battle, -1, 7)",
        apply="battle.participants[actor].health = min(battle.participants[actor].full_health, effect)",
    )  # fmt: skip
    fight = attack({"a": [unit("x", "rest")]}, {"t": [unit("y")]}, load(text))
    [move] = of(fight.turn("a.x"), Move)
    assert (move.target, move.effect, move.health) == (None, 7, 7)


def test_a_melee_move_of_ones_own_provokes_by_its_flags(load):
    for flags, answers in (
        ("melee = True", {"melee": 2, "strike": 0}),
        ("melee, counts_as_strike = True, True", {"melee": 2, "strike": 2}),
        ("melee, harmful = True, False", {"melee": 0, "strike": 0}),
        ("melee = False", {"melee": 0, "strike": 0}),
    ):
        for rule, count in answers.items():
            striker = unit("y", "strike", health=90)
            red = {"a": [unit("x", "blow", attack=2, damage=1)]}
            fight = attack(red, {"t": [striker]}, load(written(flags=flags)), riposte_to=rule)
            fight.play()
            first = [event for event in fight.events() if event.tick == 0]
            choices, moves = of(first, Choice), of(first, Move)
            assert sum(move.move == "riposte" for move in moves) == count * sum(c.move == "blow" for c in choices)


def test_plug_ins_are_numbered_in_the_order_in_which_they_are_loaded(load):
    plugins = load(written("Zeal") + written("Awe").removeprefix(HEAD.partition("@")[0]) + written("Unused"))
    fight = attack({"a": [unit("x", "awe", "strike", "zeal")]}, {"t": [unit("y")]}, plugins)
    assert list(fight.compiled.books["move"][8:]) == ["zeal", "awe"]
    assert list(fight["a.x"].moves[:3]) == [3, 8, 9]


def test_a_move_type_that_nobody_brings_is_refused():
    [problem] = problems_of(attack, {"a": [unit("x", "strikes")]}, {"t": [unit("y")]})
    assert (problem.where, problem.message) == ("stacks.0.units.0.moves.0", 'there is no move type "strikes"')
    assert problem.suggestion == 'did you mean "strike"?'


# The form of a plug-in.


@pytest.mark.parametrize(
    ("changed", "where", "words"),
    [
        ({"repeats": None}, "blow.repeats", "is missing"),
        ({"flags": "melee = 1"}, "blow.melee", "1 is not True or False"),
        ({"flags": "mele = True"}, "blow.mele", 'a move type has no "mele"'),
        ({"flags": "SHARE = 3"}, "blow.SHARE", 'a move type has no "SHARE"'),
    ],
)
def test_what_is_wrong_with_a_class_is_said(load, changed, where, words):
    [problem] = problems_of(load, written(**changed))
    assert problem.where.endswith(f"moves.py: {where}")
    assert problem.message == words


def test_a_wrong_signature_is_refused_and_the_right_one_shown(load):
    text = written().replace("repeats(battle, actor, target)", "repeats(self, battle, actor, target)")
    [problem] = problems_of(load, text)
    assert problem.message == "repeats(self, battle, actor, target) does not take what repeats takes in a move type"
    assert problem.suggestion == "write repeats(battle, actor, target)"


def test_all_that_is_wrong_is_said_at_once(load):
    assert len(problems_of(load, written(repeats=None, generate=None, flags="mele = True"))) == 3


@pytest.mark.parametrize("name", ["Strike", "Archery", "Sacrifice", "Riposte"])
def test_the_shipped_moves_keep_their_names(load, name):
    [problem] = problems_of(load, written(name))
    assert problem.message == f'"{name.lower()}" is the name of a move type that ships with Fracas'


def test_a_function_is_no_move_type(load):
    [problem] = problems_of(load, HEAD + "def blow(battle, actor, target):\n    return True\n")
    assert problem.message == "blow is not a class"


# Proof.

FAULTS = {
    "raises": ("is_viable", "return 1 // (actor - actor) > 0", "raises ZeroDivisionError for actor"),
    "no truth value": ("is_viable", "return 1", "returns 1 for actor"),
    "changes": ("is_viable", "battle.participants[target].health = 1\nreturn True", "changes the battle"),
    "draws": ("expected_value", "own_roll(battle, target, 0, 9)\nreturn 1.0", "draws from the dice"),
    "nan": ("expected_value", "return float('nan')", "returns nan"),
    "infinite": ("expected_value", "return float('inf')", "returns inf"),
    "text": ("expected_value", "return 'much'", 'returns "much"'),
    "two answers": ("repeats", "SEEN.append(1)\nreturn len(SEEN) % 3 + 1", "gives different answers to the same call"),
    "fraction": ("repeats", "return 1.5", "returns 1.5"),
    "returns": ("generate", "return 3", "returns 3"),
    "changes early": ("generate", "battle.participants[target].health = 0", "changes the battle (participants)"),
    "nobody": ("generate", "put(battle, 99, 1)", "leaves a tuple for 99, not a participant"),
    "large": ("generate", "put(battle, target, 2 ** 40)", "leaves an effect of 1,099,511,627,776"),
    "many": ("generate", "for _ in range(200):\n    put(battle, target, 1)", "leaves or rolls too much"),
    "hidden": ("generate", "import fracas.kernel.dice as dice\nput(battle, target, dice.d100(battle.dice))", "draws a"),
    "cut effect": ("generate", "put(battle, target, 2.7)", "raises TypeError for actor"),
    "cut target": ("generate", "put(battle, target / 1, 2)", "raises TypeError for actor"),
    "cut score": ("generate", "damage_roll(battle, target, 5.5, 1, 1)", "raises TypeError for actor"),
    "cut roll": ("generate", "own_roll(battle, target, 0, 2.5)", "raises TypeError for actor"),
    "cut health": ("apply", "battle.participants[target].health /= 2", "raises TypeError for actor"),
    "cut item": ("apply", "battle.participants[target]['attack'] = 2.0", "raises TypeError for actor"),
    "below 0": ("apply", "battle.participants[target].health -= 100_000", "leaves a health of -"),
    "above full": ("apply", "battle.participants[target].health += 100_000", "leaves a health of "),
    "score": ("apply", "battle.participants[target].attack += 100_000", "leaves a score beyond 10,000"),
    "side": ("apply", "battle.participants[target].side = 0", "changes side of a participant"),
    "stranger": ("apply", "for one in battle.participants:\n    one.damage += 1", "changes a participant that"),
    "turn": ("apply", "battle.participants[target].damage = battle.turn", "depends on the turn"),
    "battle": ("apply", "battle.turn = 9", "changes the battle (turn)"),
    "slow": ("repeats", "import time\nif not SEEN:\n    time.sleep(0.6)\nSEEN.append(1)\nreturn 1", "takes too long"),
}  # fmt: skip


@pytest.mark.parametrize(("function", "body", "words"), FAULTS.values(), ids=FAULTS.keys())
def test_a_faulty_move_type_is_found_and_its_function_named(load, function, body, words, monkeypatch):
    monkeypatch.setattr("fracas.rulesets.stacks.content.move_type_proof.STATES", 60)
    said: list[str] = []
    plugin = load("SEEN = []\n" + written(**{function: body}))["blow"]
    problems = prove(plugin, said.append)
    assert [problem.where for problem in problems] == [f"{plugin.file}: blow.{function}"]
    assert problems[0].message.startswith(words)
    assert said[-1].startswith("blow.")


def test_an_effect_with_a_fraction_is_told_with_what_is_right(load, monkeypatch):
    monkeypatch.setattr("fracas.rulesets.stacks.content.move_type_proof.STATES", 60)
    [problem] = prove(load(written(generate="put(battle, target, 2.7)"))["blow"], lambda function: None)
    assert problem.message.endswith("effect takes a whole number, not 2.7; divide with //")


def test_a_sound_move_type_is_proved(load, monkeypatch):
    monkeypatch.setattr("fracas.rulesets.stacks.content.move_type_proof.STATES", 200)
    assert prove(load(written())["blow"], lambda function: None) == []


def test_every_faulty_function_is_told(load, monkeypatch):
    monkeypatch.setattr("fracas.rulesets.stacks.content.move_type_proof.STATES", 60)
    text = written(is_viable="return True", repeats="return 1.5", expected_value="return 'much'", apply="return 1")
    assert len(prove(load(text)["blow"], lambda function: None)) == 3


# From a file on, as everybody loads them.


def test_a_plug_in_that_never_ends_is_stopped_and_named(tmp_path, monkeypatch):
    monkeypatch.setattr(sandbox, "SECONDS", 5)
    file = tmp_path / "endless.py"
    # Asleep, so that the machine can do something else until it is stopped; the next test has one that is busy.
    file.write_text(written(repeats="import time\nwhile True:\n    time.sleep(1)"), encoding="utf-8")
    [problem] = problems_of(loading.load_plugins, [file])
    assert problem.where == f"{file}: blow.repeats"
    assert problem.message == "takes too long: it was stopped after 5 seconds"


def test_starting_the_process_is_not_counted(tmp_path, monkeypatch):
    """A machine that is busy takes longer to import everything than the plug-in is given."""
    monkeypatch.setattr(sandbox, "SECONDS", 0)
    file = tmp_path / "endless.py"
    file.write_text(written(repeats="while True:\n    pass"), encoding="utf-8")
    [problem] = problems_of(loading.load_plugins, [file])
    assert problem.message == "takes too long: it was stopped after 0 seconds"
    child = subprocess.Popen([sys.executable, "-c", "print('ready'); input()"], stdin=-1, stdout=-1)
    with child:
        assert sandbox._listen(child) == (b"ready\n", 0)


def test_a_process_that_never_gets_ready_is_stopped(monkeypatch):
    monkeypatch.setattr(sandbox, "SECONDS_TO_START", 0)
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=-1, stdout=-1) as child:
        assert sandbox._listen(child) == (b"", 0)


def test_a_plug_in_that_ends_the_program_is_named(tmp_path):
    file = tmp_path / "deadly.py"
    file.write_text(written(generate="import os\nos._exit(7)"), encoding="utf-8")
    [problem] = problems_of(loading.load_plugins, [file])
    assert problem.where == f"{file}: blow.generate"
    assert problem.message == "ends the program (exit status 7)"


def test_the_proof_in_its_own_process_finds_what_is_wrong_though_a_plug_in_prints(tmp_path):
    file = tmp_path / "faulty.py"
    file.write_text(written(apply="print('hello')\nbattle.turn = 9"), encoding="utf-8")
    [problem] = problems_of(loading.load_plugins, [file])
    assert (problem.where, problem.message) == (f"{file}: blow.apply", "changes the battle (turn)")


def test_an_installed_package_offers_plug_ins_under_a_name_that_may_print(tmp_path, monkeypatch):
    (tmp_path / "blows.py").write_text(written(repeats="print('hello')\nreturn 2"), encoding="utf-8")
    about = tmp_path / "blows-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: blows\nVersion: 1\n", encoding="utf-8")
    (about / "entry_points.txt").write_text("[fracas.plugins]\nheavy-blows = blows\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    [plugin] = loading.load_plugins([Path("heavy-blows")]).values()
    assert (plugin.name, plugin.file) == ("blow", str(tmp_path / "blows.py"))
    [problem] = problems_of(loading.load_plugins, [Path("light-blows")])
    assert problem.message == "there is no such file"
