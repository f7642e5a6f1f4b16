"""The games that people play at tables: titans, and every game of the operator's in which somebody chooses."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from blake3 import blake3

from fracas.api.arguments import load
from fracas.content.packs import examples_folder
from fracas.engine.scenario import Scenario, compile_document
from fracas.envs.agents.agent import Agent, RandomAgent
from fracas.envs.agents.players import trained_policy
from fracas.envs.agents.policy_file import load_policy
from fracas.envs.agents.tree_search import TreeSearchAgent
from fracas.envs.batch import BattleBatch
from fracas.envs.battles.live_battle import SIDES, LiveBattle
from fracas.envs.scenarios import FIRST_SCENARIO
from fracas.errors import InputError
from fracas.files.read import read_text
from fracas.kit import Game
from fracas.portable.artefacts import is_current
from fracas.portable.build import build_game, can_build
from fracas.replay.table_file import TableGame, bot_digest
from fracas.rulesets import registry
from fracas.rulesets.contract.ruleset import Ruleset
from fracas.rulesets.contract.types import Document
from fracas.server.http.problems import ApiProblem, not_found
from fracas.server_models import tables as models

log = logging.getLogger("fracas.server.tables")

# How often a tree search plays a battle for one decision.
ROLLOUTS = 64
# Compiled scenarios that are kept; all tables of one scenario share it.
MOST_COMPILED = 128
RULES, RANDOM, SEARCH, TRAINED = "rules", "random", "tree search", "trained"
# Scenarios of titans that are fair and play with choices; the others are there to show something else.
OF_TITANS = ("standard", "ada-and-bo", "bastion-striker", "bastion-vessel", "bastion-weaver", "sudden-death")
_lock = threading.Lock()


@dataclass(frozen=True)
class OfferedGame:
    """A game, its scenarios and its bots."""

    ruleset: Ruleset
    scenarios: Mapping[str, Scenario]
    trained: str
    """The hash of its trained policy; empty without one."""

    @property
    def name(self) -> str:
        """What scenarios call it."""
        return self.ruleset.name

    @property
    def hides(self) -> bool:
        """Whether a side has something that the other does not see."""
        return self.ruleset.tables is not None and self.ruleset.tables.hides

    @property
    def bots(self) -> list[str]:
        """The bots that play it. A tree search plays copies of the battle, so it is none where something is hidden."""
        return [RULES, RANDOM, *([] if self.hides else [SEARCH]), *([TRAINED] if self.trained else [])]

    @property
    def view(self) -> models.TableGame:
        """The game as answers show it."""
        ruleset = self.ruleset
        return models.TableGame(
            game=self.name,
            title=ruleset.title,
            summary=ruleset.summary,
            scenarios=list(self.scenarios),
            bots=self.bots,
            hides=self.hides,
        )

    def digest_of(self, bot: str) -> str:
        """What the commitment binds of a bot."""
        return bot_digest(bot, self.trained if bot == TRAINED else "")

    def agent(self, bot: str) -> Agent | None:
        """The agent that chooses for a bot; None where the rules themselves choose."""
        if bot == SEARCH:
            return TreeSearchAgent(ROLLOUTS)
        file = trained_policy(self.name)
        return load_policy(file, TRAINED) if bot == TRAINED and file else RandomAgent() if bot == RANDOM else None


@cache
def _games(names: tuple[str, ...]) -> Mapping[str, OfferedGame]:
    found = {}
    for name in names:
        ruleset = registry.get(name)
        if ruleset.tables is None:
            continue
        scenarios = {file.stem: scenario for file in _files(ruleset) if (scenario := _loaded(file, name)) is not None}
        if scenarios:
            found[name] = OfferedGame(ruleset, scenarios, _trained(name))
    return found


def offered(packages: Sequence[str]) -> Mapping[str, OfferedGame]:
    """The games by their names, those of files and of packages that the operator named among them.

    Compiles them when first asked.
    """
    with _lock:
        return _games(tuple(dict.fromkeys((*registry.loaded(), *packages))))


def warm_up(packages: Sequence[str]) -> None:
    """Play a step of each game, so that whatever is compiled is there before the first table."""
    for game in offered(packages).values():
        battle = LiveBattle(next(iter(game.scenarios.values())), "warm up")
        battle.play({side: battle.default(side) for side in battle.deciding()})


def build_modules(packages: Sequence[str]) -> None:
    """Build the WebAssembly modules with which pages check proofs, where this machine can: seconds for each game."""
    for game in offered(packages).values():
        if game.ruleset.rules_hash and can_build() and not is_current(game.ruleset.identity):
            try:
                build_game(game.ruleset)
            except InputError as error:
                log.warning("pages cannot play tables of %s again: %s", game.name, error)


def game_of(name: str, packages: Sequence[str]) -> OfferedGame:
    """A game.

    Raises:
        ApiProblem: 404, there is none of this name.
    """
    found = offered(packages).get(name)
    if found is None:
        raise not_found("no game of this name")
    return found


def installed(name: str, version: int, rules: str, packages: Sequence[str]) -> OfferedGame:
    """The game whose rules a table is played by.

    Raises:
        ApiProblem: 410, this server has other rules now.
    """
    found = offered(packages).get(name)
    if found is None or TableGame.of(found.ruleset) != TableGame(name, version, rules):
        raise ApiProblem("gone", f"This server no longer has the rules of {name} that this table is played by.")
    return found


def _files(ruleset: Ruleset) -> list[Path]:
    """The scenarios of a game: those beside its file, the first one first."""
    if isinstance(ruleset, Game):
        if ruleset.source is None:
            return []
        folder = ruleset.source.parent / FIRST_SCENARIO.parent
        return sorted(folder.glob("*.toml"), key=lambda file: (file.name != FIRST_SCENARIO.name, file.name))
    return [examples_folder() / ruleset.name / f"{name}.toml" for name in OF_TITANS]


def _loaded(file: Path, game: str) -> Scenario | None:
    """A scenario; None for a file that cannot be used: its author hears of it elsewhere."""
    try:
        scenario = load(file)
    except InputError:
        return None
    return scenario if scenario.ruleset.name == game else None


def _trained(name: str) -> str:
    file = trained_policy(name)
    return blake3(read_text(file).encode()).hexdigest() if file is not None and file.is_file() else ""


@lru_cache(MOST_COMPILED)
def _compiled(key: bytes, document: str) -> BattleBatch:
    return BattleBatch([compile_document(json.loads(document), {})], SIDES, 1)


def compiled(key: bytes, document: Document) -> BattleBatch:
    """The scenario of a stored document, by its hash, with what all its battles share."""
    return _compiled(key, json.dumps(document))
