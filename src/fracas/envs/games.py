"""Environments of your own games: one agent, agents on both sides, or a batch."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, overload

from fracas.envs.arguments import shown
from fracas.envs.battles.single import BattleEnv
from fracas.envs.battles.two_players import ParallelBattleEnv, TurnBattleEnv
from fracas.envs.battles.vector import BOTH, BattleVectorEnv
from fracas.envs.names import VERSIONS
from fracas.envs.scenarios import ScenarioSource
from fracas.errors import UsageError
from fracas.errors.suggestions import quoted
from fracas.kit.load import short, use
from fracas.rulesets import registry
from fracas.rulesets.contract.ruleset import Ruleset

BattleEnvironment = BattleEnv | ParallelBattleEnv | TurnBattleEnv | BattleVectorEnv
Scenarios = ScenarioSource | Sequence[ScenarioSource] | None


@overload
def battle(
    game: Ruleset | str | Path, scenario: Scenarios = ..., *, side: Literal[1, 2] = ..., num_envs: None = ...,
    observation: str = ..., **options: Any,
) -> BattleEnv: ...  # fmt: skip
@overload
def battle(
    game: Ruleset | str | Path, scenario: Scenarios = ..., *, side: Literal["both"], num_envs: None = ...,
    observation: str = ..., **options: Any,
) -> ParallelBattleEnv | TurnBattleEnv: ...  # fmt: skip
@overload
def battle(
    game: Ruleset | str | Path, scenario: Scenarios = ..., *, num_envs: int, side: int | str = ...,
    observation: str = ..., **options: Any,
) -> BattleVectorEnv: ...  # fmt: skip
def battle(
    game: Ruleset | str | Path,
    scenario: Scenarios = None,
    *,
    side: int | str = 1,
    num_envs: int | None = None,
    observation: str = "",
    version: int | None = None,
    **options: Any,
) -> BattleEnvironment:
    """Make an environment of a game in which sides choose; of a shipped ruleset too.

    Args:
        game: the game, its name, or its file, which is run: name only files that you trust.
        scenario: what is played: a path, mapping or loaded scenario, a list of such, or "random" for 64 scenarios of
            the generator. None is `scenarios/first.toml` beside the game's file, else the generator's first.
        side: the agent's side, 1 or 2; "both" for agents on both sides.
        num_envs: how many battles a batch has; None makes no batch.
        observation: the observation hash that a policy was trained with, or the beginning of it, at least 8 digits.
            Another one is refused.
        version: of observations, in shipped rulesets 1 or 2; None is the newest.
        options: the further arguments of the class that is made.

    Returns:
        A Gymnasium environment (`BattleEnv`); with side "both" one of PettingZoo, in which sides choose at once
        (`ParallelBattleEnv`) or in turns (`TurnBattleEnv`); with `num_envs` a batch (`BattleVectorEnv`).

    Raises:
        InputError: there is no such game or scenario.
        UsageError: nobody chooses in it, it shows another observation, or an argument is wrong.

    Source: docs/how-to/train-on-your-game.md.
    """
    found = _game_of(game)
    interface = found.agent_interface()
    hashed = interface.observation_hash
    if observation and (len(observation) < 8 or not hashed.startswith(observation)):
        now = f"this version of {found.name} shows {short(hashed)}" if hashed else f"{found.name} has no such hash"
        raise UsageError.of("observation", f"is {shown(observation)}; {now}", "train again, or use the old rules")
    options["version"] = (VERSIONS[-1] if interface.described else 1) if version is None else version
    if num_envs is not None:
        return BattleVectorEnv(found.name, num_envs, scenario, side, **options)
    if side != BOTH:
        return BattleEnv(found.name, scenario, side, **options)  # type: ignore[arg-type]  # checked there
    maker = ParallelBattleEnv if interface.simultaneous else TurnBattleEnv
    return maker(found.name, scenario, **options)


def _game_of(game: Ruleset | str | Path) -> Ruleset:
    """The game, which scenarios must be able to name.

    Raises:
        InputError: there is none, or another game has its name.
        UsageError: the object is not what its name leads to.
    """
    if isinstance(game, Ruleset):
        if not registry.is_known(game.name) or registry.get(game.name) is not game:
            message = f"is not known to scenarios by its name {quoted(game.name)}"
            raise UsageError.of("game", message, 'load it with fracas.use("FILE"), or pass the file')
        return game
    if isinstance(game, Path) or game.endswith(".py"):
        return use(game)
    return registry.get(game, "game")
