"""Battles as learning environments for Gymnasium and PettingZoo.

Import this package, then call `gymnasium.make("fracas/Titans-v2")` for one environment or `gymnasium.make_vec` for a
batch. `fracas.envs.titans_v2` has the environments with agents on both sides, and `fracas.envs.battle(game)` makes
those of a game of your own. All need the extra: pip install "fracas[envs]". Without it only `fracas.envs.descriptions`
works.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fracas.envs.battles.search import Search as Search
    from fracas.envs.battles.single import BattleEnv as BattleEnv
    from fracas.envs.games import battle as battle
    from fracas.envs.scenarios import Random as Random

if find_spec("gymnasium") is not None:
    from fracas.envs.names import register_environments

    register_environments()


# What this package offers by name, and where it is; none of it is imported before it is asked for.
_NAMES = {
    "BattleEnv": "fracas.envs.battles.single",
    "Random": "fracas.envs.scenarios",
    "Search": "fracas.envs.battles.search",
    "battle": "fracas.envs.games",
}


def __getattr__(name: str) -> Any:
    """`BattleEnv`, `Search`, `Random`: single environments, copies, scenarios of a generator; `battle`, for games.

    `gymnasium.make(...).unwrapped` is a `BattleEnv`.
    """
    if name not in _NAMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_NAMES[name]), name)
