"""Who plays a side: an agent, a drafter, or a policy, strategy or build; the reference players, and those of files."""

from __future__ import annotations

import importlib.util
import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fracas.content.packs import examples_folder
from fracas.envs.agents.agent import Agent, RandomAgent, SeeingAgent
from fracas.envs.agents.drafters import (
    Drafter,
    GreedyDrafter,
    LookAheadDrafter,
    RandomDrafter,
    SeeingDrafter,
    load_preferences,
)
from fracas.envs.agents.look_ahead import GreedyAgent, LookAheadAgent
from fracas.envs.agents.network import NetworkAgent
from fracas.envs.agents.policy_file import load_policy
from fracas.envs.agents.tree_search import TreeSearchAgent
from fracas.envs.batch import Array
from fracas.envs.names import VERSIONS
from fracas.envs.scenarios import FIRST_SCENARIO, standard_example
from fracas.errors import InputError, UsageError
from fracas.errors.suggestions import nearest
from fracas.files.read import read_named_document
from fracas.kit import Game
from fracas.rulesets import registry

# A function from an observation of an environment to an action.
Chooser = Callable[[dict[str, Any]], Any]


@dataclass(frozen=True)
class Player:
    """Somebody who plays a side: an agent, or a policy, strategy or build of the content."""

    name: str
    agent: Agent | Drafter | None = None
    """In rulesets with a draft a drafter, elsewhere an agent."""
    policy: Any = None
    """As in a scenario; None with no agent either is what the scenario says."""


class FunctionAgent(SeeingAgent):
    """A function from an observation to an action, asked for one battle after the other."""

    def __init__(self, choose: Chooser, name: str, version: int = 1) -> None:
        self.name, self._choose, self.version = name, choose, version

    def begin(self, seed: str) -> None:
        pass

    def choose_seen(self, seen: Array, masks: Array) -> Array:
        chosen = np.zeros(len(seen), np.int64)
        for row in np.flatnonzero(masks.any(axis=1)):
            chosen[row] = self._choose({"observation": seen[row], "action_mask": masks[row]})
        return chosen


def reference_agents(ruleset: str) -> list[Player]:
    """The players of every table: agents, the shipped trained policy if there is one, and those of the content.

    Raises:
        UsageError: there is no such ruleset, or nobody decides anything in or before its battles.
    """
    found = registry.get(ruleset, "RULESET")
    trained = trained_policy(ruleset)
    agents: list[Agent | Drafter]
    of_content: list[tuple[str, Any]] = [("scenario", None)]
    if found.draft is not None:
        curious = LookAheadDrafter(8, "tree search", curious=True)
        agents = [RandomDrafter(), GreedyDrafter(), LookAheadDrafter(), curious]
    else:
        agents = [RandomAgent(), GreedyAgent(), LookAheadAgent(), TreeSearchAgent()]
        of_content = list(found.agent_interface().content_players())
    if trained is not None and trained.exists():
        agents.append(load_preferences(trained, "trained") if found.draft else load_policy(trained, "trained"))
    return [*(Player(agent.name, agent) for agent in agents), *(Player(name, None, each) for name, each in of_content)]


def trained_policy(ruleset: str) -> Path | None:
    """Where the trained policy is that Fracas brings, or that a game keeps; None for games without one.

    Raises:
        UsageError: there is no such ruleset, or nobody decides anything in its battles.
    """
    found = registry.get(ruleset, "RULESET")
    if isinstance(found, Game):
        return found.agent_interface().trained_file
    return examples_folder() / "envs" / "policies" / f"{ruleset}-v{VERSIONS[-1]}.json"


def notes_on(ruleset: str, *, is_named: bool = False) -> Iterator[str]:
    """What to know of a game's tables: a scenario that is drawn, and whether there is a trained bot.

    is_named: whether a scenario was given.
    """
    if not is_named and isinstance(standard_example(ruleset), Mapping):
        yield f"scenario: drawn at random, as there is no {FIRST_SCENARIO} beside the game; --scenario FILE names one"
    file = trained_policy(ruleset)
    if file is None:
        yield 'trained bot: none, as the game gives no network="FILE"'
    elif not file.exists():
        yield f"trained bot: none yet, as there is no {file.name} beside the game"
    else:
        yield f"trained bot: {file.name}"


def player_of(ruleset: str, given: Any, name: str | None = None) -> Player:
    """A player from what people have: a player, an agent, a function, or the name of a file.

    A file is a trained policy, a policy, strategy or build as scenarios take it, or `FILE.py:NAME`, an agent or a
    function in Python. The Python file is run: name only files that you trust.

    Args:
        ruleset: What is played.
        given: A `Player`, an `Agent`, a `Drafter`, a class of such, a function, or the name of a file. A function
            reads version 1 of observations, or the one that its attribute `version` says.
        name: What the player is called; None is its own name.

    Raises:
        InputError: the file is missing or broken, or holds no player.
        UsageError: it is nothing that plays, or plays something else.
    """
    if isinstance(given, Player):
        return given
    if isinstance(given, str | Path):
        return _of_file(ruleset, str(given), name)
    is_draft = registry.get(ruleset, "RULESET").draft is not None
    agent = given() if inspect.isclass(given) and issubclass(given, Agent | Drafter) else given
    own = name or getattr(agent, "name", None) or getattr(agent, "__name__", None) or type(agent).__name__
    if callable(agent) and not isinstance(agent, Agent | Drafter):
        version = getattr(agent, "version", 1)
        agent = SeeingDrafter(agent, own, version) if is_draft else FunctionAgent(agent, own, version)
    if not isinstance(agent, Drafter if is_draft else Agent):
        wanted = "a Drafter" if is_draft else "an Agent"
        raise UsageError.of("agent", f"is {type(agent).__name__}; take {wanted} or a function of an observation")
    if isinstance(agent, NetworkAgent) and agent.network.ruleset != ruleset:
        what = f'"{own}" is a trained policy of {agent.network.ruleset}'
        raise UsageError.of("players", f"{what}; this table is of {ruleset}")
    return Player(own, agent)


def _of_file(ruleset: str, given: str, name: str | None) -> Player:
    file, colon, wanted = given.rpartition(":")
    if colon and file.endswith(".py"):
        return player_of(ruleset, _of_module(Path(file), wanted), name or wanted)
    if given.endswith(".py"):
        raise UsageError.of(given, "is a Python file", f"say which agent of it: {given}:NAME")
    own = name or Path(given).stem
    document = read_named_document(Path(given))
    if "network" in document:
        return player_of(ruleset, load_policy(given, own))
    if "preferences" in document:
        return player_of(ruleset, load_preferences(given, own))
    return Player(own, None, document)


def _of_module(file: Path, wanted: str) -> Any:
    """What a Python file calls by a name.

    Raises:
        InputError: the file cannot be run, or has no such name.
    """
    spec = importlib.util.spec_from_file_location(f"fracas_agent_{file.stem}", file)
    if spec is None or spec.loader is None or not file.is_file():
        raise InputError.of(str(file), "there is no such file")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        trace = reversed(inspect.trace())
        line = next((f":{frame.lineno}" for frame in trace if Path(frame.filename) == file.absolute()), "")
        raise InputError.of(f"{file}{line}", f"cannot be loaded: {type(error).__name__}: {error}") from None
    if not hasattr(module, wanted):
        known = [each for each, value in vars(module).items() if callable(value) and not each.startswith("_")]
        raise InputError.of(str(file), f'has no "{wanted}"', nearest(wanted, known) or f"it has {', '.join(known)}")
    return getattr(module, wanted)
