"""`fracas content loot`: roll a quest's loot many times and compare it with its loot tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from fracas.cli.shared.exit_status import CHECK_FAILED, DONE
from fracas.cli.shared.output import columns, notice, print_json, say
from fracas.cli.shared.parameters import Folders, Format

if TYPE_CHECKING:
    from fracas.lab.simulation.loot import DropRow, LootResults


def loot(
    quest: Annotated[str, Parameter(help="The quest's id.")],
    /,
    *,
    difficulty: Annotated[str, Parameter(name="--difficulty", help="The difficulty's id.")] = "normal",
    n: Annotated[int | None, Parameter(name="-n", help="Number of runs, 1 to 10^8. Default: 10,000.")] = None,
    encounters: Annotated[
        int | None, Parameter(name="--encounters", help="Encounters passed. Default: all, and the chest.")
    ] = None,
    seed: Annotated[str | None, Parameter(name="--seed", help="Seed text. Default: the quest's id.")] = None,
    content: Folders = None,
    format: Format = "text",
) -> int:
    """Roll the loot of many runs through a delve quest and compare it with the loot tables.

    Nothing is fought: every encounter counts as passed, and loot from ambushes and decisions is left out. Expected
    values are exact; counts have 95% intervals. A chi-square test checks whether chance explains the difference. Exit
    status 1 if it does not.

    Try:

        fracas content loot goblin_warrens
        fracas content loot goblin_warrens --difficulty deadly -n 100000
        fracas content loot drowned_abbey --encounters 3 --format json
    """
    from fracas.lab.simulation.loot import loot as roll_loot

    results = roll_loot(
        "delve", quest, difficulty, n, seed=seed, encounters=encounters, folders=content or [], notice=notice
    )
    if format == "json":
        print_json(results.as_json())
    else:
        say(*render(results))
    return DONE if results.is_as_promised else CHECK_FAILED


def render(results: LootResults) -> list[str]:
    """Format found and expected loot as tables."""
    plan = results.plan
    passed = f"encounters passed: {plan.encounters}"
    sources = [
        (*row.names, f"{float(row.expected) / results.runs:.0%}", f"{row.found / results.runs:.2%}", mark(row))
        for row in results.sources
    ]
    rarities = [(row.names[0].replace("_", " "), *cells(results, row)) for row in results.rarities if row.expected]
    drops = [(plan.items[row.names[0]], row.names[1].replace("_", " "), *cells(results, row)) for row in results.drops]
    figures = ("expected per run", "found per run", "expected share", "found", "95% interval", "")
    return [
        f'{plan.quest}, {plan.difficulty}: {results.runs:,} runs, {passed}, seed "{plan.seed}"',
        *table(("where", "table", "expected", "found", ""), sources, first=2),
        *table(("rarity", *figures), rarities, first=1),
        *table(("item", "rarity", *figures), drops, first=2),
        "",
        *verdict(results),
    ]


def table(header: Sequence[str], rows: Sequence[Sequence[str]], *, first: int) -> list[str]:
    """Format a table below an empty line; columns from `first` on are right-aligned."""
    return ["", *(f"  {line}" for line in columns([header, *rows], right=range(first, len(header) - 1)))]


def cells(results: LootResults, row: DropRow) -> list[str]:
    """Cells for one kind of drop: expected and found, per run and as a share of all items."""
    expected, found, (low, high) = results.share(row)
    per_run = (float(row.expected) / results.runs, row.found / results.runs)
    shares = (f"{expected:.2%}", f"{found:.2%}", f"{low:.2%} to {high:.2%}")
    return [*(f"{number:.4f}" for number in per_run), *shares, mark(row)]


def mark(row: DropRow) -> str:
    """Flag a count that chance does not explain."""
    return f"{row.distance:+.1f} standard deviations" if row.is_far else ""


def verdict(results: LootResults) -> list[str]:
    """Say whether the loot matches the tables."""
    test = results.chi_square
    figures = f"chi-square {test.value:.1f} with {test.degrees} degrees of freedom, p = {test.p_value:.3f}"
    words = "in line with the loot tables" if results.is_as_promised else "NOT in line with the loot tables"
    return [f"{results.items:,} items, {words} ({figures})"]
