"""The card: what is played, one half against oneself, one number, agents of one's own in Python and in files."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.helpers import soak
from tests.helpers.networks import network_with

import fracas
from fracas.envs.agents import (
    Agent,
    GreedyAgent,
    LookAheadAgent,
    Player,
    RandomAgent,
    look_ahead,
    player_of,
    save_policy,
    score_card,
    strength_table,
)
from fracas.envs.agents import card as cards
from fracas.envs.agents.contest import Items, contest_in
from fracas.envs.agents.drafters import GreedyDrafter, RandomDrafter
from fracas.envs.agents.strength import load_standard
from fracas.envs.names import ENVIRONMENTS
from fracas.envs.scenarios import Opponent, Random, random_scenarios, scenarios_of

DOCS = Path(__file__).parents[3] / "docs"
PAGE_FILE = re.compile(r"<!-- file: (\S+) -->\n```python\n(.*?)```", re.DOTALL)
AGENT = """
import numpy as np
from fracas.envs.agents import RandomAgent

def first(observation):
    return int(observation["action_mask"].argmax())

def wrong(observation):
    return 10_000

def wide(observation):
    assert len(observation["observation"]) > 118
    return int(observation["action_mask"].argmax())

wide.version = 2
number = 3

class Mine(RandomAgent):
    name = "mine"
"""


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FRACAS_JIT", "0")


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cards of three battles, against players that do not search."""
    monkeypatch.setattr(cards, "ITEMS", 1)
    monkeypatch.setattr(cards, "ITEMS_OF_DRAFTS", 1)
    monkeypatch.setattr(cards, "POOL", ("random", "trained", "scenario"))


@pytest.fixture
def against_random(small: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cards against one opponent."""
    monkeypatch.setattr(cards, "POOL", ("random",))


def first(observation: dict[str, Any]) -> int:
    return int(observation["action_mask"].argmax())


@pytest.mark.parametrize("ruleset", soak.some(ENVIRONMENTS, 1))
def test_a_player_against_itself_scores_exactly_one_half(ruleset: str, small: None) -> None:
    """Each item is played twice with the same dice: whoever wins it on one side loses it on the other."""
    contest = cards.card_contest(ruleset)
    pool = cards.card_pool(ruleset)
    assert [player.name for player in pool] == ["random", "trained", "scenario"]
    twin = player_of(ruleset, RandomDrafter if ruleset == "relics" else RandomAgent, "twin")
    for one, other in [(pool[0], twin), *((player, player) for player in pool[1:])]:
        meeting = contest.meet(one, other)
        assert meeting.score == 0.5
        assert set(meeting.samples) == {0.5}


def test_searching_players_score_one_half_too() -> None:
    contest = contest_in(Items((load_standard("titans", None),), 2, "x"))
    for agent in (GreedyAgent(1), LookAheadAgent(1, 1)):
        assert contest.meet(Player("a", agent), Player("b", agent)).score == 0.5


def test_standard_battles_are_mirrors_where_sides_are_of_one_kind() -> None:
    """A duel of two titans is lopsided (E7); its mirrors are fair."""
    duels = [scenario.document["players"] for scenario in cards.standard_battles(load_standard("titans", None))]
    assert [[player["titan"]["name"] for player in players] for players in duels] == [
        ["Stone Warden"] * 2,
        ["Hammerfall"] * 2,
    ]
    standard = load_standard("delve", None)
    assert cards.standard_battles(standard) == [standard], "a party and its enemies: as it is, from both sides"
    for ruleset in ("squads", "stacks", "relics"):
        assert len(cards.standard_battles(load_standard(ruleset, None))) == 2


@pytest.mark.parametrize("ruleset", soak.some(ENVIRONMENTS, 1))
def test_splits_are_drawn_and_have_nothing_in_common(ruleset: str) -> None:
    train, test = (random_scenarios(ruleset, Random(split=split, count=2)) for split in ("train", "test"))
    assert len({scenario.id for scenario in (*train, *test)}) == 4
    assert not [scenario for scenario in (*train, *test) if "quest" in scenario.document], "runs are not in it"
    to_train_on = {scenario.id for scenario in scenarios_of(ruleset, Random())}
    assert {scenario.id for scenario in train} <= to_train_on
    assert not {scenario.id for scenario in test} & to_train_on


def test_a_number_is_the_mean_of_standard_and_test(small: None) -> None:
    card = score_card("titans", first)
    entry = card["first"]
    found = card.as_json()
    assert found["pool"] == ["random", "trained", "scenario"]
    assert found["battles_per_pair"] == 6
    (told,) = found["players"]
    parts = told["parts"]
    assert told["score"] == pytest.approx((parts["standard"]["score"] + parts["test"]["score"]) / 2)
    assert told["interval"][0] <= told["score"] <= told["interval"][1]
    assert told["against"] == {name: entry.meetings[name].score for name in card.pool}
    assert np.mean(entry.samples) == pytest.approx(np.mean(list(told["against"].values())))
    assert found["notes"] == []
    with pytest.raises(fracas.UsageError, match=r"player: 'nobody' is not on this card \(on it are first\)"):
        card["nobody"]


def test_a_member_of_the_pool_counts_one_half_against_itself(small: None) -> None:
    """So its number is of the same pool as everybody's."""
    entry = score_card("titans")["random"]
    others = [entry.meetings[name].samples[0] for name in ("trained", "scenario")]
    assert entry.samples[0] == pytest.approx((sum(others) + 0.5) / 3)
    assert score_card("titans", Player("double", RandomAgent()))["double"].samples == pytest.approx(entry.samples)


def test_what_two_players_do_depends_on_nobody_else() -> None:
    """Not on their order either: E1, a table that its own command did not print."""
    players = [Player("random", RandomAgent()), Player("duelist", None, "duelist"), Player("turtle", None, "turtle")]
    tables = [strength_table("titans", each, battles=6) for each in (players, players[::-1], players[:2])]
    meetings = [table.meeting("random", "duelist") for table in tables]
    assert meetings[0] == meetings[1] == meetings[2]
    assert meetings[0].turned().turned() == meetings[0]


def test_how_many_copies_are_played_at_once_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plain and compiled records have other sizes, and what fits into memory once decided what was chosen."""
    contest = contest_in(Items((load_standard("titans", None),), 2, "x"))
    winners = []
    for most in (2048, 4):
        monkeypatch.setattr(look_ahead, "MOST_COPIES", most)
        winners.append(contest.meet(Player("a", LookAheadAgent(2, 1)), Player("b", None, "duelist")))
    assert winners[0] == winners[1]


def test_agents_of_ones_own(tmp_path: Path, against_random: None) -> None:
    file = tmp_path / "mine.py"
    file.write_text(AGENT)
    save_policy(tmp_path / "learnt.json", network_with("titans", 1))
    (tmp_path / "scripted.toml").write_text('rules = [{ do = "attack" }]\n')
    named = [f"{file}:first", f"{file}:wide", f"{file}:Mine", tmp_path / "learnt.json", tmp_path / "scripted.toml"]
    card = score_card("titans", *named, Player("given", RandomAgent()))
    names = ["first", "wide", "Mine", "learnt", "scripted", "given"]
    assert sorted(entry.player for entry in card.entries) == sorted(names)


def test_agents_of_the_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, against_random: None) -> None:
    for page in ("tutorial/train-an-agent.md", "how-to/score-your-agent.md"):
        for name, text in PAGE_FILE.findall((DOCS / page).read_text(encoding="utf-8")):
            (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    np.save("weights.npy", np.zeros((118, 8)))
    card = score_card("titans", "score.py:Learned", "mine.py:choose")
    assert card["Learned"].samples == card["choose"].samples, "without weights it takes the first legal action"


def test_versions_of_observations_stand_side_by_side(tmp_path: Path, against_random: None) -> None:
    (tmp_path / "mine.py").write_text(AGENT)
    card = score_card("titans", f"{tmp_path / 'mine.py'}:wide", first)
    assert card["wide"].samples == card["first"].samples


@soak.only
def test_drafters_of_ones_own(tmp_path: Path, small: None) -> None:
    file = tmp_path / "mine.py"
    file.write_text(AGENT)
    names = [f"{file}:first", "examples/envs/policies/relics.json", "examples/envs/policies/relics-build.json"]
    card = score_card("relics", *names, GreedyDrafter())
    assert sorted(entry.player for entry in card.entries) == ["first", "greedy", "relics", "relics-build"]
    assert card.battles == 60


@pytest.mark.parametrize(
    ("ruleset", "given", "message"),
    [
        ("titans", "mine.py", r"mine\.py: is a Python file \(say which agent of it: mine\.py:NAME\)"),
        ("titans", "none.py:first", r"none\.py: there is no such file"),
        ("titans", "mine.py:fist", r'mine\.py: has no "fist" \(did you mean "first"\?\)'),
        ("titans", "broken.py:first", r"broken\.py:2: cannot be loaded: ZeroDivisionError: division by zero"),
        ("titans", "mine.py:number", "agent: is int; take an Agent or a function of an observation"),
        ("titans", "none.json", r"none\.json: there is no such file"),
        ("titans", "mine.py:wrong", "wrong: chooses action 10000; legal are 0"),
        ("relics", "mine.py:Mine", "agent: is Mine; take a Drafter or a function of an observation"),
        ("titans", RandomAgent(), '"random" is the name of two'),
        ("chess", first, "chess"),
    ],
)
def test_what_is_wrong_with_an_agent_is_said(
    ruleset: str, given: Any, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small: None
) -> None:
    (tmp_path / "mine.py").write_text(AGENT)
    (tmp_path / "broken.py").write_text("\n1 / 0\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(fracas.FracasError, match=message):
        score_card(ruleset, given)


def test_a_policy_of_another_ruleset_is_refused() -> None:
    with pytest.raises(fracas.FracasError, match='"squads" is a trained policy of squads; this table is of titans'):
        score_card("titans", "examples/envs/policies/squads.json")


def test_names_of_tables_are_opponents() -> None:
    """E6: `triage` stands in the table of squads, and `scenario` in all."""
    standard = load_standard("squads", None)
    (found,) = scenarios_of("squads", None, Opponent(1, "triage"))
    assert found.document["sides"][1]["strategy"] != standard.document["sides"][1]["strategy"]
    for ruleset in ENVIRONMENTS:
        (same,) = scenarios_of(ruleset, None, Opponent(1, "scenario"))
        assert same.document == load_standard(ruleset, None).document


def test_what_a_kept_card_says_of_another_version_is_not_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cards, "examples_folder", lambda: tmp_path)
    (tmp_path / "envs" / "cards").mkdir(parents=True)
    file = tmp_path / "envs" / "cards" / "titans.json"
    assert cards.published("titans") == {"players": []}
    for version, count in ((1, 1), (9, 0)):
        file.write_text(json.dumps({"version": version, "players": [{}]}))
        assert len(cards.published("titans")["players"]) == count


def test_an_agent_chooses_for_many_battles_at_once(against_random: None) -> None:
    """An `Agent` gets the whole batch; a function is asked for one battle after the other. The same numbers."""

    class Batched(Agent):
        name = "batched"

        def begin(self, seed: str) -> None:
            pass

        def choose(self, batch: Any, number: int) -> Any:
            return batch.masks[:, number].argmax(axis=1)

    card = score_card("titans", Batched, first)
    assert card["batched"].samples == card["first"].samples
