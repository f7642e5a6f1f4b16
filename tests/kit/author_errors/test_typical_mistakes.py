# ruff: noqa: E501, ISC004 -- messages stand as they are shown
"""What authors get wrong, with the exact message: file, line, what it is, what to write instead."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.helpers.commands import call
from tests.kit.author_errors.duels import DUEL, changed, write

from fracas.errors import InputError
from fracas.kit import load

HIT = "    enemy.hp = max(enemy.hp - damage, 0)\n"
HEAT = "    battle.sides[me.side].heat += 1\n"
STATE = '    hp: int = state(starts="health", of="health")\n    """The hp left."""\n'


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.delenv(load.VARIABLE, raising=False)
    monkeypatch.chdir(tmp_path)
    with load.fresh():
        yield


def message(text: str) -> str:
    write(Path(), text)
    with pytest.raises(InputError) as caught:
        load.use("duel.py")
    return str(caught.value)


def test_the_game_that_mistakes_are_planted_in_is_sound(tmp_path: Path) -> None:
    assert load.use(write(Path())).name == "duel"


# Inside a rule, in place of its line: the new line, and what is said about it.
IN_RULES = {
    "any": (
        "    won = any(each.hp > 0 for each in battle.sides[0].units)\n",
        [
            "hit: generator expressions do not compile (write a loop)",
            "hit: any() does not compile (write a loop that returns True)",
        ],
    ),
    "all": ("    won = all((me.hp, enemy.hp))\n", ["hit: all() does not compile (write a loop that returns False)"]),
    "reversed": (
        "    for each in reversed(battle.sides):\n        each.heat = 0\n",
        ["hit: reversed() does not compile (write for i in range(n - 1, -1, -1))"],
    ),
    "sorted": (
        "    first = sorted(battle.sides)\n",
        ["hit: sorted() makes a list (look for the best one in a loop; initiative() is for the order of turns)"],
    ),
    "comprehension": ("    left = [each.heat for each in battle.sides]\n", ["hit: comprehensions do not compile (write a loop)"]),
    "list": (
        "    order = []\n",
        ["hit: a list is made here, and rules make nothing (keep numbers in state(capacity=5), or use a tuple)"],
    ),
    "append": (
        "    battle.sides[0].units.append(me)\n",
        [
            "hit: battle.sides[0].units has places of a fixed number and no .append() (write to a place, and keep how "
            "many are in use in a State field)"
        ],
    ),
    "dictionary": (
        "    seen = {}\n",
        ["hit: a dictionary is made here, and rules make nothing (use match, or a field for each value)"],
    ),
    "string": (
        '    word = "ouch"\n',
        ["hit: text does not compile (use an IntEnum, or emit an event and say it in its story)"],
    ),
    "exception": (
        "    raise ValueError\n",
        ["hit: exceptions do not compile (end the battle with draw(), or refuse scenarios in valid())"],
    ),
    "allocation": (
        "    axe = Weapon(power=3)\n",
        ["hit: makes a Weapon, and rules make nothing (change a record that is there)"],
    ),
    "enumeration called": (
        "    mood = Mood(battle.tick)\n",
        ["hit: Mood(battle.tick) does not compile (enumerations are plain numbers inside rules: use battle.tick as it is)"],
    ),
    "name of an enumeration": (
        "    word = me.mood.name\n",
        ["hit: me.mood is a plain number inside a rule and has no .name (compare it: me.mood == Mood.CALM)"],
    ),
    "mistyped field": ("    enemy.hpp = 0\n", ["hit: Fighter has no field hpp (did you mean \"hp\"?)"]),
    "mistyped rule": ("    hitt(battle, me, enemy, log)\n", ["hit: there is no rule hitt (did you mean \"hit\"?)"]),
    "given field": (
        "    enemy.health -= damage\n",
        [
            "hit: writes Fighter.health, which files give and battles never change (declare State for it: "
            'health_now: int = state(starts="health"))'
        ],
    ),
    "the winner": (
        "    battle.winner = 1\n",
        ["hit: writes winner, which the kit keeps (end the battle with win() or draw())"],
    ),
    "text of a record": (
        "    name = me.name\n",
        ["hit: Fighter.name is text for people, which rules never see (compare number)"],
    ),
    "fraction": (
        "    enemy.hp = enemy.hp / 2\n",
        ["hit: / makes a fraction, and records hold whole numbers (divide with //)"],
    ),
    "half": ("    enemy.hp -= 0.5 * damage\n", ["hit: 0.5 is a fraction, and rules count in whole numbers (count in hundredths: 150 for 1.5)"]),
    "division by zero": (
        "    enemy.hp = damage // 0\n",
        ["hit: divides by 0 (plain Python says 0 here, and compiled code stops)"],
    ),
    "index": (
        "    enemy = battle.sides[0].units[7]\n",
        [
            "hit: battle.sides[0].units has 3 places, 0 to 2, and no place 7 (compiled code would read on behind it, and "
            "not stop)"
        ],
    ),
    "slice": (
        "    battle.sides[0].units[:2] = 0\n",
        ["hit: slices are read and never assigned (write a loop over the places)"],
    ),
    "endless loop": ("    while True:\n        damage += 1\n", ["hit: this loop never ends (break or return out of it)"]),
    "random": (
        "    import random\n",
        ["hit: import does not compile inside a rule (import at the top of the file)"],
    ),
    "number in place of a unit": (
        "    hits(battle, log, me.number, enemy, damage, 0)\n",
        ["hit: actor of hits is a Fighter, and me.number is a number (pass the record itself: the row keeps its number)"],
    ),
    "missing column": (
        "    hits(battle, log, me, enemy, damage)\n",
        [
            "hit: calls hits with other arguments than it takes: missing a required argument: 'hp' (write hits(battle, "
            "log, actor, target, damage, hp))"
        ],
    ),
    "rules in a circle": (
        "    hit(battle, enemy, me, log)\n",
        ["hit: calls itself: hit > hit (store it with later(); the kit calls happen() once this rule has ended)"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", IN_RULES)
def test_in_a_rule(name: str) -> None:
    line, said = IN_RULES[name]
    text, number = changed(HEAT, line + HEAT)
    at = number
    assert message(text) == "\n".join(f"duel.py:{at}: {each}" for each in said)


def test_keyword_only_arguments() -> None:
    text, line = changed(
        "def hit(battle: Duel, me: Fighter, enemy: Fighter, log",
        "def hit(battle: Duel, me: Fighter, enemy: Fighter, *, log",
    )
    text = text.replace("hit(battle, me, enemy, log)\n    if", "hit(battle, me, enemy, log=log)\n    if")
    assert message(text) == f"duel.py:{line}: hit: keyword-only parameters do not compile (remove the *)"


def test_rules_that_call_each_other_in_a_circle() -> None:
    text, line = changed(HEAT, "    answer(battle, enemy, me, log)\n" + HEAT)
    back = "@rule\ndef answer(battle: Duel, me: Fighter, enemy: Fighter, log: Log | None) -> None:\n    hit(battle, me, enemy, log)\n\n\n"
    text = text.replace('game = Game("duel"', back + 'game = Game("duel"')
    assert message(text) == (
        f"duel.py:{line}: hit: rules call each other in a circle: hit > answer > hit (store it with later(); the kit "
        "calls happen() once this rule has ended)"
    )


def test_a_helper_without_rule() -> None:
    text, _ = changed("@rule\ndef hit(", "def hit(")
    call = DUEL[: DUEL.index("hit(battle, me, enemy, log)")].count("\n")
    assert message(text) == f"duel.py:{call + 1}: play_round: calls hit, which is no rule (write @rule above def hit)"


def test_a_rule_of_the_kit_without_rule() -> None:
    text, line = changed("@rule\ndef play_round(", "def play_round(")
    assert (
        message(text)
        == f"duel.py:{line}: play_round: is a rule that the kit calls, and is not marked (write @rule above it)"
    )


def test_random_numbers_of_python() -> None:
    text, line = changed(HEAT, "    enemy.hp -= random.randrange(2)\n" + HEAT)
    text = text.replace("from enum import IntEnum\n", "import random\nfrom enum import IntEnum\n")
    assert message(text) == (
        f"duel.py:{line + 1}: hit: random would make every battle another one (use below(), d100() or chance())"
    )


# In the declarations: what is replaced, by what, what is said, and how many lines further down.
IN_CLASSES = {
    "reserved name": (
        STATE, STATE + "    place: int = state()\n", 2,
        "Fighter.place: is a name that the kit needs (take another one)",
    ),
    "a field without bounds": (
        STATE, STATE + "    luck: int\n", 2,
        "Fighter.luck: is a number without bounds (write number(1, 100), or state())",
    ),
    "a field of text": (
        STATE, STATE + "    luck: float = state()\n", 2,
        "Fighter.luck: is of type float, which records cannot hold (use int, bool, an IntEnum, a class of the kit, or a "
        "list of these)",
    ),
    "bounds beyond 32 bits": (
        STATE, STATE + "    luck: int = number(0, 10**10)\n", 2,
        "Fighter.luck: goes from 0 to 10,000,000,000, and rows of events hold 32 bits (stay between -2,147,483,648 and "
        "2,147,483,647)",
    ),
    "a start that leads nowhere": (
        STATE, STATE + '    luck: int = state(starts="helth")\n', 2,
        'Fighter.luck: starts="helth" leads to no field (did you mean "health"?)',
    ),
    "a start that is a number": (
        STATE, STATE + "    luck: int = state(starts=30)\n", 2,
        "Fighter.luck: starts=30 is no text; it names a field, such as one of number(default=...)",
    ),
    "a kind that contains itself": (
        '    """Its damage."""\n', '    """Its damage."""\n    next: "Weapon"\n', 1,
        "Weapon.next: contains itself: Weapon > Weapon (name it by ref() instead)",
    ),
    "a column without a column's type": (
        "damage: int, hp: int) -> None:", "damage: str, hp: int) -> None:", 0,
        "hits: damage is of type str, which rows cannot hold (use int, bool, an IntEnum, or a class of the game)",
    ),
    "five columns": (
        "damage: int, hp: int) -> None:", "damage: int, hp: int, a: int, b: int, c: int) -> None:", 0,
        "hits: has more than 4 columns besides actor and target",
    ),
    "a story of an unknown column": (
        "for {damage}: {hp} hp left", "for {damagge}: {hp} hp left", 1,
        "hits: the story names {damagge}, which is no column (did you mean \"damage\"?)",
    ),
    "no play_round": (
        "def play_round(", "def play_rounds(", None,
        "there is no rule play_round (a game has play_round, or initiative with legal and act, or advance with legal and "
        "act)",
    ),
    "no act": (
        "@rule\ndef play_round(", "@rule\ndef initiative(battle: Duel, me: Fighter) -> int:\n    return 1\n\n\n@rule\ndef rounds(", None,
        "there is no rule legal or act",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", IN_CLASSES)
def test_in_declarations(name: str) -> None:
    old, new, further, said = IN_CLASSES[name]
    text, line = changed(old, new)
    # What belongs to no place of its own is told at the call of Game.
    at = line + further if further is not None else text[: text.index("game = Game(")].count("\n") + 1
    if "columns" in said:
        text = text.replace(
            "hits(battle, log, me, enemy, damage, enemy.hp)", "hits(battle, log, me, enemy, 1, 2, 3, 4, 5)"
        )
    assert message(text) == f"duel.py:{at}: {said}"


def test_wrong_classes_in_brackets() -> None:
    text, line = changed("class Duel(Battle[Team, Rules]):", "class Duel(Battle[Team]):")
    said = "Battle needs two classes in its brackets (the sides' and the options': Battle[Player, Rules])"
    assert message(text) == f"duel.py:{line}: {said}"
    text, line = changed("class Duel(Battle[Team, Rules]):", "class Duel(Battle[Rules, Team]):")
    assert message(text) == f"duel.py:{line}: Duel: needs a class of Side, then one of Options, in brackets"


def test_two_games_of_one_name() -> None:
    write(Path())
    first = load.use("duel.py")
    write(Path(), DUEL.replace("chance(battle, 80)", "chance(battle, 90)"), "other")
    with pytest.raises(InputError) as caught:
        load.use("other.py")
    other = str(caught.value).partition("rules ")[2][:12]
    assert str(caught.value) == (
        f'other.py, rules {other}: there is another game "duel" in this process (duel.py, rules '
        f"{load.short(first.rules_hash)}) (start a new process after changing rules, or give one of them another name)"
    )


# What only shows when a battle is played.
WHEN_PLAYED = {
    "index": (
        "    enemy = battle.sides[0].units[2 + me.hp]\n",
        "there is no place 32: the list has 3 places, 0 to 2 (compiled code would read on behind it, and not stop)",
    ),
    "division by zero": (
        "    enemy.hp = damage // battle.sides[0].heat\n",
        "divides by 0 (test it before, or write max(x, 1))",
    ),
    "overflow": (
        "    enemy.hp += 9223372036854775800\n",
        "a number grows beyond 64 bits (keep it in bounds with min())",
    ),
}


@pytest.mark.parametrize("jit", ["0", "1"])
@pytest.mark.parametrize("name", WHEN_PLAYED)
def test_when_a_battle_is_played(
    name: str, jit: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also where compiled code is asked for: a plain battle comes first."""
    line, said = WHEN_PLAYED[name]
    text, number = changed(HEAT, line + HEAT)
    write(Path(), text)
    monkeypatch.setenv("FRACAS_JIT", jit)
    run = call(capsys, "run", "first.toml", "--game", "duel.py")
    shown = "".join(line for line in run.err.splitlines(keepends=True) if not line.startswith("Compiling"))
    assert (run.status, shown) == (2, f"error: duel.py:{number}: hit: {said}\n")


def test_what_only_the_compiler_finds(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A value that is a record in one place and a number in another: no traceback of the compiler's is shown."""
    text, number = changed(
        HEAT, "    one = me if damage > 3 else damage\n    if one is None:\n        damage = 1\n" + HEAT
    )
    write(Path(), text)
    monkeypatch.setenv("FRACAS_JIT", "1")
    run = call(capsys, "run", "first.toml", "--game", "duel.py")
    assert run.status == 2
    assert [line for line in run.err.splitlines() if not line.startswith("Compiling")] == [
        f"error: duel.py:{number}: a name is of one kind in one place and of another kind in another place "
        "(docs/reference/errors-in-games.md lists what rules may not use)"
    ]
