"""`fracas lab explain`: evaluate a condition in a battle, show how a unit chose, or calculate a hit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from fracas.cli.shared.exit_status import DONE
from fracas.cli.shared.output import columns, print_json, print_warnings, results_only, say
from fracas.cli.shared.parameters import File, Format
from fracas.cli.shared.scenario_options import BattleOptions, load_file
from fracas.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fracas.engine.scenario import Scenario
    from fracas.rulesets.contract.hits import Hit
    from fracas.rulesets.contract.types import Explanation, Override


def explain(
    file: File,
    /,
    *,
    unit: Annotated[str | None, Parameter(name="--unit", help="The deciding unit, as SIDE.UNIT: 1.scout-2.")] = None,
    hit: Annotated[
        tuple[str, str] | None,
        Parameter(name="--hit", help="Attacker and target, units or sides: 1.scout-2 2. Replaces --unit and --when."),
    ] = None,
    when: Annotated[str | None, Parameter(name="--when", help="The condition, as text or JSON. Not in stacks.")] = None,
    round: Annotated[
        str | None,
        Parameter(name="--round", help="The round of the decision; in a run ENCOUNTER.ROUND. Default: the first."),
    ] = None,
    state: Annotated[
        list[str] | None,
        Parameter(name="--state", help="Change the situation, as in units.1.scout.hp=20. Repeatable."),
    ] = None,
    options: BattleOptions = BattleOptions(),
    format: Format = "text",
) -> int:
    """Evaluate a condition at a moment of a battle and show each part's value, or calculate what a hit does.

    The battle is played up to the unit's decision in the given round. Then --state applies your changes. Stacks has no
    conditions: there the command shows what each possible move is worth to the unit in that turn.

    With --hit A B the command is an exact damage calculator. It shows each way in which A can hurt B, the steps of the
    calculation, the chances of a hit and of a critical hit, and the least, mean and greatest damage. Without --round it
    starts from the beginning of the battle. --set and --state apply your changes.

    Try:

        fracas lab explain examples/squads/first-battle.toml --unit 1.scout --when "enemy_count_gte_2 and self.stunned"
        fracas lab explain examples/squads/first-battle.toml --unit 1.scout --when ally_hp_below_50 --round 3
        fracas lab explain mine.toml --unit 1.scout --when self_hp_below_30 --state units.1.scout.hp=20
        fracas lab explain examples/stacks/first-attack.toml --unit vanguard.healer --round 2
        fracas lab explain examples/squads/first-battle.toml --hit 1.scout 2
        fracas lab explain examples/delve/ambush-at-the-ford.toml --hit 1 2 --format json
    """
    from fracas.engine.battle import check_stream
    from fracas.engine.overrides import parse_override

    stream = options.stream
    check_stream(stream, "--stream")
    if hit is None and unit is None:
        raise UsageError.of("--unit", "is missing", "name the deciding unit, or attacker and target with --hit A B")
    if hit is not None and (unit is not None or when is not None):
        raise UsageError.of("--hit", "cannot be combined with --unit or --when", "omit these, or omit --hit")
    condition = None if when is None else parse_condition(when)
    changes = [parse_override(text, "--state") for text in state or []]
    scenario = load_file(file, options)
    if hit is not None:
        return explain_hits(scenario, hit, round, stream=stream, state=changes, format=format)
    assert unit is not None
    if condition is None and scenario.ruleset.vocabulary.facts:
        raise UsageError.of("--when", "is missing", "write the condition to explain, such as self.hp_pct < 50")
    encounter, number = scenario.ruleset.tick_labels(scenario.document).asked(round, "--round")
    with results_only():
        explanation = scenario.ruleset.explain(
            scenario.compiled,
            stream=stream,
            unit=unit,
            when=condition,
            round=number,
            state=changes,
            strict=options.strict,
            encounter=encounter,
        )
    print_warnings(explanation.warnings)
    if format == "json":
        print_json(explanation.as_json())
    else:
        holds = "holds" if explanation.value else "does not hold"
        of = "" if explanation.encounter is None else f"encounter {explanation.encounter}, "
        moment = f"{of}round {explanation.round}" if not explanation.verdict else f"turn {explanation.round}"
        say(f"{explanation.unit}, {moment}: {explanation.verdict or f'the condition {holds}'}", *render(explanation))
    return DONE


def explain_hits(
    scenario: Scenario,
    pair: tuple[str, str],
    wanted: str | None,
    *,
    stream: int,
    state: Sequence[Override],
    format: Format,
) -> int:
    """Print what each attack of one unit or side does to the other.

    Raises:
        InputError: as `Ruleset.hits`, or the round is not a number.
    """
    encounter, number = scenario.ruleset.tick_labels(scenario.document).asked(wanted, "--round")
    with results_only():
        hits = scenario.ruleset.hits(
            scenario.compiled,
            stream=stream,
            actor=pair[0],
            target=pair[1],
            round=None if wanted is None else number,
            state=state,
            encounter=encounter,
        )
    if format == "json":
        print_json({"scenario": scenario.id, "round": wanted, "hits": [hit.as_json() for hit in hits]})
        return DONE
    if not hits:
        say(f"{pair[0]} has no way to hurt {pair[1]} here")
    elif len({(hit.actor, hit.target) for hit in hits}) == 1:
        say(*(line for hit in hits for line in hit_in_steps(hit)))
    else:
        say(*table_of_hits(hits))
    return DONE


def hit_in_steps(hit: Hit) -> list[str]:
    """Format one hit with each step of its calculation."""
    rows = [(step.name, step.figure, span(step.least, step.most)) for step in hit.steps]
    often = "" if hit.times == 1 else f", made {hit.times} times a turn"
    certain = "always hits" if hit.hit == 1 else f"hits {hit.hit:.2%}"
    critical = f", critical {hit.critical:.2%}" if hit.critical else ""
    falls = "" if hit.falls is None else f"; {hit.target} falls by it {hit.falls:.2%}"
    mean = f"mean {hit.mean:.4g}" + ("" if hit.hit == 1 else f", {hit.mean_of_attempt:.4g} with misses")
    lines = [f"{hit.actor} → {hit.target}: {hit.by}{often}", *(f"  {line}" for line in columns(rows, right=(2,)))]
    lines.append(f"  {certain}{critical}; damage {span(hit.least, hit.most)}, {mean}{falls}")
    return lines


def table_of_hits(hits: Sequence[Hit]) -> list[str]:
    """Format several hits, one per line."""
    header = ("who", "whom", "with", "hits", "critical", "least", "mean", "most", "with misses", "falls")
    rows = [
        (
            hit.actor,
            hit.target,
            hit.by if hit.times == 1 else f"{hit.by} ×{hit.times}",
            f"{hit.hit:.2%}",
            f"{hit.critical:.2%}",
            f"{hit.least:.4g}",
            f"{hit.mean:.4g}",
            f"{hit.most:.4g}",
            f"{hit.mean_of_attempt:.4g}",
            "" if hit.falls is None else f"{hit.falls:.2%}",
        )
        for hit in hits
    ]
    return columns([header, *rows], right=range(3, len(header)))


def span(least: float, most: float) -> str:
    """Format a range of numbers; a single number if both ends are equal."""
    return f"{least:.6g}" if least == most else f"{least:.6g} to {most:.6g}"


def parse_condition(text: str) -> Any:
    """Parse --when: condition text, or the JSON form that strategies may use.

    Raises:
        InputError: the condition is empty or invalid JSON.
    """
    from fracas.files.read import parse_json

    if not text.strip():
        raise UsageError.of("--when", "must not be empty", "write the condition to explain, such as self.hp_pct < 50")
    return parse_json(text, "--when") if text.lstrip().startswith(("{", "[")) else text


def render(explanation: Explanation) -> list[str]:
    """Format each part of the condition as a line; or each option that was weighed, with the chosen one marked."""
    words = ("→", "") if explanation.verdict else ("yes", "no")
    rows = [
        (f"  {words[0] if node.value else words[1]}", f"{'  ' * node.depth}{node.text}", node.detail)
        for node in explanation.nodes
    ]
    return columns(rows)
