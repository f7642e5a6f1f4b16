"""`fracas explain`: one condition, dry."""

from __future__ import annotations

from typing import Annotated, Any

from cyclopts import Parameter

from fracas.cli.options import File, Folders, Format, Plugins, Profile, Seed, Sets, Stream, Strict
from fracas.cli.play import check_stream
from fracas.cli.show import columns, print_json, print_warnings, problem_json


def explain(
    file: File,
    /,
    *,
    unit: Annotated[str, Parameter(name="--unit", help="Who decides: side and unit, e.g. 1.scout-2.")],
    when: Annotated[str, Parameter(name="--when", help="The condition.")],
    round: Annotated[int, Parameter(name="--round", help="The round of the decision.")] = 1,
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

    The battle is played up to that unit's decision in that round; then --state changes what you like.

    Try:

        fracas explain examples/squads/first-battle.toml --unit 1.scout --when "enemy_count_gte_2 and self.hp_pct > 50"
        fracas explain examples/squads/first-battle.toml --unit 1.scout --when ally_hp_below_50 --round 3
        fracas explain mine.toml --unit 1.scout --when self_hp_below_30 --state units.1.scout.hp=20
    """
    from fracas.replay.scenario import load_scenario, parse_override

    check_stream(stream)
    scenario = load_scenario(
        file,
        seed=seed,
        profile=profile,
        overrides=[parse_override(text) for text in set_ or []],
        content=content or [],
        plugins=plugin or [],
        strict=strict,
    )
    explanation = scenario.ruleset.explain(
        scenario.compiled,
        stream=stream,
        unit=unit,
        when=when,
        round=round,
        state=[parse_override(text, "--state") for text in state or []],
        strict=strict,
    )
    print_warnings(explanation.warnings)
    if format == "json":
        document: dict[str, Any] = {
            "unit": explanation.unit,
            "round": explanation.round,
            "condition": explanation.condition,
            "value": explanation.value,
            "nodes": [
                {"depth": node.depth, "text": node.text, "value": node.value, "detail": node.detail}
                for node in explanation.nodes
            ],
            "warnings": [problem_json(warning) for warning in explanation.warnings],
        }
        print_json(document)
        return 0
    verdict = "holds" if explanation.value else "does not hold"
    print(f"{explanation.unit}, round {explanation.round}: the condition {verdict}")
    rows = [
        (f"  {'yes' if node.value else 'no'}", f"{'  ' * node.depth}{node.text}", node.detail)
        for node in explanation.nodes
    ]
    print("\n".join(columns(rows)))
    return 0
