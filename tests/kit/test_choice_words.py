"""What people read on the buttons of a live battle: the author's text of each choice, or what `choice_words` says."""

from __future__ import annotations

from pathlib import Path

import pytest

import fracas
from fracas.envs.battles.live_battle import LiveBattle
from fracas.kit import load

GAMES = Path(__file__).parents[2] / "examples" / "games"


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("FRACAS_JIT", "0")
    with load.fresh():
        yield


def live(name: str, scenario: str) -> LiveBattle:
    fracas.use(GAMES / name / f"{name}.py")
    return LiveBattle(fracas.load(GAMES / name / "scenarios" / f"{scenario}.toml"), "buttons")


def test_a_card_is_named_with_what_it_does_and_costs():
    battle = live("cards", "night-thief")
    [side] = battle.deciding()
    end, *cards = battle.choices(side)
    assert (end.name, end.words.words, end.words.cost) == ("end", "end the turn", "")
    player = battle.match.batch.battles[0].sides[side]
    deck = battle.scenario.document["sides"][side]["deck"]
    for each in cards:
        held = deck[int(player.hand[int(each.name.removeprefix("play: place ")) - 1]) - 1]
        assert each.words.words.startswith(f"{held['name']}: ")
        assert each.words.cost == f"{held['cost']} energy"
    assert cards


def test_without_a_function_of_its_own_a_game_shows_the_text_below_each_choice():
    battle = live("skirmish", "first")
    choices = battle.choices(battle.deciding()[0])
    assert {each.words.words for each in choices if each.name.startswith("strike: ")} == {"hit one enemy"}
