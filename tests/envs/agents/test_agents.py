"""Reference agents choose what is legal, repeat themselves, and never roll the battle's own dice; training helps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.helpers import soak

import fracas
from fracas.envs.agents import (
    Agent,
    GreedyAgent,
    LookAheadAgent,
    NetworkAgent,
    RandomAgent,
    TreeSearchAgent,
    network_of,
    strength_table,
)
from fracas.envs.agents.contest import Items, contest_in
from fracas.envs.agents.players import Player
from fracas.envs.agents.policy_file import load_policy
from fracas.envs.agents.standing import Standing
from fracas.envs.agents.strength import load_standard
from fracas.envs.agents.training import Settings, Trainer
from fracas.envs.batch import BattleBatch
from fracas.envs.names import RULESETS
from fracas.envs.scenarios import scenarios_of
from fracas.kernel.stepping import DISABLED, PLAYING
from fracas.rulesets.shared.seeds import key_words

SMALL = {"squads": "examples/squads/first-battle.toml", "delve": None, "stacks": "examples/stacks/first-attack.toml"}


def agents() -> list[Agent]:
    return [
        RandomAgent(),
        GreedyAgent(samples=1),
        LookAheadAgent(samples=1, steps=1),
        TreeSearchAgent(rollouts=3, steps=1),
    ]


def play(agent: Agent, ruleset: str, seed: str, steps: int = 3) -> list[Any]:
    """What an agent does in the first steps of two battles; each action must be legal."""
    batch = BattleBatch(scenarios_of(ruleset, SMALL.get(ruleset)), (0,), 2)
    batch.reseed([seed])
    batch.begin()
    agent.begin(seed)
    done = []
    for _ in range(steps):
        actions = agent.choose(batch, 0)[:, None]
        assert batch.is_legal(actions).all()
        batch.step(actions, DISABLED)
        done.append((actions.tolist(), batch.seen.tobytes()))
        if not (batch.states == PLAYING).any():
            break
    return done


@pytest.mark.parametrize(
    ("ruleset", "number"), soak.some([(name, number) for number in range(4) for name in RULESETS], 7)
)
def test_agents_are_legal_and_seeded(ruleset: str, number: int) -> None:
    steps = 2 if ruleset == "stacks" else 3
    assert play(agents()[number], ruleset, "a", steps) == play(agents()[number], ruleset, "a", steps)


def test_another_seed_gives_other_choices() -> None:
    assert play(RandomAgent(), "titans", "a") != play(RandomAgent(), "titans", "b")


def test_a_search_rolls_other_dice_and_leaves_the_battles_alone() -> None:
    batch = BattleBatch(scenarios_of("titans", None), (0,), 3)
    batch.reseed(["x"])
    batch.begin()
    before = batch.battles.tobytes(), batch.seen.tobytes()
    agent = TreeSearchAgent(rollouts=4, steps=1, seed="x")
    agent.choose(batch, 0)
    assert (batch.battles.tobytes(), batch.seen.tobytes()) == before
    search = agent._player._search
    assert search is not None
    keys = search.battles["dice"]["key"][: search.used]
    assert (keys == key_words("x/search")).all()
    assert (keys != key_words("x")).any(axis=1).all()
    streams = search.battles["dice"]["stream"][: search.used, 0]
    assert len(set(streams.tolist())) == search.used, "each copy rolls for itself"


def test_a_look_ahead_sees_a_win_that_is_there() -> None:
    """The enemy has 1 HP: attack wins, rest does not."""
    batch = BattleBatch(scenarios_of("titans", None, None), (0,), 1)
    batch.begin()
    batch.battles[0].titans[1].hp = 1
    batch.battles[0].titans[0].now[2] = 900
    batch.look()
    assert LookAheadAgent(samples=4, steps=0).choose(batch, 0)[0] == 0


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_standing_is_what_the_sides_have_left(ruleset: str) -> None:
    batch = BattleBatch(scenarios_of(ruleset, None), (0, 1), 1)
    batch.begin()
    standing = Standing(list(batch.interface.features))
    own, enemy = standing.of(batch.seen[:, 0])[0], standing.of(batch.seen[:, 1])[0]
    assert own == pytest.approx(-enemy, abs=1e-6)
    assert -1 < own < 1


def test_tables_are_reproducible_and_add_up() -> None:
    players = [Player("random", RandomAgent()), Player("greedy", GreedyAgent(1)), Player("duelist", None, "duelist")]
    tables = [strength_table("titans", players, battles=6) for _ in range(2)]
    assert tables[0].as_json() == tables[1].as_json()
    table = tables[0]
    for one in table.players:
        for other in table.players:
            if one != other:
                mine, theirs = table.meeting(one, other), table.meeting(other, one)
                assert mine.wins + theirs.wins + mine.draws == mine.battles == 6
                assert mine.interval[0] <= mine.score <= mine.interval[1]
    assert sorted(table.players) == ["duelist", "greedy", "random"]


def test_content_against_content_is_a_simulation() -> None:
    players = (Player("a", None, "charger"), Player("b", None, "turtle"))
    winners = contest_in(Items((load_standard("titans", None),), 20, "s")).winners(*players)
    document = load_standard("titans", None).document
    scenario = fracas.load({**document, "seed": "s"}, overrides=["players.0.policy=charger", "players.1.policy=turtle"])
    assert int((winners == 1).sum()) == fracas.simulate(scenario, 20).wins[0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"players": []}, "players: are 0; 2 to 64"),
        ({"players": [Player("a"), Player("a")]}, "has two of the same name"),
        ({"battles": 1}, "battles: is 1; 2 to 100,000"),
        (
            {"players": [Player("a", load_policy("examples/envs/policies/squads.json")), Player("b", None, "charger")]},
            'players: "a" is a trained policy of squads; this table is of titans',
        ),
    ],
)
def test_what_is_wrong_with_a_table_is_said(arguments: dict[str, Any], message: str) -> None:
    players = arguments.pop("players", [Player("a", RandomAgent()), Player("b", None, "charger")])
    with pytest.raises(fracas.FracasError, match=message):
        strength_table("titans", players, **arguments)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: LookAheadAgent(samples=0), "samples: is 0; 1 to 1,024"),
        (lambda: LookAheadAgent(steps=-1), "steps: is -1; 0 to 10,000"),
        (lambda: TreeSearchAgent(rollouts=0), "rollouts: is 0; 1 to 10,000"),
    ],
)
def test_what_is_wrong_with_an_agent_is_said(make: Any, message: str) -> None:
    with pytest.raises(fracas.FracasError, match=message):
        make()


def test_a_learning_curve_rises() -> None:
    """Seeded: a policy for titans learns to beat one that chooses at random, and can be exported."""
    standard = load_standard("titans", None).document
    scenario = scenarios_of("titans", {**standard, "options": {**standard["options"], "round_cap": 12}})[0]
    opponent = fracas.load(scenario.document, overrides=["players.1.policy=random"])
    trainer = Trainer(scenario, Settings(hidden=4, rate=0.05), "curve")
    batch = BattleBatch([opponent], (0,), 32)
    curve = [trainer.iterate(batch, [0], {}, f"curve/{number}") for number in range(12)]
    first, last = np.mean(curve[:4]), np.mean(curve[-4:])
    assert last > first + 0.25, "three standard errors of 128 battles"
    agent = NetworkAgent(network_of("titans", trainer.layers), trainer.reading)
    contest = contest_in(Items((opponent,), 2, "curve"))
    assert contest.meet(Player("learned", agent), Player("random", RandomAgent())).battles == 4


def test_without_learning_a_curve_stays_where_it_is() -> None:
    """The negative control of the curve: the same battles, but steps of no size."""
    scenario = scenarios_of("titans", None)[0]
    trainer = Trainer(scenario, Settings(hidden=4, rate=0.0), "curve")
    before = trainer.layers.flat().copy()
    trainer.iterate(BattleBatch([scenario], (0,), 8), [0], {}, "curve")
    assert (trainer.layers.flat() == before).all()
