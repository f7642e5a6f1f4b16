"""`matchups`: a round robin, every entrant against every other from both sides with the same dice."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np
from msgspec.structs import asdict

from fracas.engine.player import Notice
from fracas.engine.scenario import Scenario
from fracas.errors import InputError, Problem, UsageError
from fracas.lab.execution.interrupts import DeferInterrupt
from fracas.lab.execution.progress import Steps
from fracas.lab.execution.tally import LOOK_EVERY
from fracas.lab.execution.thread_executor import ExecutorOrThreads
from fracas.lab.simulation.scores import MOST_KEPT, play_scores
from fracas.lab.simulation.simulate import check_amounts, not_reached
from fracas.lab.statistics.intervals import mean_interval
from fracas.lab.statistics.nash_equilibrium import scipy_optimize
from fracas.lab.studies.matchup_cells import ORDERS, WHOLE, CellSums, OrderSums
from fracas.lab.studies.matchups_result import MatchupRow, Matchups, Participant, Timing
from fracas.lab.studies.roster import Entrant, Roster
from fracas.lab.studies.standings import RowSums, analyse
from fracas.rulesets.contract.analysis import LOST, WON, SideRef
from fracas.rulesets.contract.plugin_kinds import Plugin
from fracas.rulesets.contract.types import Document, Rows
from fracas.rulesets.shared.seeds import fingerprint

DEFAULT_BATTLES = 10_000
# All cells play this many streams at a time, so that memory does not grow with the number of battles.
BLOCK = 65_536
FIRST_LOOK = LOOK_EVERY
# A step aims a little beyond what the one before showed to be necessary.
BEYOND = 1.02


def matchups(
    roster: Roster,
    n: int | None = None,
    *,
    precision: float | None = None,
    threads: ExecutorOrThreads = None,
    steps: Steps | None = None,
    notice: Notice | None = None,
) -> Matchups:
    """Play every pair n battles, half of them in each order, or until the widest cell's half-width is `precision`.

    All cells use the same streams, in both orders. Ctrl-C ends with the complete cells.

    Raises:
        InputError: an amount is out of range, n is odd, or two entrants cannot meet.
        FaultError: a battle hit a limit of the engine.
    """
    check_amounts(n, precision, threads)
    if n is not None and n % ORDERS:
        raise UsageError.of("-n", f"{n:,} is odd, but half of a cell's battles are played in each order")
    scipy_optimize()
    tournament = _Tournament(roster, threads, steps, notice)
    started = time.perf_counter()
    with DeferInterrupt():
        if precision is None:
            tournament.play_up_to((n or DEFAULT_BATTLES) // ORDERS)
        else:
            tournament.play_until(precision / 100)
    return tournament.result(time.perf_counter() - started)


class _Tournament:
    """The cells of a round robin in progress, one block of streams after another."""

    def __init__(self, roster: Roster, threads: ExecutorOrThreads, steps: Steps | None, notice: Notice | None) -> None:
        self.roster = roster
        self.threads = threads
        self.steps = steps
        self.notice = notice
        self.count = len(roster.entrants)
        self.pairs = roster.pairs
        self.documents = all_pairings(roster, notice)
        self.plugins: dict[str, Plugin] = {
            plugin.name: plugin for entrant in roster.entrants for plugin in entrant.scenario.compiled.plugins
        }
        self.cells: list[CellSums] = [CellSums(first, second) for first, second in self.pairs]
        self.rows = RowSums(self.count)
        self.streams = 0
        self.interrupted = False
        self.done = 0

    def play_up_to(self, streams: int) -> None:
        """Play on until every cell has this many streams."""
        blocks = range(self.streams, streams, BLOCK)
        steps = self.done + len(blocks) * len(self.pairs)
        for first in blocks:
            count = min(BLOCK, streams - first)
            if not self.play_block(first, count, steps, planned=ORDERS * streams * len(self.pairs)):
                return

    def play_until(self, wanted: float) -> None:
        """Play on until the widest half-width is small enough, with a check now and then."""
        aim = FIRST_LOOK
        while True:
            self.play_up_to(aim)
            if self.interrupted:
                return
            widest = max((high - low) / 2 for low, high in (cell.interval95 for cell in self.cells))
            if widest <= wanted:
                return
            if self.streams >= MOST_KEPT:
                if self.notice is not None:
                    self.notice(not_reached(wanted, widest, f"{ORDERS * self.streams:,} battles of each pair"))
                return
            needed = int(self.streams * (widest / wanted) ** 2 * BEYOND)
            aim = min(max(needed - needed % -LOOK_EVERY, self.streams + LOOK_EVERY), MOST_KEPT)

    def play_block(self, first: int, count: int, steps: int, planned: int) -> bool:
        """Play some streams of every cell. An interrupted block counts only if it is the first one."""
        points = np.zeros((self.count, count), np.int32)
        played: list[CellSums] = []
        try:
            for cell in self.cells:
                if self.steps is not None:
                    one, other = (self.roster.entrants[place].name for place in (cell.first, cell.second))
                    self.steps(self.done, steps, f"{one} : {other}")
                further = self._played(cell, first, count, points, planned)
                if further is None:
                    break
                played.append(further)
                self.done += 1
        except KeyboardInterrupt:
            pass
        self.interrupted = len(played) < len(self.cells)
        if not self.interrupted:
            self.cells = played
            self.streams += count
            self.rows.add(points)
        elif not self.streams:
            self.cells = played
        return not self.interrupted

    def _played(self, cell: CellSums, first: int, count: int, points: Rows, planned: int) -> CellSums | None:
        """A cell with some more streams, whose points are added to both rows; None if Ctrl-C came in between."""
        orders = []
        for one, other in ((cell.first, cell.second), (cell.second, cell.first)):
            scenario = self._scenario(self.documents[one, other])
            taken = play_scores(scenario, count, start=first, threads=self.threads, notice=self.notice, planned=planned)
            if taken.results.interrupted:
                return None
            orders.append(taken)
        own = (orders[0].scores + (WON - orders[1].scores)).astype(np.int64)
        points[cell.first] += own.astype(np.int32)
        points[cell.second] += (WHOLE - own).astype(np.int32)
        as_1, as_2 = (OrderSums(**vars(order)) for order in cell.orders)
        as_1.add(orders[0].scores, WON, orders[0].results.deterministic)
        as_2.add(orders[1].scores, LOST, orders[1].results.deterministic)
        total, squares = cell.total + int(own.sum()), cell.squares + int((own * own).sum())
        return CellSums(cell.first, cell.second, cell.streams + count, total, squares, (as_1, as_2))

    def _scenario(self, document: Document) -> Scenario:
        ruleset = self.roster.rules.ruleset
        scenario = Scenario(ruleset, document, ruleset.compile(document, self.plugins))
        return scenario.with_seed(self.roster.seed)

    def result(self, seconds: float) -> Matchups:
        """The results so far."""
        roster, is_whole = self.roster, bool(self.streams)
        rules, names = roster.rules, [entrant.name for entrant in roster.entrants]
        cells = [cell.result(names) for cell in self.cells]
        shares: list[list[float | None]] = [[None] * self.count for _ in range(self.count)]
        for cell in cells:
            shares[cell.first][cell.second] = cell.share
            shares[cell.second][cell.first] = 1 - cell.share
        analysis = asdict(analyse(self.cells, self.rows, names)) if is_whole and not roster.across else {}
        return Matchups(
            ruleset=rules.ruleset.name,
            scenario=roster.id,
            seed=roster.seed,
            profile=rules.profile,
            entrants=[
                Participant(each.name, each.scenario.id, each.side, each.scenario.fingerprint)
                for each in roster.entrants
            ],
            battles=sum(cell.battles for cell in cells),
            half_width=max((cell.half_width for cell in cells), default=0.0),
            shares=shares,
            cells=cells,
            **analysis,
            across=roster.across,
            rows=row_scores(self.cells, self.rows, roster) if is_whole and roster.across else [],
            rules_version=rules.ruleset.rules_version,
            content_fingerprint=fingerprint([entrant.scenario.fingerprint for entrant in roster.entrants]),
            interrupted=self.interrupted,
            timing=Timing(round(seconds, 6)),
            roster=roster,
        )


def row_scores(cells: Sequence[CellSums], sums: RowSums, roster: Roster) -> list[MatchupRow]:
    """The total score of each entrant against all of its opponents, the best first."""
    whole = WHOLE * roster.across
    scores = []
    for number, entrant in enumerate(roster.entrants[: -roster.across]):
        total = int(sums.totals[number])
        low, high = mean_interval(total, int(sums.products[number, number]), sums.streams, 0, whole)
        if all(cell.deterministic for cell in cells if cell.first == number):
            low = high = total / sums.streams
        scores.append(MatchupRow(entrant.name, number, total / (whole * sums.streams), (low / whole, high / whole)))
    return sorted(scores, key=lambda score: (-score.share, score.entrant))


def all_pairings(roster: Roster, notice: Notice | None = None) -> dict[tuple[int, int], Document]:
    """Documents in which each entrant, by number, is side 1 against each other one, under the first entrant's rules.

    Raises:
        InputError: some entrants cannot meet.
    """
    lab = roster.rules.ruleset.analysis
    side_refs: list[SideRef] = []
    problems: list[Problem] = []
    for entrant in roster.entrants:
        try:
            side_refs.append(_side_ref(entrant, roster.rules, notice))
        except InputError as error:
            problems += [
                Problem(f"{entrant.name}: {each.where}", each.message, each.suggestion) for each in error.problems
            ]
    if problems:
        raise InputError(problems)
    documents: dict[tuple[int, int], Document] = {}
    for one, other in (order for first, second in roster.pairs for order in ((first, second), (second, first))):
        try:
            documents[one, other] = lab.matchup(side_refs[one], side_refs[other])
        except InputError as error:
            names = f"{roster.entrants[one].name} : {roster.entrants[other].name}"
            problems += [Problem(f"{names}: {each.where}", each.message, each.suggestion) for each in error.problems]
    if problems:
        raise InputError(problems)
    return documents


def _side_ref(entrant: Entrant, rules: Scenario, notice: Notice | None) -> SideRef:
    """An entrant's side, fitted to a document with the shared rules.

    A side from another file adopts the rules of the first entrant's file.
    """
    own = entrant.scenario
    if own is rules or own.document == rules.document:
        return entrant.side_ref
    if notice is not None:
        differing = [key for key in ("profile", "options") if own.document.get(key) != rules.document.get(key)]
        if differing:
            notice(
                f"{entrant.name}: its file has other {' and '.join(differing)}; all entrants use those of {rules.id}"
            )
    return SideRef(rules.ruleset.analysis.matchup(SideRef(rules.document, 1), entrant.side_ref), 2)
