"""Whatever is wrong with an argument of an environment is said in a sentence, with what would be right."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.helpers.episodes import legal_choice

import fracas
from fracas.envs.battles.single import BattleEnv
from fracas.envs.battles.vector import BattleVectorEnv
from fracas.envs.drafting.single import DraftEnv
from fracas.envs.drafting.vector import DraftVectorEnv
from fracas.envs.names import RULESETS


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"side": 1.0}, r"side: is 1\.0; take 1 or 2"),
        ({"side": True}, "side: is True; take 1 or 2"),
        ({"side": [1]}, r"side: is \[1\]; take 1 or 2"),
        ({"scenario": 3}, "scenario: is 3; take a path"),
        ({"scenario": b"x"}, "scenario: is b'x'; take a path"),
        ({"scenario": {1: 2}}, "does not name a ruleset"),
    ],
)
@pytest.mark.parametrize("make", [BattleEnv, BattleVectorEnv, DraftEnv, DraftVectorEnv])
def test_arguments_of_all(make: Any, arguments: dict[str, Any], message: str) -> None:
    ruleset = "titans" if make in (BattleEnv, BattleVectorEnv) else "relics"
    with pytest.raises(fracas.FracasError, match=message):
        make(ruleset, **arguments)


@pytest.mark.parametrize(("make", "ruleset"), [(BattleVectorEnv, "titans"), (DraftVectorEnv, "relics")])
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"num_envs": "4"}, "num_envs: is '4'; take a whole number from 1 to 65,536"),
        ({"num_envs": 4.0}, r"num_envs: is 4\.0; take a whole number"),
        ({"num_envs": True}, "num_envs: is True; take a whole number"),
        ({"autoreset_mode": "NEXT_STEP"}, '"NextStep", "SameStep", "Disabled"'),
    ],
)
def test_arguments_of_batches(make: Any, ruleset: str, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(fracas.UsageError, match=message):
        make(ruleset, **arguments)


@pytest.mark.parametrize("threads", ["2", 2.0, 0, -1])
def test_threads_of_a_batch(threads: Any) -> None:
    with pytest.raises(fracas.UsageError, match=r"^threads: is"):
        BattleVectorEnv("titans", threads=threads)


def test_numbers_of_numpy_are_numbers() -> None:
    two: Any = np.int64(2)
    env = BattleEnv("titans", side=two)
    assert env.reset(seed=1, options={"stream": np.int64(3)})[1]["stream"] == 3
    assert BattleVectorEnv("titans", two, side=two).num_envs == 2


@pytest.mark.parametrize("env", [BattleEnv("titans"), DraftEnv("relics")], ids=["battle", "draft"])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (3, "options: is 3; take a mapping"),
        ({"stream": 1.5}, r"stream: is 1\.5; take a whole number from 0"),
        ({"stream": True}, "stream: is True"),
        ({"stream": -1}, "stream: is -1; 0 to"),
        ({"stream": 1 << 62}, "stream: is 4611686018427387904; 0 to"),
    ],
)
def test_options_of_a_reset(env: Any, options: Any, message: str) -> None:
    with pytest.raises(fracas.UsageError, match=message):
        env.reset(seed=1, options=options)


@pytest.mark.parametrize("env", [BattleEnv("titans"), DraftEnv("relics")], ids=["battle", "draft"])
@pytest.mark.parametrize("action", [1.7, "0", None, [0], np.array([0]), float("nan")])
def test_actions_are_whole_numbers(env: Any, action: Any) -> None:
    env.reset(seed=1)
    with pytest.raises(fracas.UsageError, match=r"action: is .*; take a whole number from 0 to"):
        env.step(action)
    with pytest.raises(fracas.UsageError, match=r"action: is .*; take a whole number from 0 to"):
        env.children(action)


@pytest.mark.parametrize("action", [-1, 8, 1 << 70, -(1 << 70)])
def test_actions_out_of_range_are_illegal(action: int) -> None:
    env = BattleEnv("titans")
    env.reset(seed=1)
    assert not env.step(action)[-1]["was_legal"]


def test_children_of_an_illegal_action_are_refused() -> None:
    env = BattleEnv("titans")
    env.reset(seed=1)
    with pytest.raises(fracas.UsageError, match="action: is 6, which is not legal now; legal are 0, 1, 2"):
        env.children(6)
    with pytest.raises(fracas.UsageError, match="samples: is 'x'; take a whole number from 1 to 65,536"):
        env.children(0, "x")  # type: ignore[arg-type]


@pytest.mark.parametrize("make", [BattleVectorEnv, DraftVectorEnv])
def test_actions_and_seeds_of_a_batch(make: Any) -> None:
    env = make("titans" if make is BattleVectorEnv else "relics", 3)
    with pytest.raises(fracas.UsageError, match="reset_mask: cannot come in the first reset: begin all first"):
        env.reset(options={"reset_mask": np.ones(3, bool)})
    for seed, message in [
        (1.5, r"seed: is 1\.5; take a whole number, or a list of 3"),
        ("abc", "seed: is 'abc'"),
        (-1, "seed: is -1; take a whole number from 0 on"),
        ([1, 2], "seed: has 2 seeds; 3 are needed"),
        ([1, "x", 2], r"seed\[1\]: is 'x'"),
    ]:
        with pytest.raises(fracas.UsageError, match=message):
            env.reset(seed=seed)
    env.reset(seed=np.arange(3))
    for mask in (np.ones(2, bool), True):
        with pytest.raises(fracas.UsageError, match=r"reset_mask: has the shape .* it needs \(3,\)"):
            env.reset(options={"reset_mask": mask})
    for actions, message in [
        ([0, 0], r"actions: have the shape \(2,\); \(3,\) is needed"),
        (np.zeros((3, 1), int), r"have the shape \(3, 1\)"),
        (None, r"have the shape \(\)"),
        ([0.5, 1, 1], "have the type float64; whole numbers"),
        ([[0], 0, 0], "are no array"),
    ]:
        with pytest.raises(fracas.UsageError, match=message):
            env.step(actions)
    env.step([0, 0, 0])


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_bytes_of_a_foreign_snapshot_never_reach_the_rules(ruleset: str) -> None:
    """A snapshot from elsewhere is played again from its decisions, whatever its bytes say."""
    env, rng = BattleEnv(ruleset), np.random.default_rng(3)
    seen, _ = env.reset(seed=4)
    for _ in range(3):
        seen, *_ = env.step(legal_choice(seen["action_mask"], rng))
    own = env.snapshot()
    hostile = replace(own, record=b"\xff" * len(own.record), cursor=b"\xff" * len(own.cursor))
    env.reset(seed=4)
    env.step(0)
    for snapshot in (own, hostile, pickle.loads(pickle.dumps(own))):
        again = env.restore(snapshot)
        np.testing.assert_array_equal(again["observation"], seen["observation"])
        np.testing.assert_array_equal(again["action_mask"], seen["action_mask"])
        assert env.snapshot().record == own.record
        env.step(legal_choice(again["action_mask"], np.random.default_rng(0)))


def test_snapshots_whose_decisions_cannot_be_played_are_refused() -> None:
    env = BattleEnv("titans")
    with pytest.raises(fracas.UsageError, match="there is no battle yet"):
        env.snapshot()
    env.reset(seed=4)
    own = env.snapshot()
    rows: Any
    for rows in [((7,),), ((0, 0),), (("x",),), ("x",), 7, ((0,),) * 200]:
        with pytest.raises(fracas.UsageError, match="where that is no legal decision"):
            env.restore(replace(own, actions=rows))
    for other in (None, b"", own.record):
        with pytest.raises(fracas.UsageError, match=r"take what snapshot\(\) returns"):
            env.restore(other)  # type: ignore[arg-type]
    drafts = DraftEnv("relics")
    drafts.reset(seed=4)
    with pytest.raises(fracas.UsageError, match=r"take what snapshot\(\) returns"):
        drafts.restore(own)  # type: ignore[arg-type]
