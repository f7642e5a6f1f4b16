"""The example games are as short as their page promises, complete, and explained line by line."""

import ast
import tomllib
from pathlib import Path

import pytest

GAMES = Path(__file__).parents[2] / "examples" / "games"
MOST_LINES = {"coins": 50, "pets": 300, "roshambo": 100, "skirmish": 250, "cards": 300, "hexes": 350}


def tree_of(game: str) -> ast.Module:
    return ast.parse((GAMES / game / f"{game}.py").read_text("utf-8"))


def test_these_are_all_games() -> None:
    assert {each.name for each in GAMES.iterdir() if each.is_dir()} == set(MOST_LINES)


@pytest.mark.parametrize("game", MOST_LINES)
def test_the_rules_fit_their_page(game: str) -> None:
    lines = (GAMES / game / f"{game}.py").read_text("utf-8").splitlines()
    assert sum(bool(line.strip()) for line in lines) <= MOST_LINES[game]


@pytest.mark.parametrize("game", MOST_LINES)
def test_the_rules_import_the_kit_and_nothing_else(game: str) -> None:
    found = [each for each in ast.walk(tree_of(game)) if isinstance(each, ast.Import | ast.ImportFrom)]
    assert {each.module if isinstance(each, ast.ImportFrom) else "" for each in found} <= {"enum", "fracas.kit"}


@pytest.mark.parametrize("game", MOST_LINES)
def test_everything_declared_is_explained(game: str) -> None:
    assert undocumented(tree_of(game)) == []


def test_a_field_without_words_is_found() -> None:
    tree = ast.parse(
        'class Coin(Content):\n    """A coin."""\n\n    heads: int = percent()\n    tails: Face\n    """Words."""\n'
    )
    assert undocumented(tree) == ["Coin.heads"]


@pytest.mark.parametrize("game", MOST_LINES)
def test_there_is_a_story_and_more_than_one_scenario(game: str) -> None:
    assert (GAMES / game / "README.md").read_text("utf-8").startswith(f"# {game}: ")
    scenarios = sorted((GAMES / game / "scenarios").glob("*.toml"))
    assert len(scenarios) >= 2
    assert "first.toml" in {each.name for each in scenarios}
    for each in scenarios:
        assert tomllib.loads(each.read_text("utf-8"))["ruleset"] == game


def undocumented(tree: ast.Module) -> list[str]:
    """Classes, functions and fields without words; members of enumerations whose name says all need none."""
    found = []
    for each in ast.walk(tree):
        if isinstance(each, ast.ClassDef | ast.FunctionDef) and ast.get_docstring(each) is None:
            found.append(each.name)
        if isinstance(each, ast.ClassDef):
            for field, below in zip(each.body, [*each.body[1:], None], strict=True):
                said = isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant)
                if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and not said:
                    found.append(f"{each.name}.{field.target.id}")
    return found
