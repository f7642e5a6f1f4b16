"""A trained policy plays in the rules what its agent plays in environments; files that do not fit are refused."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.helpers import soak
from tests.helpers.networks import network_with

import fracas
from fracas.engine.player import make_player
from fracas.engine.scenario import Scenario, load_scenario
from fracas.envs.agents import Layers, NetworkAgent, load_policy, network_of, save_policy
from fracas.envs.agents.network import MixingAgent, Situations
from fracas.envs.agents.strength import load_standard
from fracas.envs.agents.training import Settings, Trainer
from fracas.envs.batch import BattleBatch
from fracas.envs.battles.single import BattleEnv
from fracas.envs.names import RULESETS
from fracas.envs.scenarios import standard_example
from fracas.kernel.dice import seek_stream
from fracas.kernel.networks import begin_thought, share_in_mix
from fracas.kernel.stepping import DISABLED, PLAYING
from fracas.rulesets import registry
from fracas.rulesets.titans.rules.constants import ENEMY_LAST, OWN_LAST
from fracas.rulesets.titans.rules.mechanics import set_up, start_round
from fracas.rulesets.titans.rules.observation import mark_legal, see_duel
from fracas.rulesets.titans.rules.policies import by_network

DRAWS = 400
BATTLES = 3
RUN = "examples/delve/standard-run.toml"


def trained(
    ruleset: str, side: int, scenario: Any = None, seed: int = 1, mixes: bool = False
) -> tuple[Scenario, NetworkAgent, Scenario]:
    """A scenario, an agent with random weights, and the scenario in which its policy plays the side."""
    plain = load_scenario(scenario or standard_example(ruleset))
    interface = plain.ruleset.agent_interface()
    network = network_with(ruleset, seed, mixes)
    played = load_scenario(interface.with_network(plain.document, side, network.model_dump()))
    return plain, NetworkAgent(network, interface.trained(ruleset)), played


# Each ruleset with one of its sides; in a soak with both.
@pytest.mark.parametrize(
    ("ruleset", "side"),
    [(name, side) for place, name in enumerate(RULESETS) for side in (0, 1) if soak.is_on() or side == place % 2],
)
def test_the_rules_play_what_the_agent_plays(ruleset: str, side: int) -> None:
    """Two implementations, one in NumPy over observations, one in the kernels: the same winners, rounds and HP."""
    plain, agent, played = trained(ruleset, side)
    episode(plain, agent, played, side, stream=3)


def test_a_policy_decides_on_the_way_too() -> None:
    plain, agent, played = trained("delve", 0, RUN)
    battle = episode(plain, agent, played, 0, stream=0)
    assert any(row[2] >= 32 for row in battle.decisions.rows), "an option was chosen"


def episode(plain: Scenario, agent: NetworkAgent, played: Scenario, side: int, stream: int) -> Any:
    env = BattleEnv(plain.ruleset.name, plain, side=side + 1)
    seen, _ = env.reset(options={"stream": stream})
    over = False
    while not over:
        seen, _, over, _, _ = env.step(agent(seen))
    mine, theirs = env.battle(), fracas.run(played, stream=stream)
    assert (mine.winner, mine.rounds, mine.hp_left) == (theirs.winner, theirs.rounds, theirs.hp_left)
    assert theirs.digest
    return mine


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_battle_with_a_trained_policy_is_a_replay_that_verifies(ruleset: str, tmp_path: Path) -> None:
    _, _, played = trained(ruleset, 0)
    file = tmp_path / "battle.json"
    battle = fracas.run(played, stream=2)
    battle.save(file)
    assert fracas.verify(file).matches
    assert load_scenario(played.document).document == played.document, "a resolved scenario resolves to itself"


def test_frozen_policies_play_the_other_side_of_a_batch() -> None:
    """A policy in the scenario, its agent as a function, and its agent beside the learner: the same episode."""
    plain, agent, played = trained("squads", 1)
    ends = []
    for scenario, opponent in ((played, None), (plain, agent)):
        env = BattleEnv("squads", scenario, opponent=opponent)
        seen, _ = env.reset(seed=5)
        over = False
        while not over:
            seen, _, over, _, _ = env.step(int(seen["action_mask"].argmax()))
        ends.append((env.battle().winner, env.battle().rounds, env.battle().hp_left))
    batch = BattleBatch([plain], (0, 1), 1)
    batch.reseed(["5"])
    batch.begin()
    while batch.states[0] == PLAYING:
        first = batch.masks[:, 0].argmax(axis=1)
        batch.step(np.stack([first, agent.choose(batch, 1)], axis=1), DISABLED)
    battle = batch.battles[0]
    assert ends[0] == ends[1]
    assert (int(battle.winner), int(battle.tick)) == ends[0][:2]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_compiled_is_plain(ruleset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _, _, played = trained(ruleset, 0, seed=7)
    results = []
    for setting in ("0", "wasm"):
        monkeypatch.setenv("FRACAS_JIT", setting)
        results.append(make_player(played, logged=False, battles=BATTLES).play(0, BATTLES).tobytes())
    assert results[0] == results[1]


def test_a_mix_has_the_shares_that_the_agent_draws_by() -> None:
    plain, agent, played = trained("titans", 0, mixes=True)
    shape = agent.reading.shape.for_kernels()
    batch = BattleBatch([plain], (0,), 4)
    batch.begin()
    scores, legal = agent.scores(batch.seen[:, 0], batch.masks[:, 0])
    shares = agent.shares(scores, legal)
    battle = played.compiled.record[0]
    for row in range(4):
        thought, network = battle.thought, battle.networks[0]
        thought.seen[:], thought.mask[:] = batch.seen[row, 0], batch.masks[row, 0]
        begin_thought(network, thought, shape)
        most = int(scores[row][legal[row]].max())
        kernel = [int(share_in_mix(network, thought, action, most, shape)) for action in range(8)]
        assert kernel == shares[row].tolist()
    assert shares.max() == 1 << 20
    assert (shares > 0).sum() > 4, "several choices are possible"


@pytest.mark.parametrize(("mixes", "version"), [(True, 1), (False, 1), (True, 2)])
def test_the_solver_is_told_the_shares_that_an_agent_draws_by(mixes: bool, version: int) -> None:
    """Without the round and the last choices at first, and with them besides."""
    plain, agent, _ = trained("titans", 0, mixes=mixes)
    if version == 2:
        agent = load_policy("examples/envs/policies/titans-v2.json")
    batch = BattleBatch([plain], (0, 1), 8, version=2)
    batch.begin()
    for _ in range(3):
        batch.step(batch.masks.argmax(axis=2), DISABLED)
    described = batch.described.shape[2]
    for side in (0, 1):
        seen, masks = batch.seen[:, side, :-described].copy(), batch.masks[:, side]
        scores, legal = agent.scores(batch.seen[:, side, : None if version == 2 else agent.reading.inputs], masks)
        shares = agent.shares(scores, legal) if mixes else np.eye(8)[np.where(legal, scores, -(2**62)).argmax(axis=1)]
        besides = (0, *OWN_LAST, *ENEMY_LAST)
        (further,) = {tuple(row[list(besides)].tolist()) for row in seen}
        seen[:, besides] = 0
        told = MixingAgent(agent, plain).look(side, seen, masks).under([{}, dict(zip(besides, further, strict=True))])
        assert told.shape == (8, 2, 8)
        assert told[:, 1] == pytest.approx(shares / shares.sum(axis=1, keepdims=True), abs=1e-12)
        assert (told[:, 0] != told[:, 1]).any() or not mixes


def test_a_mixing_policy_draws_as_often_as_its_shares_say() -> None:
    _, agent, played = trained("titans", 0, mixes=True)
    battle = played.compiled.record[0]
    set_up(battle, None)
    start_round(battle, None)
    mark_legal(battle, 0, battle.thought.mask)
    see_duel(battle, 0, battle.thought.seen, True)
    scores, legal = agent.scores(battle.thought.seen[None].astype(np.float32), battle.thought.mask[None])
    shares = agent.shares(scores, legal)[0] / agent.shares(scores, legal).sum()
    drawn = np.zeros(8)
    for stream in range(DRAWS):
        seek_stream(battle.dice, stream)
        drawn[by_network(battle, battle.titans[0], None)] += 1
    assert np.abs(drawn / DRAWS - shares).max() < 4 * 0.5 / np.sqrt(DRAWS)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_policies_of_version_2_read_what_actions_do(ruleset: str, tmp_path: Path) -> None:
    """They play as agents: the same inputs by names as by places. Scenarios name policies of version 1."""
    network = network_with(ruleset, 4, version=2)
    save_policy(tmp_path / "mine.json", network)
    agent = load_policy(tmp_path / "mine.json")
    env = BattleEnv(ruleset, version=agent.version)
    seen, _ = env.reset(seed=3)
    interface = registry.get(ruleset).agent_interface()
    names = [feature.name for feature in interface.seen_in(2)]
    over, has_seen = False, False
    while not over:
        told = dict(zip(names, seen["observation"].tolist(), strict=True))
        at = Situations.of(agent.reading, seen["observation"][None], seen["action_mask"][None])
        deeds = at.others[:, agent.reading.width :]
        acting = next((name.removesuffix(".acting") for name in names if name.endswith(".acting") and told[name]), "")
        for deed, choice in zip(deeds, at.choices.tolist(), strict=True):
            stem = deed_of(ruleset, acting, choice, told)
            wanted = [value for name, value in told.items() if stem and name.startswith(f"{stem}.")]
            assert len(wanted) in (0, len(deed))
            assert np.allclose(deed, [4 * value / (4 + abs(value)) for value in wanted] or 0.0)
        has_seen |= bool(deeds.any())
        seen, _, over, _, _ = env.step(agent(seen))
    assert has_seen == (ruleset != "stacks"), "moves of stacks have no description but their names"
    document = interface.with_network(fracas.load(standard_example(ruleset)).document, 0, network.model_dump())
    with pytest.raises(
        fracas.InputError, match=f"reads fracas/{ruleset.capitalize()}-v2; scenarios name policies of -v1"
    ):
        load_scenario(document)


def deed_of(ruleset: str, acting: str, choice: int, told: dict[str, float]) -> str:
    """The beginning of the names that tell what a choice does."""
    if ruleset == "titans":
        return f"own.ability_{choice - 2}" if choice > 2 else ""
    if ruleset == "squads":
        return f"{acting}.{('basic', 'class_ability', 'ultimate')[choice]}"
    if ruleset == "delve" and choice < 32:
        return f"skill_{round(told[f'{acting}.queue_{choice + 1}.skill'] * 128 - 1) % 48}"
    return ""


def test_export_and_import_are_inverse(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    network = network_with("squads", 3)
    save_policy(file, network, "for the test")
    agent = load_policy(file)
    assert (agent.name, agent.network) == ("mine", network)
    file.write_text(file.read_text().replace("squads", "chess"))
    with pytest.raises(fracas.InputError, match='there is no ruleset "chess"'):
        load_policy(file)


def test_weights_that_do_not_fit_are_refused() -> None:
    layers = network_with("squads", 1)
    numbers = Layers.of(layers)
    numbers.first[0, 0] = 1 << 15
    with pytest.raises(fracas.InputError, match="must be numbers between -32,768 and 32,768"):
        numbers.rounded()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"first": np.zeros((44, 8))}, r"layers.first: has the shape \(44, 8\); \(45, 8\) is needed"),
        ({"first": np.zeros(45)}, r"layers.first: has the shape \(45,\)"),
        ({"second": np.zeros((8, 3))}, r"layers.second: has the shape \(8, 3\); \(3, 8\) is needed"),
        ({"bias": np.zeros(3)}, r"layers.bias: has the shape \(3,\); \(8,\) is needed"),
        ({"bias": [0.0] * 8}, "layers.bias: must be a NumPy array of real numbers"),
        ({"second_bias": np.zeros(3, complex)}, "layers.second_bias: must be a NumPy array of real numbers"),
        ({"first": np.full((45, 8), np.nan)}, "must be numbers between"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(fracas.InputError, match=message):
        network_of("squads", replace(Layers.of(network_with("squads", 1)), **change))


def test_a_policy_that_no_file_could_hold_is_not_trained() -> None:
    for hidden in (0, 65):
        with pytest.raises(fracas.UsageError, match="1 to 64 fit into a policy file"):
            Trainer(load_standard("squads", None), Settings(hidden=hidden))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"ruleset": "titans"}, "is a trained policy for titans; this scenario is of squads"),
        ({"version": 9}, "was trained in version 9 of the environment; this is version 1"),
        ({"inputs": 44}, "bytes of weights; 44 inputs, 8 units and 3 choices need"),
        ({"hidden": 65}, "hidden: .*64"),
        ({"hidden": 0}, "hidden: .*1"),
        ({"mixes": True}, "trained policies of squads take the best action"),
        ({"weights": "!!"}, "the weights are not base64"),
        ({"weights": "A" * 50_000}, "weights: is longer than 43692 characters"),
        ({"inputs": 8000, "hidden": 64}, "weights; at most 8,192 fit|bytes of weights"),
        ({"weights": None}, "weights"),
        ({"surprise": 1}, "surprise"),
    ],
)
def test_a_policy_that_does_not_fit_is_refused(change: dict[str, Any], message: str) -> None:
    interface = registry.get("squads").agent_interface()
    network = {**network_with("squads", 1).model_dump(), **change}
    document = interface.with_network(fracas.load("examples/squads/standard-5v5.toml").document, 0, network)
    with pytest.raises(fracas.InputError, match=message):
        load_scenario(document)


def test_a_policy_of_another_shape_is_refused() -> None:
    network = network_with("squads", 1).model_dump()
    weights = base64.b64encode(bytes(4 * ((44 + 1) * 8 + 9 * 3))).decode()
    document = (
        registry.get("squads")
        .agent_interface()
        .with_network(
            fracas.load("examples/squads/standard-5v5.toml").document, 0, {**network, "inputs": 44, "weights": weights}
        )
    )
    with pytest.raises(fracas.InputError, match="has 44 inputs and 3 choices; squads has 45 and 3"):
        load_scenario(document)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_scenarios_name_policy_files(ruleset: str, tmp_path: Path) -> None:
    save_policy(tmp_path / "mine.json", network_with(ruleset, 2))
    document = json.loads(json.dumps(fracas.load(standard_example(ruleset)).document))
    if ruleset == "titans":
        document["players"][0]["policy"] = "mine.json"
    elif ruleset == "squads":
        document["sides"][0]["strategy"] = "mine.json"
    else:
        document["policies"] = {"party" if ruleset == "delve" else "attackers": "mine.json"}
    file = tmp_path / "scenario.json"
    file.write_text(json.dumps(document))
    expected = registry.get(ruleset).agent_interface()
    battle = fracas.run(fracas.load(file))
    inline = expected.with_network(
        fracas.load(standard_example(ruleset)).document, 0, network_with(ruleset, 2).model_dump()
    )
    other = fracas.run(inline, seed=battle.scenario.seed)
    assert (battle.winner, battle.rounds) == (other.winner, other.rounds)
    (tmp_path / "mine.json").write_text('{"network": {}}')
    with pytest.raises(fracas.InputError, match=r"mine\.json"):
        fracas.load(file)


def test_plugins_and_trained_policies_do_not_mix() -> None:
    plugin = Path(__file__).parents[3] / "benchmarks" / "yardstick" / "strike_again.py"
    document = json.loads(json.dumps(fracas.load("examples/stacks/first-attack.toml").document))
    unit = next(unit for stack in document["stacks"] for unit in stack["units"] if "strike" in unit["moves"])
    unit["moves"] = [plugin.stem]
    document["policies"] = {"attackers": {"network": network_with("stacks", 1).model_dump()}}
    with pytest.raises(fracas.InputError, match="trained policies do not know the plug-ins"):
        fracas.load(document, plugins=[plugin])
