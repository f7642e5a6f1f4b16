"""`fracas run`: one battle, told."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from fracas.cli.options import File, Folders, Plugins, Profile, Seed, Sets, Stream, Strict
from fracas.cli.show import headline, notice, print_json, print_lines, print_warnings
from fracas.events.narration import ASIDE, Line

Detail = Annotated[
    Literal["story", "decisions", "all"],
    Parameter(name="--detail", help="story; decisions: every choice with its reason; all: all arithmetic."),
]


def run(
    file: File,
    /,
    *,
    seed: Seed = None,
    stream: Stream = 0,
    profile: Profile = None,
    set_: Sets = None,
    content: Folders = None,
    plugin: Plugins = None,
    strict: Strict = False,
    detail: Detail = "story",
    format: Annotated[
        Literal["text", "json", "jsonl"], Parameter(name="--format", help="text; json; jsonl: one event a line.")
    ] = "text",
    save: Annotated[Path | None, Parameter(name="--save", help="Write a replay that fracas verify can check.")] = None,
) -> int:
    """Play one battle and tell it.

    Try:

        fracas run examples/squads/first-battle.toml
        fracas run examples/squads/first-battle.toml --detail all --seed tuesday
        fracas run examples/squads/first-battle.toml --set sides.0.units.0.attack=40 --save battle.json
    """
    from fracas.replay.battle import play_battle
    from fracas.replay.scenario import load_scenario, parse_override

    scenario = load_scenario(
        file,
        seed=seed,
        profile=profile,
        overrides=[parse_override(text) for text in set_ or []],
        content=content or [],
        plugins=plugin or [],
        strict=strict,
    )
    print_warnings(scenario.warnings)
    check_stream(stream)
    battle = play_battle(scenario, stream, notice=notice)
    if save is not None:
        battle.save(save)
    if format == "text":
        print_lines([Line(0, ((f"{headline(scenario)}, battle {stream}", ASIDE),)), *battle.lines(detail)])
    elif format == "json":
        print_json(battle.as_json())
    else:
        for event in battle.events:
            print_json(event.as_json())
        print_json(battle.outcome_json())
    if save is not None:
        notice(f"saved {save}; check it with: fracas verify {save}")
    return 0


def check_stream(stream: int) -> None:
    """Refuse a battle number that cannot be one.

    Raises:
        InputError: below 0 or beyond 2^63 - 1.
    """
    from fracas.errors import InputError
    from fracas.replay.battle import BATTLE_LIMIT

    if not 0 <= stream <= BATTLE_LIMIT:
        raise InputError.of("--stream", f"{stream} is out of range: 0 to {BATTLE_LIMIT}")
