"""Battles that agents decided as datasets of Minari, the format of offline reinforcement learning.

Needs Minari: pip install "fracas[minari]".
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fracas.engine.battle import Battle
from fracas.envs.arguments import shown, side_of
from fracas.envs.batch import Array
from fracas.envs.battles.match import Match
from fracas.envs.battles.single import BattleEnv
from fracas.envs.descriptions import versions_of
from fracas.envs.names import ENVIRONMENTS, environment_id
from fracas.errors import UsageError
from fracas.replay.verify import narrate_replay

if TYPE_CHECKING:
    from minari import MinariDataset


@dataclass(frozen=True)
class Episode:
    """What one side saw and did in a battle: t decisions.

    observations: (t + 1, features) float32, the last after the battle. masks: (t + 1, actions) int8. actions: (t,)
    int64. rewards: (t,) float64.
    """

    battle: Battle
    observations: Array
    masks: Array
    actions: Array
    rewards: Array


def episode_of(replay: str | Path | Battle, side: int = 1, version: int | None = None) -> Episode:
    """Play a battle again from its decisions, and note what the agent of a side saw.

    replay: a replay file or a battle in which agents decided. version: of observations; absent: the last.

    Raises:
        InputError: the replay cannot be read or played.
        UsageError: no agent decided for that side.
    """
    battle = replay if isinstance(replay, Battle) else narrate_replay(Path(replay))
    decisions, own = battle.decisions, side_of(side)
    if decisions is None or own not in decisions.sides:
        where = str(replay) if isinstance(replay, str | Path) else "replay"
        raise UsageError.of(where, f"holds no decisions of an agent on side {own}", "save battles of environments")
    version = versions_of(battle.scenario.ruleset.name)[-1] if version is None else version
    match = Match([battle.scenario], [each - 1 for each in decisions.sides], version=version)
    match.begin_at(battle.scenario.seed, battle.stream)
    number, left = decisions.sides.index(own), list(decisions.rows)
    seen, masks, actions, rewards = [], [], [], []
    while not match.is_over:
        deciding = match.deciding()
        given = [0] * len(decisions.sides)
        for each in deciding:
            player, _, choice, target = left.pop(0)
            given[each] = int(match.batch.interface.encode(match.batch.battles[0], player - 1, choice, target))
        if number in deciding:
            observation = match.seen_by(number)
            seen.append(observation["observation"])
            masks.append(observation["action_mask"])
            actions.append(given[number])
            rewards.append(0.0)
        match.play(given)
        # What the other side decides before the own next decision belongs to the own last one.
        if rewards:
            rewards[-1] += float(match.batch.rewards[0, number])
    last = match.seen_by(number)
    return Episode(
        battle,
        np.stack([*seen, last["observation"]]),
        np.stack([*masks, last["action_mask"]]),
        np.array(actions, np.int64),
        np.array(rewards),
    )


def export(
    replays: Iterable[str | Path | Battle],
    dataset_id: str,
    side: int = 1,
    version: int | None = None,
    **about: Any,
) -> MinariDataset:
    """Write battles to a Minari dataset, an episode each; Minari keeps it where MINARI_DATASETS_PATH says.

    replays: of one ruleset or game; datasets of games name no environment, for Gymnasium does not know them.
    dataset_id: as Minari has it, `fracas/titans/greedy-v0`. version: of observations; absent: the last. about: what
    Minari notes beside the data: `algorithm_name`, `author`, `description`, and so on.

    Raises:
        InputError: a replay cannot be read or played.
        UsageError: no replay, several rulesets, or no decisions of that side.
    """
    import minari
    from minari.data_collector.episode_buffer import EpisodeBuffer

    episodes = [episode_of(replay, side, version) for replay in replays]
    names = sorted({episode.battle.scenario.ruleset.name for episode in episodes})
    if len(names) != 1:
        raise UsageError.of("replays", f"are of {shown(names)}; take battles of one ruleset")
    scenario = episodes[0].battle.scenario
    version = versions_of(names[0])[-1] if version is None else version
    spaces = BattleEnv(names[0], scenario, side, version=version)
    buffers = [
        EpisodeBuffer(
            id=number,
            observations={"observation": episode.observations, "action_mask": episode.masks},
            actions=episode.actions,
            rewards=episode.rewards.tolist(),
            terminations=[False] * (len(episode.actions) - 1) + [True],
            truncations=[False] * len(episode.actions),
            infos={},
        )
        for number, episode in enumerate(episodes)
    ]
    with warnings.catch_warnings():
        # It misses whatever note is left out, each with a warning of its own.
        warnings.filterwarnings("ignore", ".* is set to None", UserWarning)
        return minari.create_dataset_from_buffers(
            dataset_id,
            buffers,
            env=environment_id(names[0], version) if names[0] in ENVIRONMENTS else None,
            observation_space=spaces.observation_space,
            action_space=spaces.action_space,
            **about,
        )
