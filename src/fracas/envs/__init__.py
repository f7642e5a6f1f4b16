"""Battles as learning environments for Gymnasium and PettingZoo.

Import this package, then call `gymnasium.make("fracas/Titans-v1")` for one environment or `gymnasium.make_vec` for a
batch. `fracas.envs.titans_v1` has the environments with agents on both sides, and `fracas.envs.battle(game)` makes
those of a game of your own. All need the extra: pip install "fracas[envs]". Without it only `fracas.envs.descriptions`
works.
"""

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fracas.envs.battles.single import BattleEnv as BattleEnv
    from fracas.envs.games import battle as battle

if find_spec("gymnasium") is not None:
    from fracas.envs.names import register_environments

    register_environments()


def __getattr__(name: str) -> Any:
    """`BattleEnv`, the class of single environments, and `battle`, which makes environments of games.

    `gymnasium.make(...).unwrapped` is a `BattleEnv`.
    """
    if name == "battle":
        from fracas.envs.games import battle

        return battle
    if name != "BattleEnv":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from fracas.envs.battles.single import BattleEnv

    return BattleEnv
