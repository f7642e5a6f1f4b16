"""`Game`: a ruleset made of declarations. Everything that the contract asks for follows from them.

A `Game` is made at the end of its file and built at first use, or when a loader asks (`build`): only then are all
functions of the module there.
"""

from __future__ import annotations

import inspect
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any, NoReturn, Unpack

import numpy as np

from fracas.content.packs import Library
from fracas.content.validate import validate
from fracas.errors import InputError, Problem
from fracas.events.styled_text import Line
from fracas.kernel.event_log import log_type
from fracas.kernel.event_protocol import Event, Protocol
from fracas.kit.author_errors.declarations import check_declarations
from fracas.kit.author_errors.places import trees_of, with_lines
from fracas.kit.author_errors.rules_check import check_rules
from fracas.kit.declare.records import Battle
from fracas.kit.derive.agents import AgentParts, has_choices, interface_of
from fracas.kit.derive.bind import BoundEvent, bind, bound_events
from fracas.kit.derive.chronicle import GameLog, chronicle
from fracas.kit.derive.compile import filled, unit_names
from fracas.kit.derive.decisions import Action, Decider, actions_of
from fracas.kit.derive.entries import entries_of
from fracas.kit.derive.explained import Explainer, condition_findings, strategy_findings
from fracas.kit.derive.facts import facts_of
from fracas.kit.derive.functions import MOST_ACTIONS, Functions, Play, functions_of, modules_of
from fracas.kit.derive.lab import GameHooks, LabParts
from fracas.kit.derive.loops import MOST_EVENTS, PLACE_LENGTH, Loops, entry_points, loops_of, machine_of
from fracas.kit.derive.minds import MINDS
from fracas.kit.derive.models import STANDARD, GameModels, models_of
from fracas.kit.derive.observation import sight_of
from fracas.kit.derive.protocol import code_books, drawn_fields, protocol_of, reasons_of
from fracas.kit.derive.reading import DeclaredCatalogue, Reading
from fracas.kit.derive.record import Records, records_of
from fracas.kit.derive.reference import Reference
from fracas.kit.derive.scenarios import Generator
from fracas.kit.derive.shape import Shape, file_name, shape_of, texts_below
from fracas.kit.derive.stage import cast_of, stage_of
from fracas.kit.derive.statistics import measures_of, statistics_of
from fracas.kit.derive.story import Teller, check_templates
from fracas.kit.derive.strategies import Strategies, check_declared
from fracas.kit.derive.tables import GameTables
from fracas.kit.derive.template import pack_template, scenario_template
from fracas.kit.rules_hash import rules_hash
from fracas.rulesets.contract.agents import AgentInterface
from fracas.rulesets.contract.features import Tables
from fracas.rulesets.contract.kernels import Kernels, Models
from fracas.rulesets.contract.measures import Measure, Statistic, Sums
from fracas.rulesets.contract.player_entries import EntryKind
from fracas.rulesets.contract.plugin_kinds import NO_PLUGINS, Plugins
from fracas.rulesets.contract.ruleset import Ruleset
from fracas.rulesets.contract.types import (
    Asked,
    AskedHit,
    Compiled,
    Document,
    Explanation,
    Finding,
    ResolvedScenario,
    Source,
    Swap,
)
from fracas.rulesets.shared.duplicate_names import same_names

LOG_ROWS = 1 << 17
# What is there once the game is built.
_BUILT = frozenset({"models", "catalogue", "protocol", "codebooks", "kernels", "reasons", "vocabulary", "built"})


@dataclass(frozen=True)
class Built:
    """What follows from a game's declarations, for who needs more than the contract."""

    shape: Shape
    functions: Functions
    records: Records
    loops: Loops
    events: Sequence[BoundEvent]
    models: GameModels
    catalogue: DeclaredCatalogue
    reading: Reading
    teller: Teller
    decider: Decider
    generator: Generator
    actions: tuple[Action, ...]
    strategies: Strategies
    explainer: Explainer
    fields: dict[tuple[type, str], int]
    protocol: Protocol
    reasons: tuple[str, ...]
    rules_hash: str


class Game(Ruleset):
    """A game: what battles are made of, who wins, and who chooses."""

    built: Built

    def __init__(
        self,
        name: str,
        *,
        version: int,
        battle: type[Battle[Any, Any]],
        reasons: type[IntEnum],
        choices: type[IntEnum] | None = None,
        untargeted: Sequence[int] = (),
        targets: int = 0,
        times: int = 1,
        content: str = "",
        network: str = "",
        title: str = "",
        summary: str = "",
    ) -> None:
        """Declare a game; write it at the end of the file.

        name: what scenarios call it, in lower case. version: raise it when battles get other rows. reasons: why a
        battle ends, from 1 on. choices: what `act` takes; only needed where its type does not say it. untargeted:
        choices with one action. targets: how many values a part of an action that is a whole number has. times: how
        often a unit runs one kind of trigger in a chain. content: the folder of content files beside this file.
        network: the file beside this one that keeps a trained policy; without it nothing is trained.

        Raises:
            InputError: the name cannot be a ruleset's, or the reasons are not numbered from 1.
        """
        scope = sys._getframe(1).f_globals
        self.name = name
        self.rules_version = version
        self.title = title or name.replace("_", " ").capitalize()
        words = inspect.cleandoc(str(scope.get("__doc__") or "")).partition("\n")[0]
        self.summary = summary or words.partition(":")[2].strip(" .") or words.strip(" .") or self.title
        self.default_profile = STANDARD
        self.benchmarks = ()
        file = scope.get("__file__")
        self.source: Path | None = Path(file) if file else None
        self.content_folder = _beside(self.source, content) if content and self.source else None
        self.trained_file = self.source.parent / network if network and self.source else None
        self._scope = scope
        self._battle, self._reasons, self._choices = battle, reasons, choices
        self._untargeted, self._targets, self._times = tuple(int(each) for each in untargeted), targets, times
        self._lock = threading.RLock()
        self._check_head(name, reasons)

    def _check_head(self, name: str, reasons: type[IntEnum]) -> None:
        where = str(self.source or self._scope.get("__name__"))
        if not name.isidentifier() or name != name.lower():
            raise InputError.of(f"{where}: Game", f'"{name}" cannot be a game\'s name', "use lower case, digits and _")
        numbers = sorted(int(member) for member in reasons)
        if numbers != list(range(1, len(numbers) + 1)):
            message = f"{reasons.__name__} is numbered {', '.join(map(str, numbers))}"
            raise InputError.of(f"{where}: {reasons.__name__}", message, "number the endings 1, 2, 3 and so on")

    def __reduce__(self) -> Any:
        """Pickle a game as what finds it again by its name and its rules hash."""
        from fracas.kit.load import find_game

        return find_game, (self.name, self.rules_hash)

    @property
    def rules_hash(self) -> str:  # shipped rulesets have none
        """The hash of its rules, 64 hex digits (`rules_hash.py`)."""
        return self.built.rules_hash

    @property
    def module(self) -> ModuleType:
        """The module that the game was declared in."""
        return sys.modules[self._scope["__name__"]]

    def __getattr__(self, name: str) -> Any:
        if name not in _BUILT:
            raise AttributeError(f"{type(self).__name__} has no attribute {name}")
        self.build()
        return self.__dict__[name]

    # -- building ----------------------------------------------------------------------------------------------------

    def build(self) -> Game:
        """Read the declarations and derive everything; once.

        Raises:
            InputError: everything that is wrong with the declarations.
        """
        with self._lock:
            if "built" not in self.__dict__:
                try:
                    self._build()
                except InputError as error:
                    raise type(error)(with_lines(error.problems, trees_of(modules_of(self.module)))) from None
        return self

    def _build(self) -> None:
        where = str(self.source or self._scope["__name__"])
        shape = shape_of(self._battle, self.module)
        problems = [*check_declarations(shape, where), *check_rules(shape)]
        try:
            functions = functions_of(shape, self._scope, choices=self._choices, targets=self._targets)
        except InputError as error:
            raise InputError([*problems, *error.problems]) from None
        events = bound_events(shape, functions, where, problems)
        problems += check_templates(events, where)
        actions = actions_of(functions, self._untargeted)
        problems += check_declared(shape, functions, where)
        facts = facts_of(shape, functions, where, problems)
        strategies = Strategies(shape, functions, facts, frozenset(self._untargeted))
        if self.trained_file is not None and not has_choices(functions):
            problems.append(Problem(f"{where}: Game", "has a network, and nobody chooses", "leave out network="))
        if len(events) > MOST_EVENTS:
            problems.append(Problem(where, f"has {len(events)} events; at most {MOST_EVENTS} are possible"))
        if len(actions) > MOST_ACTIONS:
            problems.append(
                Problem(f"{where}: act", f"has {len(actions):,} actions; at most {MOST_ACTIONS:,} are possible")
            )
        if problems:
            raise InputError(problems)
        reasons = reasons_of(self._reasons)
        machine = machine_of(shape, functions, self._times)
        records = records_of(shape, machine)
        fields = drawn_fields(shape)
        loops = loops_of(shape, functions, machine, len(reasons) - 1, fields, strategies)
        bind(shape, functions, events, machine, loops.kernels)
        models = models_of(shape, self.name, STANDARD, strategies)
        catalogue = DeclaredCatalogue(
            self.name, models.content, STANDARD, folder=self.content_folder, profile=models.profile
        )
        reading = Reading(shape, models, catalogue, strategies, functions.replaced.get("resolve_entry"))
        protocol = protocol_of(shape, events, fields)
        constant = [*([] if shape.options.states else ["options"]), *([MINDS] if machine.minds else [])]
        followed = strategies.field.name if strategies.field is not None else ""
        decider = Decider(shape, functions, loops, frozenset(constant), actions, followed, frozenset(self._untargeted))
        teller = Teller(shape, events, reasons, self._reasons, functions.replaced.get("summary"))
        generator = Generator(self.name, shape, reading, self._check_valid)
        points = entry_points(loops)
        hash_of_rules = self._hash(shape, functions, records, events, reasons)
        self.models = Models(models.scenario, models.content, _standalone(models), models.resolved, "entry")
        self.catalogue = catalogue
        self.protocol = protocol
        self.codebooks = MappingProxyType(code_books(shape, events, reasons, fields))
        self.reasons = reasons
        self.vocabulary = facts.vocabulary
        self.kernels = Kernels(
            play_many=points.play_many,
            result_type=records.result,
            log_type=log_type(LOG_ROWS),
            battle_type=records.battle,
            resume_many=points.resume_many,
            resume_length=PLACE_LENGTH,
            constant_fields=decider.constant_fields,
            enumerate_step=points.enumerate_step,
            state_fields=lambda battle: records.state,
        )
        self.built = Built(
            shape, functions, records, loops, events, models, catalogue, reading, teller, decider, generator, actions,
            strategies, Explainer(self.name, decider, facts), fields, protocol, reasons, hash_of_rules,
        )  # fmt: skip

    def _hash(
        self, shape: Shape, functions: Functions, records: Records, events: Sequence[BoundEvent], reasons: Sequence[str]
    ) -> str:
        board = shape.board.spec if shape.board is not None else None
        choices = [] if functions.choices is None else [(each.name, int(each)) for each in functions.choices]
        facts = [
            f"play {functions.play.value}",
            f"choices {choices} {self._untargeted}",
            f"parts {[(part.size, part.is_unit) for part in functions.parts]}",
            f"times {self._times}",
            *([f"board {spec.width} {spec.height} {spec.shape}"] if (spec := board) is not None else []),
            f"reasons {list(reasons)}",
            *(
                f"starts {plan.name}.{each.name} {each.spec.starts}"
                for plan in shape.plans.values()
                for each in plan.states
            ),
        ]
        columns = {each.declared.name: (each.kind, tuple(column.value for column in each.columns)) for each in events}
        # Conditions in files reach every fact.
        is_asking = MINDS in (records.battle.names or ())
        asked = {f"fact {name}": rule for name, rule in functions.facts.items()} if is_asking else {}
        return rules_hash({**functions.rules, **asked}, records.battle, columns, facts, self._scope["__name__"])

    # -- the contract ------------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        return f"<Game {self.name!r} version {self.rules_version}>"

    @property
    def analysis(self) -> GameHooks:
        """The answers to the lab."""
        built = self.built
        hook = built.functions.replaced.get("search_space")
        parts = LabParts(
            self.name, built.shape, built.reading, built.events, built.protocol, built.decider, built.fields,
            built.strategies, hook,
        )  # fmt: skip
        return GameHooks(parts)

    @property
    def agents(self) -> AgentInterface | None:
        """The interface for agents, in games in which somebody chooses."""
        return self._agents if has_choices(self.built.functions) else None

    @property
    def tables(self) -> Tables | None:
        """What people see who play live, in games in which somebody chooses."""
        built = self.built
        if not has_choices(built.functions):
            return None
        return GameTables(built.shape, built.decider, built.events, self._agents.decode)

    def check_library(self, library: Library, origin: str | None = None) -> None:
        """Check all content, or that of one file."""
        self.built.reading.check_library(library, origin)

    def check_strategy_file(
        self, document: Document, source: Source, folders: Sequence[Path], *, strict: bool = False
    ) -> tuple[Problem, ...]:
        """Refuse it: games have no files of one entry."""
        raise InputError.of(source.where, f"{self.name} has no files of strategies")

    def lint_strategy_file(self, document: Document, source: Source, folders: Sequence[Path]) -> list[Finding]:
        """Nothing: games have no rules for files of one entry."""
        return []

    def lint_library(self, library: Library, origin: str | None = None) -> list[Finding]:
        """Entries with equal names."""
        return list(same_names(library, origin))

    def chronicle(self, events: Sequence[Event], document: Document) -> GameLog:
        """The rounds of a battle."""
        return chronicle(events, document)

    def narrate(self, events: Sequence[Any], compiled: Compiled, document: Document, detail: str) -> list[Line]:
        """The story from the events' sentences, or the author's own."""
        own = self.built.functions.replaced.get("narrate", self.built.teller.narrate)
        return list(own(events, compiled, document, detail))

    def measures(self, compiled: Compiled, document: Document) -> Sequence[Measure]:
        """The kept fields."""
        return measures_of(self.built.shape)

    def statistics(self, compiled: Compiled, document: Document, sums: Sums) -> Sequence[Statistic]:
        """The mean and the quantiles of each kept field."""
        return statistics_of(self.built.shape, document, sums)

    def explain(self, compiled: Compiled, **asked: Unpack[Asked]) -> Explanation:
        """Evaluate a condition at a unit's decision."""
        return self.built.explainer.explain(compiled, asked)

    def explained_units(self, compiled: Compiled) -> list[str]:
        """Who decides."""
        return self.built.explainer.units(compiled)

    def random_scenario(self, seed: int) -> Document:
        """A random scenario that loads."""
        own = self.built.functions.replaced.get("random_scenario", self.built.generator.scenario)
        return dict(own(seed))

    def swaps(self, document: Document, side: int, folders: Sequence[Path] = ()) -> Sequence[Swap]:
        """The dimensions of who fights, or the author's own exchanges."""
        own = self.built.functions.replaced.get("swaps")
        return super().swaps(document, side, folders) if own is None else list(own(document, side, folders))

    def hits(self, compiled: Compiled, **asked: Unpack[AskedHit]) -> NoReturn:
        """Refuse to calculate hits: only the author's rules know what hurts.

        Raises:
            InputError: always.
        """
        raise InputError.of("--hit", f"{self.name} has no calculator of hits", "only shipped rulesets have one")

    def resolve(
        self, document: Document, source: Source, folders: Sequence[Path] = (), plugins: Plugins = NO_PLUGINS
    ) -> ResolvedScenario:
        """Look up everything that a scenario refers to, and ask the author's `valid`."""
        resolved = self.built.reading.resolve(document, source, folders)
        self._check_valid(resolved.document, source.where)
        return resolved

    def compile(self, document: Document, plugins: Plugins, *, strict: bool = False, sound: Any = None) -> Compiled:
        """Compile a resolved document into a record."""
        built = self.built
        if sound is None:
            validate(built.models.resolved, document, "scenario")
        records, entries = filled(built.shape, built.records.battle, document, len(built.reasons) - 1, built.strategies)
        books = {**self.codebooks, "unit": unit_names(built.shape, document), "entry": entries}
        return Compiled(records, books)

    def _check_valid(self, document: Document, where: str = "scenario") -> None:
        """Ask the author's `valid`, after the set-up of a battle.

        Raises:
            InputError: it refuses the scenario, with the words below the enumeration's member.
        """
        built = self.built
        rule = built.functions.rules.get("valid")
        if rule is None:
            return
        compiled = self.compile(document, {}, sound=True)
        answer = int(rule(built.decider.after_set_up(compiled, 0)))
        if answer:
            enum = inspect.get_annotations(rule, eval_str=True).get("return")
            message = f"the rules refuse it ({answer})"
            if isinstance(enum, type) and issubclass(enum, IntEnum):
                member = enum(answer)
                message = texts_below(enum).get(member.name, file_name(member).replace("_", " "))
            raise InputError.of(where, message)

    def refuses(self, document: Document) -> bool:
        """Whether a list has equal entries that must differ, or the author's `valid` refuses the document."""
        try:
            self.resolve(document, Source("exchanged"), (), {})
        except InputError:
            return True
        return False

    def lint(
        self, document: Document, source: Source, folders: Sequence[Path] = (), plugins: Plugins = NO_PLUGINS
    ) -> list[Finding]:
        """Lint a scenario: its conditions and strategies, and what the author's `lint` finds."""
        resolved = self.resolve(document, source, folders, plugins).document
        built = self.built
        own = built.functions.replaced.get("lint")
        found = [
            *condition_findings(built.reading, built.strategies.facts, resolved),
            *strategy_findings(built.strategies, resolved),
        ]
        return [*found, *own(resolved)] if own is not None else found

    @cached_property
    def player_entries(self) -> EntryKind | None:
        """The sides that players may send to leagues."""
        built = self.built
        return entries_of(built.shape, built.models, built.strategies)

    @cached_property
    def agent_parts(self) -> AgentParts:
        """What the kernels for agents and for the solver are made of; only in games in which somebody chooses."""
        built = self.built
        sight = sight_of(built.shape, built.functions, built.records.battle)
        return AgentParts(
            self.name, built.shape, built.functions, built.loops, built.actions, self._untargeted, sight,
            built.records.battle, self.trained_file,
        )  # fmt: skip

    @cached_property
    def _agents(self) -> AgentInterface:
        with self._lock:
            return interface_of(self.agent_parts)

    def template(self) -> str:
        """A commented scenario file to start from."""
        library = self.built.catalogue.library_for(None, ())
        return scenario_template(self.name, self.built.shape, library, f"A battle of {self.title}.", self._option())

    def template_pack(self) -> dict[str, str]:
        """A commented content pack to start from, with a scenario that uses it."""
        return pack_template(self.name, self.built.shape, self.built.catalogue.library_for(None, ()), self._option())

    def _option(self) -> str:
        """What `--game` is given in the game's own folder; empty for a package, which needs none."""
        from fracas.kit.load import file_of

        return _named(self.source) if self.source is not None and file_of(self.name) is not None else ""

    def reference(self) -> str:
        """The reference page of the game, as Markdown: all that its declarations say."""
        built = self.built
        file = "" if self.source is None else _named(self.source)
        events = {each.declared.name: each for each in built.events}
        return Reference(
            self.name, self.rules_version, self.title, str(self._scope.get("__doc__") or ""), file, built.shape,
            built.functions, frozenset(self._untargeted), events, built.protocol, built.teller.reason_words,
            built.strategies,
        ).page()  # fmt: skip

    def is_simultaneous(self) -> bool:
        """Whether both sides choose at once in every round."""
        return self.built.functions.play is Play.BOTH

    def stage(self) -> dict[str, Any]:
        """What pages draw of its battles (`derive/stage.py`)."""
        built = self.built
        return stage_of(built.shape, built.functions, built.events, built.reasons, built.teller.reason_words)

    def endings(self) -> Mapping[str, str]:
        """What an ending is called, by its name."""
        return self.built.teller.reason_words

    def cast(self, compiled: Compiled, document: Document) -> dict[str, Any]:
        """What pages show of a battle before its first event."""
        return cast_of(self.stage(), self.built.shape, document, compiled.record[0])

    def record_type(self) -> np.dtype[Any]:
        """The record of a battle."""
        return self.built.records.battle


def _standalone(models: GameModels) -> Any:
    """The model of a file with one entry: of the first kind, else of a profile."""
    return next(iter(models.named.values()), models.profile)


def _named(source: Path) -> str:
    """What `--game` is given, seen from the folder of the game."""
    return source.parent.name if source.name == "__init__.py" else source.name


def _beside(source: Path, content: str) -> Path:
    """A folder beside a game's file; in a wheel, whose games share one folder, it is named after the game too."""
    own = source.parent / f"{source.stem}_{content}"
    return own if own.is_dir() else source.parent / content
