"""`fracas enhance`: what becomes of an item of delve at the smith's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from fracas.cli.shared.exit_status import DONE
from fracas.cli.shared.output import columns, print_json, say
from fracas.cli.shared.parameters import Format, Stream

if TYPE_CHECKING:
    from fracas.rulesets.delve.analysis.enhancement import Enhancement


def enhance(
    seed: Annotated[str, Parameter(help="The run's seed text.")],
    tick: Annotated[int, Parameter(help="The tick of the item's event `item`.")],
    lane: Annotated[int, Parameter(help="The lane of the item's event `origin`.")],
    /,
    *,
    attempts: Annotated[int, Parameter(name="--attempts", help="How many attempts, 1 to 1,000.")] = 1,
    level: Annotated[int, Parameter(name="--level", help="What the item has before, 0 to 5.")] = 0,
    first: Annotated[int, Parameter(name="--first", help="How many attempts it has had in its life.")] = 0,
    stream: Stream = 0,
    format: Format = "text",
) -> int:
    """Try to enhance an item that was found in a run of delve, with the dice that are the item's own.

    The item's address decides: the same attempts come out the same whenever they are made. `fracas run RUN --format
    json` tells an item's tick and lane in its events `item` and `origin`, and the run's seed text.

    Try:

        fracas enhance 7b1e2026-11-20T08:00:00Z 65535 65282
        fracas enhance 7b1e2026-11-20T08:00:00Z 65535 65282 --attempts 5
        fracas enhance 7b1e2026-11-20T08:00:00Z 65535 65282 --level 3 --first 4 --format json
    """
    from fracas.rulesets.delve.analysis.enhancement import enhance as try_to_enhance

    made = try_to_enhance(seed, tick, lane, attempts=attempts, level=level, first=first, stream=stream)
    if format == "json":
        print_json(made.as_json())
    else:
        say(*told(made, attempts))
    return DONE


def told(made: Enhancement, asked: int) -> list[str]:
    """Every attempt with its roll, then the odds that any item has."""
    rows = [("attempt", "d100", "needs at most", "the item is")]
    rows += [(str(each.number), str(each.roll), str(each.chance), f"+{each.level}") for each in made.attempts]
    odds = ", ".join(f"+{level} {float(share):.1%}" for level, share in enumerate(made.odds) if share)
    count = f"{asked:,} attempt" if asked == 1 else f"{asked:,} attempts"
    return [
        f'the item of tick {made.tick}, lane {made.lane}, seed "{made.seed}": +{made.before}, now +{made.level}',
        *(f"  {line}" for line in columns(rows, right=(0, 1, 2))),
        f"odds of any item that is +{made.before} after {count}: {odds}",
    ]
