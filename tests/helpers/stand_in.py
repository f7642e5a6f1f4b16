"""A smallest game that is built by hand on the contract, for tests of how games are found, told apart and kept.

A game's file needs no more than this, so that these tests do not depend on what the kit derives:

    from stand_in import Game, flip, kernel

    @kernel
    def play_round(battle, log): ...

    game = Game("coins", version=1)
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from blake3 import blake3
from pydantic import BaseModel, Field, create_model

from fracas.conditions import Vocabulary
from fracas.content.catalogue import GameCatalogue
from fracas.content.field_types import Id, Name, Note, ProfileHead, Seed
from fracas.content.references import Collector, to_plain
from fracas.content.scenario_reader import ScenarioReader
from fracas.content.validate import Model, TextOrTable, validate
from fracas.events.protocol import ALL, STORY, Codebook, Event, Protocol
from fracas.events.protocol import event as declare
from fracas.events.styled_text import PLAIN, Line
from fracas.kernel.dice import d100_within, dice_t, open_address
from fracas.kernel.entry_points import batch, rollout
from fracas.kernel.event_log import NOBODY, emit, log_type
from fracas.kernel.identity import belongs_to
from fracas.kernel.jit import kernel
from fracas.kernel.records import record, result_record
from fracas.kernel.snapshots import FROM_SET_UP
from fracas.rulesets.contract.analysis import AnalysisHooks
from fracas.rulesets.contract.kernels import Kernels, Models
from fracas.rulesets.contract.ruleset import Ruleset
from fracas.rulesets.contract.types import Compiled
from fracas.rulesets.shared.checked_scenario import checked_scenario
from fracas.rulesets.shared.random_choices import Choices
from fracas.rulesets.shared.seeds import key_words

__all__ = ["Game", "d100_within", "flip", "kernel", "open_address"]

REASONS = ("undecided", "heads", "round_cap")
HEADS, ROUND_CAP = 1, 2


@declare(1, ALL)
class Flip(Event):
    """A side flips its coin."""

    actor: Annotated[str, Codebook("side")]
    roll: Annotated[int, "the roll"]
    count: Annotated[int, "heads so far"]


@declare(2, STORY)
class Outcome(Event):
    """The battle is over."""

    winner: Annotated[int, "1, 2 or 0"]
    reason: Annotated[str, Codebook("reason"), "why"]


class Coin(Model):
    """A coin."""

    name: Name
    heads: int = Field(ge=0, le=100)


class NamedCoin(Coin):
    """A coin of the content."""

    id: Id
    note: Note = ""


class ContentFile(Model):
    """A content file."""

    coins: list[NamedCoin] = Field([])
    profiles: list[ProfileHead] = Field([])


class Options(Model):
    """The options."""

    heads: int = Field(5, ge=1, le=1000)


class Side(Model):
    """A side."""

    name: Name
    coin: TextOrTable[Id, Coin]


class ResolvedSide(Model):
    """A side with its coin."""

    name: Name
    coin: Coin


side_t = record(("percent", np.int64), ("count", np.int64))
battle_t = record(
    *((name, np.int64) for name in ("tick", "winner", "reason", "heads", "round_cap")),
    ("sides", side_t, (2,)),
    ("dice", dice_t),
)


@kernel
def flip(battle: Any, log: Any, side: Any, roll: Any) -> Any:
    """Write that a side flipped its coin."""
    if log is not None:
        emit(log, battle.tick, 1, side, NOBODY, roll, battle.sides[side].count, 0, 0)


@kernel
def write_result(battle: Any, result: Any) -> Any:
    """Write how the battle ended."""
    result.rounds = battle.tick
    for side in range(2):
        result.hp_left[side] = battle.sides[side].count
        result.units_left[side] = 1


class Game(Ruleset):
    """Two sides flip coins; the file says what a round is."""

    title = "Coins"
    summary = "Two sides flip coins."
    default_profile = "standard"
    vocabulary = Vocabulary(facts=())
    benchmarks = ()
    reasons = REASONS
    protocol = Protocol((Flip, Outcome))

    def __init__(self, name: str, version: int, *, content: str | None = None) -> None:
        scope = sys._getframe(1).f_globals
        self.name, self.rules_version = name, version
        self.codebooks = {"side": ("1", "2"), "reason": REASONS}
        self.module = sys.modules[scope["__name__"]]
        self.source = Path(scope["__file__"])
        self.content_folder = None if content is None else self.source.parent / content
        # Comments do not change rules.
        text = scope["__loader__"].get_source(scope["__name__"])
        self.rules_hash = blake3(f"{version} {ast.dump(ast.parse(text))}".encode()).hexdigest()
        self._kernels: Kernels | None = None
        self.catalogue = GameCatalogue(name, ContentFile, "standard", folder=self.content_folder)
        two = {"min_length": 2, "max_length": 2}
        head: Any = {"ruleset": (Literal[name], ...), "options": (Options, Options())}
        self.scenario = create_model(
            "Scenario",
            __base__=Model,
            **head,
            id=(Name | None, None),
            note=(Note, ""),
            seed=(Seed | None, None),
            profile=(Id | None, None),
            sides=(Annotated[list[Side], Field(**two)], ...),
        )
        self.resolved = create_model(
            "Resolved",
            __base__=Model,
            **head,
            id=(Name, ...),
            seed=(Seed, ...),
            profile=(Id, ...),
            sides=(Annotated[list[ResolvedSide], Field(**two)], ...),
        )
        self.models = Models(self.scenario, ContentFile, Coin, self.resolved, "part")
        self.reading: ScenarioReader[BaseModel] = ScenarioReader(
            self.scenario, self._library_for, lambda library: None, lambda document, library, where: iter(())
        )

    @property
    def kernels(self) -> Kernels:  # type: ignore[override]
        """The entry points, made when somebody plays."""
        if self._kernels is None:
            play, resume = _loops(self.module.play_round)
            many, onward = batch(play, write_result), rollout(resume, write_result)
            for each in (many, onward):
                belongs_to(each, self.identity)
            self._kernels = Kernels(many, result_record(2), log_type(4096), battle_t, resume_many=onward)
        return self._kernels

    @property
    def analysis(self) -> AnalysisHooks:
        """No hooks."""
        return AnalysisHooks(self.name)

    def part(self, name: str) -> Any:
        """A function of the ruleset by its name."""
        return getattr(self, f"part_{name}", None) or getattr(self.catalogue, name)

    def _library_for(self, profile: Any, folders: Any, where: str = "profile") -> Any:
        from fracas.content.packs import read_library

        return read_library(self.catalogue.own, ContentFile, [], folders)

    part_library_for = _library_for

    def part_check_library(self, library: Any, origin: Any = None) -> None:
        """Nothing refers to anything."""

    def part_resolve(self, document: Any, source: Any, folders: Any, plugins: Any) -> Any:
        """Look up the coins."""
        scenario: Any
        scenario, library, problems = self.reading.read(document, source.where, folders)
        found = Collector(source.where, problems)
        sides = []
        for place, side in enumerate(scenario.sides):
            with found.collecting():
                coin = side.coin
                if isinstance(coin, str):
                    coin = library.find("coins", coin, found.where(f"sides.{place}.coin"), "coin")
                sides.append({"name": side.name, "coin": to_plain(coin, without=("id", "note"))})
        found.raise_problems()
        head = self.catalogue.head_of(scenario, source)
        return checked_scenario(
            self.resolved, {**head, "options": to_plain(scenario.options), "sides": sides}, source.where
        )

    def part_compile_battle(self, document: Any, plugins: Any, *, strict: bool = False, sound: Any = None) -> Compiled:
        """Fill the record."""
        resolved = sound or validate(self.resolved, document, "scenario")
        records = np.zeros(1, battle_t)
        records[0]["heads"], records[0]["round_cap"] = resolved.options.heads, 1000
        for place, side in enumerate(resolved.sides):
            records[0]["sides"][place]["percent"] = side.coin.heads
        records[0].dice.key[:] = key_words(resolved.seed)
        return Compiled(records, {key: tuple(names) for key, names in self.codebooks.items()})

    def part_check_file(self, kind: str, document: Any, source: Any, folders: Any, strict: bool) -> tuple[()]:
        """Nothing to check."""
        return ()

    def part_lint_scenario(self, document: Any, source: Any, folders: Any, plugins: Any) -> list[Any]:
        """Find nothing."""
        return []

    part_lint_library = part_lint_strategy_file = lambda self, *_: []

    def part_narrate(self, events: Any, compiled: Any, document: Any, detail: str) -> list[Line]:
        """Tell every event."""
        return [Line(each.tick, ((f"{each.as_json()}", PLAIN),)) for each in events]

    def part_measures(self, document: Any) -> tuple[()]:
        """No measures."""
        return ()

    def part_statistics(self, compiled: Any, document: Any, sums: Any) -> tuple[()]:
        """No statistics."""
        return ()

    def part_explained_units(self, compiled: Any) -> list[str]:
        """No units."""
        return []

    def part_random_scenario(self, seed: int) -> Any:
        """Two coins."""
        dice = Choices(f"{self.name} scenario {seed}")
        coins = [{"name": "Coin", "heads": dice.between(0, 100)} for _ in range(2)]
        sides = [{"name": name, "coin": coin} for name, coin in zip(("Ada", "Bo"), coins, strict=True)]
        return {"ruleset": self.name, "id": f"random-{seed}", "sides": sides}


def _loops(play_round: Any) -> tuple[Any, Any]:
    @kernel
    def set_up(battle: Any) -> Any:
        battle.tick = battle.winner = battle.reason = 0
        for side in range(2):
            battle.sides[side].count = 0

    @kernel
    def play_on(battle: Any, log: Any) -> Any:
        while battle.reason == 0:
            battle.tick += 1
            play_round(battle, log)
            first, second = battle.sides[0].count >= battle.heads, battle.sides[1].count >= battle.heads
            if first or second:
                battle.reason = HEADS
                battle.winner = 1 if not second else 2 if not first else 0
            elif battle.tick >= battle.round_cap:
                battle.reason = ROUND_CAP
        if log is not None:
            emit(log, battle.tick, 2, NOBODY, NOBODY, battle.winner, battle.reason, 0, 0)

    @kernel
    def play(battle: Any, log: Any, plugins: Any) -> Any:
        set_up(battle)
        play_on(battle, log)

    @kernel
    def resume(battle: Any, place: Any, plugins: Any) -> Any:
        if place[0] == FROM_SET_UP:
            set_up(battle)
        play_on(battle, None)

    return play, resume
