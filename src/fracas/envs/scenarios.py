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
from fracas.envs.batch import decisions_in
from fracas.errors import InputError, UsageError
from fracas.kit import Game
from fracas.kit.derive.agents import strategy_field
from fracas.rulesets import registry
from fracas.rulesets.contract.analysis import SideRef

# A scenario's path, a mapping, or a loaded one.
ScenarioSource = str | Path | Mapping[str, Any] | Scenario

RANDOM = "random"
FIRST_SCENARIO = Path("scenarios") / "first.toml"
# Contents that "random" draws from.
RANDOM_CONTENTS = 64
# How many it looks at to find them.
MOST_DRAWN = 1024
# Where the seeds of each split begin. "random" is of the first.
SPLITS = {"train": 0, "test": 1_000_000}


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

    source: None is the ruleset's standard example; "random" is 64 scenarios of the ruleset's generator; else one
    scenario, or a list of them. agents: the sides, 0 or 1, that decide in battles; "random" leaves out scenarios in
    which they never can.

    Raises:
        UsageError: a source that is none, or a scenario of another ruleset.
        InputError: a scenario that is broken, or an opponent that it cannot have.
    """
    given: Any = source
    if source is None:
        sources: Sequence[Any] = [standard_example(ruleset)]
    elif source == RANDOM:
        return _drawn(ruleset, opponent, [agents] if agents else [])
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


def random_scenarios(ruleset: str, split: str = "train", count: int = 64, seed: int = 0) -> tuple[Scenario, ...]:
    """Battles of a ruleset's generator in which both sides have something to decide: content to train or to test on.

    The splits have no battle in common. An environment takes them as its `scenario`. Runs of delve are left out.

    Args:
        ruleset: The ruleset or game.
        split: "train" or "test".
        count: How many, 1 to 1,024.
        seed: The first number that is drawn with, 0 to 999,999; scenarios of following numbers follow.

    Raises:
        UsageError: there is no such split, a number is out of bounds, or there are hardly any such scenarios.
    """
    if split not in SPLITS:
        raise UsageError.of("split", f"is {shown(split)}; take {' or '.join(SPLITS)}")
    count = whole_number("count", count, 1, MOST_DRAWN)
    first = SPLITS[split] + whole_number("seed", seed, 0, SPLITS["test"] - 1)
    drafts = registry.get(ruleset).draft is not None
    return _drawn(ruleset, None, () if drafts else ((0,), (1,)), first, count, has_two_sides)


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
    opponent: Opponent | None,
    deciders: Sequence[Sequence[int]],
    first: int = 0,
    count: int = RANDOM_CONTENTS,
    is_kept: Callable[[Scenario], bool] = lambda _: True,
) -> tuple[Scenario, ...]:
    """The first scenarios of a ruleset's generator, from a number on, in which someone of each of `deciders` decides.

    Raises:
        UsageError: there are hardly any.
    """
    drawn: list[Scenario] = []
    number = first
    while len(drawn) < count:
        if number - first > max(MOST_DRAWN, 16 * count):
            looked = f"is none of {number - first:,} at random"
            raise UsageError.of("scenario", f"{looked} in which your side has a decision")
        more = range(number, number + count - len(drawn))
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
    value = None if opponent is None else opponent.value
    if isinstance(value, str):
        value = players_by_name(scenario).get(value, value)
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


def players_by_name(scenario: Scenario) -> dict[str, Any]:
    """Who of the content can play a side, by the names that tables have; None is what the scenario says."""
    found = scenario.ruleset
    named = {} if found.draft is not None else dict(found.agent_interface().content_players())
    return {"scenario": None, **named}
