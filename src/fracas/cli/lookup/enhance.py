"""`fracas content enhance`: try to enhance an item from a delve run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from fracas.cli.shared.exit_status import DONE
from fracas.cli.shared.output import columns, print_json, say
from fracas.cli.shared.parameters import Format, Stream

if TYPE_CHECKING:
    from fracas import Enhancement


def enhance(
    seed: Annotated[str, Parameter(help="The run's seed text.")],
    tick: Annotated[int, Parameter(help="The tick of the item's `item` event.")],
    lane: Annotated[int, Parameter(help="The lane of the item's `origin` event.")],
    /,
    *,
    attempts: Annotated[int, Parameter(name="--attempts", help="Number of attempts, 1 to 1,000.")] = 1,
    level: Annotated[int, Parameter(name="--level", help="The item's level before, 0 to 5.")] = 0,
    first: Annotated[int, Parameter(name="--first", help="Number of earlier attempts on this item.")] = 0,
    stream: Stream = 0,
    format: Format = "text",
) -> int:
    """Try to enhance an item found in a delve run, with the item's own dice.

    The item's address determines its dice, so repeated attempts give the same results. `fracas run RUN --format json`
    prints the run's seed text, and the item's tick and lane in its `item` and `origin` events.

    Try:

        fracas content enhance 7b1e2026-11-20T08:00:00Z 65535 65282
        fracas content enhance 7b1e2026-11-20T08:00:00Z 65535 65282 --attempts 5
        fracas content enhance 7b1e2026-11-20T08:00:00Z 65535 65282 --level 3 --first 4 --format json
    """
    from fracas import enhance as try_to_enhance

    made = try_to_enhance(seed, tick, lane, attempts=attempts, level=level, first=first, stream=stream)
    if format == "json":
        print_json(made.as_json())
    else:
        say(*enhancement_lines(made, attempts))
    return DONE


def enhancement_lines(made: Enhancement, attempts: int) -> list[str]:
    """Format each attempt with its roll, then the odds for any item at that level."""
    rows = [("attempt", "d100", "needs at most", "the item is")]
    rows += [(str(each.number), str(each.roll), str(each.chance), f"+{each.level}") for each in made.attempts]
    odds = ", ".join(f"+{level} {float(share):.1%}" for level, share in enumerate(made.odds) if share)
    count = f"{attempts:,} attempt" if attempts == 1 else f"{attempts:,} attempts"
    return [
        f'item at tick {made.tick}, lane {made.lane}, seed "{made.seed}": +{made.before}, now +{made.level}',
        *(f"  {line}" for line in columns(rows, right=(0, 1, 2))),
        f"odds for any +{made.before} item after {count}: {odds}",
    ]
