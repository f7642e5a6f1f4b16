"""What an environment plays: scenarios by file or value, one or several, or drawn at random."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fracas.api.arguments import load
from fracas.content.document_edits import with_value
from fracas.content.packs import examples_folder
from fracas.engine.scenario import Scenario
from fracas.envs.arguments import shown, whole_number
from fracas.envs.batch import MOST_CONTENTS, decisions_in
from fracas.errors import InputError, UsageError
from fracas.kit import Game
from fracas.kit.derive.agents import strategy_field
from fracas.rulesets import registry
from fracas.rulesets.contract.analysis import SideRef

RANDOM = "random"
SPLITS = ("train", "test")
# How many numbers of the generator belong to a seed and a split.
NUMBERS_EACH = 1_000_000


@dataclass(frozen=True)
class Random:
    """Scenarios of the ruleset's generator, `count` of them. No scenario of one seed or split is drawn in another.

    Train on `Random(seed=0)`, and measure on `Random(seed=0, split="test")` how well that carries over.
    """

    seed: int = 0
    split: str = "train"
    count: int = 64

    def __post_init__(self) -> None:
        """Check the arguments.

        Raises:
            UsageError: one is wrong.
        """
        whole_number("seed", self.seed, 0, MOST_SEEDS)
        whole_number("count", self.count, 1, MOST_CONTENTS)
        if self.split not in SPLITS:
            raise UsageError.of("split", f'is {shown(self.split)}; take "train" or "test"')

    @property
    def first(self) -> int:
        """The generator's first number."""
        return (2 * self.seed + SPLITS.index(self.split)) * NUMBERS_EACH


# A scenario's path, a mapping, or a loaded one; or scenarios of the generator.
ScenarioSource = str | Path | Mapping[str, Any] | Scenario | Random

FIRST_SCENARIO = Path("scenarios") / "first.toml"
# What "random" draws.
RANDOM_CONTENTS = Random.count
# How many are looked at to find one.
MOST_DRAWN = 16
MOST_SEEDS = 1 << 31


@dataclass(frozen=True)
class Opponent:
    """The player of a side without an agent: a strategy or policy; None keeps the scenario's own."""

    side: int
    value: Any


def scenarios_of(
    ruleset: str,
    source: ScenarioSource | Sequence[ScenarioSource] | None,
    opponent: Opponent | None = None,
    agents: Sequence[int] = (),
) -> tuple[Scenario, ...]:
    """The scenarios that an environment plays.

    source: None is the ruleset's standard example; "random" is `Random()`, scenarios of the ruleset's generator; else
    one scenario, or a list of them. agents: the sides, 0 or 1, that decide in battles; scenarios of the
    generator in which they never can are left out.

    Raises:
        UsageError: a source that is none, or a scenario of another ruleset.
        InputError: a scenario that is broken, or an opponent that it cannot have.
    """
    given: Any = source
    if source is None:
        sources: Sequence[Any] = [standard_example(ruleset)]
    elif isinstance(source, Random) or (isinstance(source, str) and source == RANDOM):
        drawn = source if isinstance(source, Random) else Random(count=RANDOM_CONTENTS)
        return _drawn(ruleset, drawn, opponent, [agents] if agents else [])
    elif isinstance(source, str | Path | Mapping | Scenario):
        sources = [source]
    elif isinstance(given, Sequence) and not isinstance(given, bytes):
        sources = given
    else:
        raise UsageError.of("scenario", f"is {shown(source)}; take a path, a mapping, a scenario or a list of them")
    scenarios = [each if isinstance(each, Scenario) else load(each) for each in sources]
    for scenario in scenarios:
        if scenario.ruleset.name != ruleset:
            name = scenario.ruleset.name
            raise UsageError.of("scenario", f"is of the ruleset {name}; this environment plays {ruleset}")
    return tuple(_against(scenario, opponent) for scenario in scenarios)


def random_scenarios(ruleset: str, wanted: Random) -> tuple[Scenario, ...]:
    """Battles of a ruleset's generator in which both sides have something to decide. Runs of delve are left out.

    Raises:
        UsageError: there are hardly any such battles.
    """
    drafts = registry.get(ruleset).draft is not None
    return _drawn(ruleset, wanted, None, () if drafts else ((0,), (1,)), has_two_sides)


def has_two_sides(scenario: Scenario) -> bool:
    """Whether side 2 is one that can be taken elsewhere: not a quest, nor an empty field."""
    hooks = scenario.ruleset.analysis
    try:
        for part in hooks.parts[:1]:
            hooks.part(SideRef(scenario.document, 2), part)
    except InputError:
        return False
    return True


def _drawn(
    ruleset: str,
    wanted: Random,
    opponent: Opponent | None,
    deciders: Sequence[Sequence[int]],
    is_kept: Callable[[Scenario], bool] = lambda _: True,
) -> tuple[Scenario, ...]:
    """The first scenarios of a ruleset's generator in which someone of each of `deciders` decides.

    Raises:
        UsageError: there are hardly any.
    """
    drawn: list[Scenario] = []
    number = wanted.first
    while len(drawn) < wanted.count:
        if number - wanted.first > MOST_DRAWN * wanted.count:
            looked = number - wanted.first
            raise UsageError.of("scenario", f"is none of {looked:,} at random in which your side has a decision")
        more = range(number, number + wanted.count - len(drawn))
        number = more.stop
        loaded = (_against(load(registry.get(ruleset).random_scenario(each)), opponent) for each in more)
        scenarios = [scenario for scenario in loaded if is_kept(scenario)]
        for agents in deciders:
            decides = decisions_in(scenarios, agents) if scenarios else []
            scenarios = [scenario for scenario, one in zip(scenarios, decides, strict=True) if one]
        drawn += scenarios
    return tuple(drawn)


def seed_text(scenarios: Sequence[Scenario], seed: int | None, place: int = 0) -> str:
    """The seed text of an environment; without a seed the scenario's own, with its place behind it from 1 on."""
    if seed is not None:
        return str(seed)
    return f"{scenarios[0].seed}/{place}" if place else scenarios[0].seed


def standard_example(ruleset: str) -> Path | Mapping[str, Any]:
    """The scenario that an environment plays if you name none: the first that `fracas machine bench` plays.

    Of a game, `scenarios/first.toml` beside its file, where `fracas game new` writes one; else the first that its
    generator draws.
    """
    found = registry.get(ruleset)
    if not isinstance(found, Game):
        return examples_folder() / ruleset / f"{found.benchmarks[0]}.toml"
    first = found.source.parent / FIRST_SCENARIO if found.source is not None else None
    if first is not None and first.is_file():
        return first
    drawn: Mapping[str, Any] = found.random_scenario(0)
    return drawn


def _against(scenario: Scenario, opponent: Opponent | None) -> Scenario:
    value = None if opponent is None else _named(scenario, opponent.value)
    if opponent is None or value is None:
        return scenario
    side = opponent.side
    if isinstance(scenario.ruleset, Game):
        strategy = strategy_field(scenario.ruleset.built.shape)
        if strategy is None:
            hint = "take a function from an observation to an action"
            raise UsageError.of("opponent", f"the sides of {scenario.ruleset.name} have no strategy", hint)
        return load(with_value(scenario.document, ("sides", str(side), strategy), value))
    hooks = scenario.ruleset.analysis
    return load(hooks.with_part(SideRef(scenario.document, side + 1), hooks.parts[0], value))


def _named(scenario: Scenario, value: Any) -> Any:
    """The content's policy or strategy of a name, as tables of players call them; anything else as it is.

    None is what the scenario says.
    """
    if not isinstance(value, str):
        return value
    found = scenario.ruleset
    named = {} if found.agents is None else dict(found.agent_interface().content_players())
    return {"scenario": None, **named}.get(value, value)
