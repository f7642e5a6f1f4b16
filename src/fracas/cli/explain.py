"""`fracas explain`: one condition, dry; or why a unit chose what it did."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from fracas.cli.loading import load_file
from fracas.cli.options import File, Folders, Format, Plugins, Profile, Seed, Sets, Stream, Strict
from fracas.cli.show import columns, print_json, print_warnings, problem_json, results_only, say
from fracas.cli.statuses import DONE
from fracas.errors import UsageError

if TYPE_CHECKING:
    from fracas.rulesets.shapes import Explanation


def explain(
    file: File,
    /,
    *,
    unit: Annotated[str, Parameter(name="--unit", help="Who decides: side and unit, e.g. 1.scout-2.")],
    when: Annotated[
        str | None, Parameter(name="--when", help="The condition, as text or in JSON; stacks has none.")
    ] = None,
    round: Annotated[
        str | None,
        Parameter(name="--round", help="The round of the decision, in a run ENCOUNTER.ROUND; absent: the first."),
    ] = None,
    state: Annotated[
        list[str] | None,
        Parameter(name="--state", help="Change the situation, e.g. units.1.scout.hp=20. Repeatable.", negative=""),
    ] = None,
    seed: Seed = None,
    stream: Stream = 0,
    profile: Profile = None,
    set_: Sets = None,
    content: Folders = None,
    plugin: Plugins = None,
    strict: Strict = False,
    format: Format = "text",
) -> int:
    """Evaluate a condition in a given situation, every node with its value, without playing the battle to its end.

    The battle is played up to that unit's decision in that round; then --state changes what you like. In stacks,
    where nobody has conditions, it shows instead what every possible move is worth to the unit in that turn.

    Try:

        fracas explain examples/squads/first-battle.toml --unit 1.scout --when "enemy_count_gte_2 and self.hp_pct > 50"
        fracas explain examples/squads/first-battle.toml --unit 1.scout --when ally_hp_below_50 --round 3
        fracas explain mine.toml --unit 1.scout --when self_hp_below_30 --state units.1.scout.hp=20
        fracas explain examples/stacks/first-attack.toml --unit vanguard.healer --round 2
    """
    from fracas.replay.battle import check_stream
    from fracas.replay.scenario import parse_override

    check_stream(stream, "--stream")
    condition = None if when is None else parse_condition(when)
    changes = [parse_override(text, "--state") for text in state or []]
    scenario = load_file(file, seed=seed, profile=profile, set_=set_, content=content, plugin=plugin, strict=strict)
    if condition is None and scenario.ruleset.vocabulary.facts:
        raise UsageError.of("--when", "is missing", "write the condition to explain, for instance self.hp_pct < 50")
    try:
        places = scenario.ruleset.places(scenario.document)
        encounter, number = places.decision(places.first_round if round is None else round)
    except ValueError as error:
        raise UsageError.of("--round", str(error)) from None
    with results_only():
        explanation = scenario.ruleset.explain(
            scenario.compiled,
            stream=stream,
            unit=unit,
            when=condition,
            round=number,
            state=changes,
            strict=strict,
            encounter=encounter,
        )
    print_warnings(explanation.warnings)
    if format == "json":
        print_json(as_json(explanation))
    else:
        holds = "holds" if explanation.value else "does not hold"
        of = "" if explanation.encounter is None else f"encounter {explanation.encounter}, "
        place = f"{of}round {explanation.round}" if not explanation.verdict else f"turn {explanation.round}"
        say(f"{explanation.unit}, {place}: {explanation.verdict or f'the condition {holds}'}", *told(explanation))
    return DONE


def parse_condition(text: str) -> Any:
    """A condition as it is typed: text, or the JSON form that strategies may use.

    Raises:
        InputError: it is empty, or broken JSON.
    """
    from fracas.content.files import parse_json

    if not text.strip():
        raise UsageError.of("--when", "there is no condition to explain", "write for instance self.hp_pct < 50")
    return parse_json(text, "--when") if text.lstrip().startswith(("{", "[")) else text


def told(explanation: Explanation) -> list[str]:
    """Every node of the condition as a line; or everything that was weighed, with a mark at what was chosen."""
    words = ("→", "") if explanation.verdict else ("yes", "no")
    rows = [
        (f"  {words[0] if node.value else words[1]}", f"{'  ' * node.depth}{node.text}", node.detail)
        for node in explanation.nodes
    ]
    return columns(rows)


def as_json(explanation: Explanation) -> dict[str, Any]:
    """An explanation as plain values."""
    return {
        "unit": explanation.unit,
        **({} if explanation.encounter is None else {"encounter": explanation.encounter}),
        "round": explanation.round,
        "condition": explanation.condition,
        "value": explanation.value,
        **({"verdict": explanation.verdict} if explanation.verdict else {}),
        "nodes": [
            {"depth": node.depth, "text": node.text, "value": node.value, "detail": node.detail}
            for node in explanation.nodes
        ],
        "warnings": [problem_json(warning) for warning in explanation.warnings],
    }
