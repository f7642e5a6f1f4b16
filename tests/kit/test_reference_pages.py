"""The reference page of a game: all that its declarations say, and nothing that breaks the page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.helpers.commands import call
from tests.helpers.stranger import Stranger

import fracas
from fracas.kit import load
from fracas.kit.declare.fields import Role
from fracas.kit.derive.shape import file_name, texts_below
from fracas.kit.game import Game

GAMES = Path(__file__).parents[2] / "examples" / "games"
NAMES = sorted(each.name for each in GAMES.iterdir() if each.is_dir())

ODD = '''"""Odd: words that want out.

| not | a table |
# not a heading
<!-- not a comment
"""

from enum import IntEnum

from fracas.kit import Battle, Content, Game, Log, Options, Side, event, number, rule, state, up_to, win


class End(IntEnum):
    OVER = 1
    """over | out \\\\| <b>bold"""


class Coin(Content, kind="coins"):
    weight: int = number(1, 9)
    """light | heavy
    or \\\\| both"""


class Player(Side):
    coins: list[Coin] = up_to(3)
    spent: int = state()


class Rules(Options):
    pass


class Odd(Battle[Player, Rules]):
    pass


@event("{actor} | spends {spent:coin|coins}")
def spends(actor: Player, spent: int) -> None:
    pass


@rule
def play_round(battle: Odd, log: Log | None) -> None:
    for side in battle.sides:
        side.spent += 1
        spends(battle, log, side, side.spent)
    win(battle, 0, End.OVER)


game = Game("odd", version=1, battle=Odd, reasons=End)
'''


def cells(line: str) -> list[str]:
    """The cells of a line of a table, as GitHub Flavored Markdown cuts them."""
    return [each.strip() for each in re.findall(r"((?:\\.|[^\\|])*)\|", line)[1:]]


def rows_of(page: str) -> dict[str, list[list[str]]]:
    """The rows of all tables, by their first cell; every row has as many cells as the head of its table."""
    found: dict[str, list[list[str]]] = {}
    wide = 0
    for line in page.splitlines():
        if not line.startswith("|"):
            wide = 0
            continue
        row = cells(line)
        wide = wide or len(row)
        assert len(row) == wide, line
        found.setdefault(row[0].strip("`"), []).append(row)
    return found


@pytest.mark.parametrize("name", NAMES)
def test_everything_that_an_example_declares_is_on_its_page(name: str) -> None:
    with load.fresh():
        game = fracas.use(GAMES / name / f"{name}.py")
        assert isinstance(game, Game)
        built, page = game.built, game.reference()
        rows = rows_of(page)
        assert page.startswith(f"# {game.title}\n\n")
        assert str(game.module.__doc__) in page
        for plan in built.shape.plans.values():
            assert plan.doc in page
            if plan not in (built.shape.battle, built.shape.side, built.shape.options):
                assert f"### {plan.name}\n" in page
            for field in plan.fields:
                if field.role is not Role.OWN and field.name != "name":
                    words = " ".join(field.doc.split())
                    assert words in [row[-1] for row in rows[field.name]], (plan.name, field.name)
        for bound in built.events:
            told = [bound.declared.story.replace("|", "\\|"), bound.declared.detail]
            [row] = [row for row in rows[bound.declared.name] if row[3:] == told]
            assert row[1] == str(bound.declared.function.__doc__)
            assert all(f"`{column.name}`: " in row[2] for column in bound.columns)
        for ending, words in built.teller.reason_words.items():
            assert [f"`{ending}`", words] in rows[ending]
        enums = [*built.shape.enums.values(), *([built.functions.choices] if built.functions.choices else [])]
        for enum in enums:
            for member, words in texts_below(enum).items():
                assert words in [row[-1] for row in rows[file_name(enum[member])]]
        assert all(f"self.{fact}" in rows for fact in built.functions.facts)
    assert NAMES == ["cards", "coins", "hexes", "pets", "roshambo", "skirmish"]


def test_it_says_what_fields_hold() -> None:
    with load.fresh():
        pages = {name: fracas.use(GAMES / name / f"{name}.py") for name in NAMES}
        rows = {name: rows_of(game.reference()) for name, game in pages.items() if isinstance(game, Game)}
    assert ["`units`", "a list of 1 to 5: `Pet`", "required", "The pets."] in rows["pets"]["units"]
    assert rows["pets"]["young"][0][1:3] == ["a list of 0 to 4: an id of `breeds`, or its fields in place", "empty"]
    assert rows["pets"]["young"][1][1:3] == ["the id of an entry of `options.young`", "none"]
    assert rows["pets"]["hp"][0][1:4] == ["a number", "0", "part of `most`, pages show it"]
    assert rows["cards"]["hand"][0][1:4] == ["a list of 6: a number", "0", "only its own side sees it"]
    assert rows["roshambo"]["throw"][0][1:4] == ["a word of `Throw`", "`rock`", "hidden until both have chosen"]
    assert rows["roshambo"]["choose"][0][1] == "`below`"
    assert rows["hexes"]["at"][0][1] == "a cell of `field`: `[column, row]`"
    assert "hidden from the other side until the end" in rows["cards"]["draws"][0][2]
    assert ["`play`", "`place`: 0 to 5", "play the card in one place of the hand"] in rows["cards"]["play"]
    assert rows["skirmish"]["plan"][0][1] == "up to 16 lines of `when`, `do` and `target`"
    assert rows["skirmish"]["self.wounded"][0][2] == "0-100"


def test_words_cannot_break_it_and_missing_ones_are_empty(stranger: Stranger) -> None:
    file = stranger.folder / "odd.py"
    file.write_text(ODD)
    game = fracas.use(file)
    assert isinstance(game, Game)
    page = game.reference()
    rows = rows_of(page)
    assert ["`over`", "over \\| out &#92;\\| \\<b>bold"] in rows["over"]
    assert rows["weight"][0][1:] == ["1 to 9", "required", "light \\| heavy or &#92;\\| both"]
    assert rows["spends"][0][1] == ""
    assert rows["spends"][0][3] == "{actor} \\| spends {spent:coin\\|coins}"
    assert rows["spent"][0][-1] == ""
    assert "\n\\| not | a table |\n\\# not a heading\n\\<!-- not a comment\n" in page
    assert "No rule rolls." in page


def test_the_command_prints_it_and_writes_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = GAMES / "coins" / "coins.py"
    with load.fresh():
        page = fracas.use(file).reference()  # type: ignore[attr-defined]
        printed = call(capsys, "game", "list", "coins", "--game", file)
        assert (printed.status, printed.out) == (0, page)
        document = call(capsys, "game", "list", "coins", "--game", file, "--format", "json").json
        assert document == {"name": "coins", "reference": page}
        out = tmp_path / "coins.md"
        assert call(capsys, "game", "list", "coins", "--game", file, "--out", out).status == 0
        assert out.read_text(encoding="utf-8") == page
        assert "has no reference page" in call(capsys, "game", "list", "squads").err
        assert "none is named" in call(capsys, "game", "list", "--out", out).err
        unknown = call(capsys, "game", "list", "otters")
        assert (unknown.status, "there is no ruleset" in unknown.err) == (2, True)
