"""`fracas why`: explain why one battle was won or lost."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from fracas.cli.shared.exit_status import DONE, INTERRUPTED
from fracas.cli.shared.output import columns, count, headline, notice, print_result, print_warnings, results_only, width
from fracas.cli.shared.parameters import Format, Threads
from fracas.cli.shared.progress_bar import ProgressBar
from fracas.cli.shared.scenario_options import ScenarioOptions, load_file
from fracas.errors import InputError
from fracas.events.styled_text import ASIDE, EMPHASIS, HARM, HEADING, HELP, PLAIN, SIDE_1, SIDE_2, Line, Span, bar

if TYPE_CHECKING:
    from fracas.engine.battle import Battle
    from fracas.lab.explain.explanation import BestChange, ChangeSearch, DecisionCost, RoundOdds, Why
    from fracas.lab.explain.rollout_scores import Estimate

BAR_WIDTH = 24
# The curve of a long battle shows its first and last rounds and those with the largest changes.
MOST_ROUNDS = 32
MOST_DECISIONS = 3
MOST_STORY = 14
# Columns of a story are at least this far apart. A line with a rule in it is a heading.
GAP, RULE = 2, "──"
WIDTH = 80

Lines = Iterator[list[Span]]


def why(
    file: Annotated[Path, Parameter(help="A scenario file or a replay.")],
    /,
    *,
    stream: Annotated[
        int | None, Parameter(name="--stream", help="The battle's number under the seed. Default: 0, or the replay's.")
    ] = None,
    n: Annotated[int | None, Parameter(name="-n", help="Rollouts from each round. Default: 1,000.")] = None,
    part: Annotated[
        str | None,
        Parameter(name="--part", help="What may change: strategy, line-up. Default: the ruleset's main part."),
    ] = None,
    options: ScenarioOptions = ScenarioOptions(),
    threads: Threads = None,
    format: Format = "text",
) -> int:
    """Explain one battle: the odds in every round, luck and decisions, the turning point, the best change.

    From the start of each round, many rollouts play the battle to its end with other dice, the same for every round.
    The best single change to the loser's play is selected on half of these dice and measured on the other half. Ctrl-C
    ends early and shows what is complete.

    Try:

        fracas why examples/squads/first-battle.toml
        fracas why examples/squads/first-battle.toml --stream 3 -n 200
    """
    from fracas.lab.explain.why import DEFAULT_BRANCHES
    from fracas.lab.explain.why import why as explain

    settled = {"--stream": stream, "--seed": options.seed, "--profile": options.profile, "--set": options.set_}
    settled["--strict"] = options.strict or None
    saved = _saved(file, options.plugin, [name for name, given in settled.items() if given is not None])
    if saved is None:
        scenario = load_file(file, options)
        number = stream or 0
    else:
        scenario, number = saved.scenario, saved.stream
    print_warnings(scenario.warnings)
    with results_only(), ProgressBar("rollouts") as progress:
        found = explain(
            scenario,
            number,
            DEFAULT_BRANCHES if n is None else n,
            part=part,
            content=options.folders,
            threads=threads,
            steps=progress.update,
            notice=notice,
        )
    print_result(found, format, render)
    return INTERRUPTED if found.interrupted else DONE


def _saved(file: Path, plugin: list[Path] | None, settled: Sequence[str]) -> Battle | None:
    """Load the battle of a replay or of a saved duel; None if the file is neither.

    Raises:
        InputError: the file is not valid, or options were given that it already settles.
    """
    from fracas.plugins.loader import load_plugins
    from fracas.replay.load_battle import load_saved_battle

    with results_only():
        battle = load_saved_battle(file, load_plugins(plugin or []), notice)
    if battle is not None and settled:
        message = f"cannot be used with the saved battle {file}"
        raise InputError.of(", ".join(settled), message, "explain its scenario file instead")
    return battle


def render(found: Why) -> list[Line]:
    """Format an explanation as lines of text."""
    return [Line(0, tuple(spans)) for spans in _lines(found)]


def _lines(found: Why) -> Lines:
    yield from _heading(found)
    if found.standings and not found.deterministic:
        yield from _curve(found)
        yield from _turning(found)
        yield from _luck(found)
    for side in (found.loser or 1, 3 - (found.loser or 1)):
        yield from _decisions(found, side)
    for search in found.searches:
        yield from _change(found, search)
    if found.interrupted:
        yield []
        yield [("interrupted: everything shown is complete; the rest was not computed", ASIDE)]


def _heading(found: Why) -> Lines:
    battle = found.battle
    scenario = battle.scenario
    yield [(f"{headline(scenario)}, battle {battle.stream}", HEADING)]
    ended = f"{battle.reason}, {count(battle.rounds, 'round')}"
    if found.loser is None:
        yield [(f"Nobody won ({ended}).", EMPHASIS)]
    else:
        yield [(f"{_name(found, battle.winner)} won ({ended}). Why {_name(found, found.loser)} lost:", EMPHASIS)]
    if found.deterministic:
        yield [("Nothing in this battle depends on luck: it was decided before it began.", ASIDE)]


def _name(found: Why, side: int) -> str:
    """Format a side's number and name."""
    scenario = found.battle.scenario
    return f"{side} {scenario.ruleset.side_names(scenario.document)[side - 1]}"


def _curve(found: Why) -> Lines:
    """Format the loser's odds at the start of each round as bars."""
    side = found.loser or 1
    role = (SIDE_1, SIDE_2)[side - 1]
    has_choices = any(standing.decision for standing in found.standings)
    yield []
    yield [
        (f"Odds of {_name(found, side)} at the start of each round ({count(found.branches, 'battle')} each)", HEADING)
    ]
    shown = _shown(found.standings)
    head = ("", "", "odds", "(95%)", "then", *(("luck", "choices") if has_choices else ()))
    rows = [_row(standing, side, has_choices) for standing in shown if standing is not None]
    table = columns([head, *rows], right=(2, 4, 5, 6))
    yield [(f"  {table[0]}", ASIDE)]
    place = 1
    for standing in shown:
        if standing is None:
            yield [("  ⋮", ASIDE)]
        else:
            yield [(f"  {table[place]}", role)]
            place += 1
    if len(found.standings) and not found.interrupted:
        last = {None: "a draw", 1: "lost", 2: "lost"}[found.loser]
        yield [(f"  {'the end':<{max(len(row[0]) for row in rows)}}  {last}", role)]


def _shown(standings: Sequence[RoundOdds]) -> list[RoundOdds | None]:
    """Select the rounds to show in a curve; None marks a gap."""
    inner = [place for place in range(1, len(standings) - 1) if not _is_still(standings[place - 1 : place + 2])]
    ranked = sorted(inner, key=lambda place: (-abs(standings[place].change), place))
    picked = {0, len(standings) - 1, *ranked[: MOST_ROUNDS - 2]}
    shown: list[RoundOdds | None] = []
    for place, standing in enumerate(standings):
        if place in picked:
            shown.append(standing)
        elif shown[-1] is not None:
            shown.append(None)
    return shown


def _is_still(around: Sequence[RoundOdds]) -> bool:
    """Whether a round and its neighbours show the same odds and no change."""
    shares = {f"{each.odds.value:.1%}" for each in around}
    parts = (part for each in around[:2] for part in (each.change, each.luck, each.decision))
    return len(shares) == 1 and not any(map(_rounded, parts))


def _row(standing: RoundOdds, side: int, has_choices: bool) -> tuple[str, ...]:
    odds = standing.odds if side == 1 else standing.odds.of_other_side()
    sign = 1 if side == 1 else -1
    parts = (_points(sign * standing.luck), _points(sign * standing.decision)) if has_choices else ()
    blocks = bar(round(odds.value * 10_000), 10_000, BAR_WIDTH)
    return (standing.place, blocks, f"{odds.value:.1%}", _reach(odds), _points(sign * standing.change), *parts)


def _points(change: float) -> str:
    """Format a change of odds in percentage points."""
    return f"{_rounded(change):+.1f}"


def _rounded(change: float) -> float:
    """Round to the percentage points that are shown, without a negative zero."""
    return round(100 * change, 1) + 0.0


def _reach(estimate: Estimate) -> str:
    low, high = estimate.interval95
    return "certain" if low == high else f"{low:.0%} to {high:.0%}"


def _gain(estimate: Estimate) -> str:
    """Format a difference of odds with its interval, in percentage points."""
    low, high = estimate.interval95
    reach = "certain" if low == high else f"{_rounded(low):.1f} to {_rounded(high):.1f}"
    return f"{_rounded(estimate.value):.1f} points ({reach})"


def _wrapped(text: str, role: str = PLAIN, indent: str = "  ") -> Lines:
    """Wrap a sentence."""
    for line in textwrap.wrap(text, min(WIDTH, width()), initial_indent=indent, subsequent_indent=" " * len(indent)):
        yield [(line, role)]


def _narrowed(story: Sequence[str], room: int) -> list[str]:
    """Narrow the gap between a story's columns until its lines fit, as far as all lines allow."""
    lines = list(story)
    shown = [number for number, line in enumerate(lines) if RULE not in line]
    longest = max((len(lines[number]) for number in shown), default=0)
    place = GAP + min((len(lines[number]) - len(lines[number].lstrip()) for number in shown), default=0)
    while longest > room and place + GAP < longest:
        if any(lines[number][place : place + GAP + 1].strip() for number in shown):
            place += 1
            continue
        for number in shown:
            lines[number] = lines[number][:place] + lines[number][place + 1 :]
        longest -= 1
    return lines


def _folded(text: str) -> Lines:
    """Wrap a line of a story to the terminal's width, with continuation lines indented further."""
    inner = len(text) - len(text.lstrip())
    deeper = " " * (inner + 6)
    # A line that fits is unchanged, so that spaces between columns stay.
    lines = [f"  {text}"] if len(text) + 2 <= width() else textwrap.wrap(f"  {text}", width(), subsequent_indent=deeper)
    for line in lines:
        yield [(line, ASIDE)]


def _turning(found: Why) -> Lines:
    point = found.turning_point
    yield []
    yield [("The turning point", HEADING)]
    if point is None:
        yield from _wrapped("There was none: no round lowered the loser's odds.")
        return
    fall = f"from {point.before:.0%} to {point.after:.0%}"
    yield from _wrapped(f"In {point.place} the odds of {_name(found, point.side)} fell {fall}.", EMPHASIS)
    if point.turn is not None:
        turn = point.turn
        moved = f"from {turn.before:.0%} to {turn.after:.0%}"
        yield from _wrapped(f"Most of it came with one turn, {moved}: {turn.unit}, {turn.did}.", EMPHASIS)
    for text in _narrowed(point.story[:MOST_STORY], width() - 2):
        yield from _folded(text)
    if len(point.story) > MOST_STORY:
        yield [(f"    … {len(point.story) - MOST_STORY} more lines; fracas run shows them", ASIDE)]


def _luck(found: Why) -> Lines:
    """Summarise how luck and random choices changed the odds over the battle."""
    side = found.loser or 1
    sign = 1 if side == 1 else -1
    first = found.standings[0].odds
    start = first.value if side == 1 else 1 - first.value
    luck = sum(sign * standing.luck for standing in found.standings)
    chosen = sum(sign * standing.decision for standing in found.standings)
    yield []
    yield [("Luck and decisions", HEADING)]
    yield from _wrapped(f"{_name(found, side)} began with odds of {start:.0%}, given how both sides play.")
    dice = f"The dice {'took' if luck < 0 else 'gave'} {100 * abs(luck):.1f} points"
    if chosen:
        verb = "took" if chosen < 0 else "gave"
        yield from _wrapped(f"{dice}; random choices {verb} {100 * abs(chosen):.1f}.")
    else:
        yield from _wrapped(f"{dice}. Neither side made random choices.")
    if found.weighed:
        yield from _wrapped(f"The alternatives to {count(found.weighed, 'decision')} were tried, one at a time:")


def _decisions(found: Why, side: int) -> Lines:
    """Format a side's most costly decisions."""
    mine = [decision for decision in found.decisions if decision.side == side and decision.cost.value > 0]
    if not found.weighed:
        return
    yield []
    yield [(f"The most costly decisions of {_name(found, side)}", HEADING)]
    if not mine:
        yield from _wrapped("None: no alternative did better.")
    for decision in mine[:MOST_DECISIONS]:
        yield from _decision(decision)


def _decision(decision: DecisionCost) -> Lines:
    role = HARM if decision.cost.interval95[0] > 0 else PLAIN
    before, after = decision.odds.value, decision.best_odds.value
    yield from _wrapped(f"{decision.place}, {decision.unit}: {decision.chosen} ({before:.0%})")
    yield from _wrapped(f"{decision.best} ({after:.0%})", ASIDE, "      better: ")
    yield [(f"      cost {_gain(decision.cost)}", role)]


def _change(found: Why, search: ChangeSearch) -> Lines:
    yield []
    yield [(f"The best single change for {_name(found, search.side)}", HEADING)]
    if search.refusal:
        yield from _wrapped(f"Not searched: {search.refusal}.")
        return
    tried = f"{search.tried:,}" if search.tried == search.possible else f"{search.tried:,} of {search.possible:,}"
    best = search.best
    if best is None:
        yield from _wrapped(f"None does better over whole battles (changes tried: {tried}).")
        return
    role = HELP if best.gain.interval95[0] > 0 else PLAIN
    yield from _wrapped(f"{best.name}: {best.after} instead of {best.before}", EMPHASIS)
    yield [
        (f"  over whole battles the odds go from {best.odds.value:.1%} to {best.changed_odds.value:.1%}: ", PLAIN),
        (_gain(best.gain), role),
    ]
    yield from _wrapped(f"It is the best of the changes tried ({tried}). {_same_dice(best)}", ASIDE)


def _same_dice(best: BestChange) -> str:
    """Say how this battle would have ended with the change and the same dice."""
    if best.same_dice == best.side:
        return "With this battle's own dice, it wins."
    if best.same_dice == 0:
        return "With this battle's own dice, it draws."
    return "With this battle's own dice, it still loses."
