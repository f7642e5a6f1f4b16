"""Solve matrix games: both players' best mixes, by the simplex method. titans/README.md, "Solving"."""

from __future__ import annotations

from fracas.kernel.jit import kernel
from fracas.rulesets.titans.rules.constants import CHOICES

TINY = 1e-12
# An exchange divides by no less than the first of these. Where two choices differ by rounding alone, that makes errors
# large; a game whose check fails for that reason is solved again with the next.
SMALLEST_PIVOTS = (1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7)
# The check passes if a best reply gains no more.
MOST_REPLY_GAIN = 1e-6
# After this many exchanges, take the first improving column instead of the best one, which cannot cycle.
PATIENCE = 60
MOST_EXCHANGES = 2000
ENDLESS = float("inf")


@kernel
def solve_game(space, rows: int, columns: int) -> float:
    """The value of the stage game in space.chances, and both players' mixes."""
    worst, value = space.reply_gain, 0.0
    for smallest in SMALLEST_PIVOTS:
        space.reply_gain = 0.0
        exchange_variables(space, rows, columns, smallest)
        value = read_mixes(space, rows, columns)
        check_replies(space, rows, columns, value)
        if space.reply_gain <= MOST_REPLY_GAIN:
            break
    space.reply_gain = max(worst, space.reply_gain)
    return value


@kernel
def exchange_variables(space, rows: int, columns: int, smallest: float) -> None:
    """Exchange variables until none improves the objective."""
    fill_tableau(space, rows, columns)
    for exchange in range(MOST_EXCHANGES):
        column = entering_column(space, rows, columns, exchange > PATIENCE)
        if column < 0:
            break
        row = leaving_row(space, rows, columns, column, smallest)
        pivot(space, rows, columns, row, column)


@kernel
def fill_tableau(space, rows: int, columns: int) -> None:
    """Player 2's program: the largest sum of weights whose payoff, raised by 1, is at most 1 in every row."""
    width = rows + columns
    for row in range(rows):
        for column in range(columns):
            space.tableau[row, column] = space.chances[row, column] + 1.0
        for slack in range(rows):
            space.tableau[row, columns + slack] = 1.0 if slack == row else 0.0
        space.tableau[row, width] = 1.0
        space.basis[row] = columns + row
    for column in range(width + 1):
        space.tableau[rows, column] = 1.0 if column < columns else 0.0


@kernel
def entering_column(space, rows: int, columns: int, is_patient: bool) -> int:
    """The column that improves the objective most, or the first that does; -1 if none does."""
    best, most = -1, TINY
    for column in range(rows + columns):
        if space.tableau[rows, column] > most:
            best, most = column, space.tableau[rows, column]
            if is_patient:
                return best
    return best


@kernel
def leaving_row(space, rows: int, columns: int, column: int, smallest: float) -> int:
    """The row that is exhausted first when a column enters; ties go to the lowest variable."""
    # The first candidate has nothing to beat: a ratio that should be 0 may be a little less by rounding.
    best, least = 0, ENDLESS
    for row in range(rows):
        if space.tableau[row, column] > smallest:
            ratio = space.tableau[row, rows + columns] / space.tableau[row, column]
            if ratio < least or (ratio == least and space.basis[row] < space.basis[best]):
                best, least = row, ratio
    return best


@kernel
def pivot(space, rows: int, columns: int, row: int, column: int) -> None:
    """Exchange a row's variable for a column's."""
    width = rows + columns + 1
    scale = space.tableau[row, column]
    for index in range(width):
        space.tableau[row, index] = space.tableau[row, index] / scale
    for other in range(rows + 1):
        factor = space.tableau[other, column]
        if other != row and factor != 0.0:
            for index in range(width):
                space.tableau[other, index] -= factor * space.tableau[row, index]
    space.basis[row] = column


@kernel
def read_mixes(space, rows: int, columns: int) -> float:
    """Read both mixes from a finished tableau, from its basis and its prices; returns the value."""
    total = -space.tableau[rows, rows + columns]
    for index in range(CHOICES):
        space.mixes[0, index] = 0.0
        space.mixes[1, index] = 0.0
    for row in range(rows):
        space.mixes[0, row] = max(0.0, -space.tableau[rows, columns + row]) / total
        if space.basis[row] < columns:
            space.mixes[1, space.basis[row]] = space.tableau[row, rows + columns] / total
    return 1.0 / total - 1.0


@kernel
def check_replies(space, rows: int, columns: int, value: float) -> None:
    """Note how much each player's best reply to the other's mix gains; in an equilibrium, nothing."""
    first_sum, second_sum = 0.0, 0.0
    for row in range(rows):
        first_sum += space.mixes[0, row]
        answered = 0.0
        for column in range(columns):
            answered += space.mixes[1, column] * space.chances[row, column]
        note_gain(space, answered - value)
    for column in range(columns):
        second_sum += space.mixes[1, column]
        answered = 0.0
        for row in range(rows):
            answered += space.mixes[0, row] * space.chances[row, column]
        note_gain(space, value - answered)
    # Count the difference if a mix does not sum to 1.
    note_gain(space, abs(first_sum - 1.0))
    note_gain(space, abs(second_sum - 1.0))


@kernel
def note_gain(space, gain: float) -> None:
    """Keep the largest gain; NaN counts as infinite."""
    if not gain <= space.reply_gain:
        space.reply_gain = gain if gain == gain else ENDLESS
