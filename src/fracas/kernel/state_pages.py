"""Pages of states for exact odds: load a state, store its successors, detect changed words. docs/adr/0022."""

from __future__ import annotations

import numpy as np

from fracas.kernel.enumerating_dice import begin_outcomes
from fracas.kernel.jit import kernel
from fracas.kernel.records import record

# A transition's probability is a product of at most this many shares, each of two numbers below 2^62.
SHARES = 8


LARGEST_PART = 1 << 62


# How a page ended: all its states were played on, there was no room, a word outside the live ones changed, or a roll
# cannot be enumerated.
DONE, FULL, WIDER, REFUSED = 0, 1, 2, 3


# One successor of a state. `moment` grows from step to step; `parent` is the state's index in the page.
child_t = record(
    ("parent", np.int64),
    ("over", np.int64),
    ("winner", np.int64),
    ("reason", np.int64),
    ("rounds", np.int64),
    ("moment", np.int64),
    ("slack", np.float64),
    ("weight", np.int64, (SHARES,)),
    ("total", np.int64, (SHARES,)),
)


page_t = record(
    # 1 if the current step is the battle's set-up
    ("begins", np.int64),
    # the current state, and how many children there are and were before it
    ("parent", np.int64),
    ("children", np.int64),
    ("before", np.int64),
    ("verdict", np.int64),
    # the battle after the step: whether it is over, its rounds, its moment
    ("over", np.int64),
    ("rounds", np.int64),
    ("moment", np.int64),
)


@kernel
def next_parent(dice, page, parents) -> bool:
    """Go to the page's next state; False after the last."""
    page.parent += 1
    if page.parent >= len(parents):
        page.verdict = DONE
        return False
    page.before = page.children
    begin_outcomes(dice)
    return True


@kernel
def load_state(words, live, parents, page) -> None:
    """Restore the battle to the current state.

    `words` are the records of two battles as words: the one being played, and its initial state. `live` are the indexes
    of all words that ever differ from the initial state; the others equal it.
    """
    for column in range(len(live)):
        words[0, live[column]] = parents[page.parent, column]


@kernel
def store_successor(battle, words, live, ranges, children, notes, page) -> bool:
    """Record the outcome of a step and its probability; False if that is impossible.

    Changes: children, notes, page; the battle's live words return to the initial state. For a battle drawn to its end,
        no words are stored, and all changed words return to it.
    """
    index = page.children
    if index >= len(children):
        return stop_page(page, FULL)
    if battle.dice.refused != 0 or not note_shares(battle.dice, notes[index]):
        return stop_page(page, REFUSED)
    note = notes[index]
    note.parent = page.parent
    note.over = page.over
    note.winner = battle.winner
    note.reason = battle.reason
    note.rounds = page.rounds
    note.moment = page.moment
    note.slack = battle.dice.slack
    if battle.dice.draws != 0:
        for row in range(len(ranges)):
            for changed in range(ranges[row, 0], ranges[row, 1]):
                words[0, changed] = words[1, changed]
        page.children += 1
        return True
    for column in range(len(live)):
        children[index, column] = words[0, live[column]]
        words[0, live[column]] = words[1, live[column]]
    if has_changed(words, ranges):
        return stop_page(page, WIDER)
    page.children += 1
    return True


@kernel
def stop_page(page, verdict: int) -> bool:
    """Stop at the current state for a reason; its children do not count."""
    page.verdict = verdict
    page.children = page.before
    return False


@kernel
def has_changed(words, ranges) -> bool:
    """Whether a word outside the live ones differs from its initial value, in the given ranges."""
    difference = 0
    for row in range(len(ranges)):
        for index in range(ranges[row, 0], ranges[row, 1]):
            difference |= words[0, index] ^ words[1, index]
    return difference != 0


@kernel
def note_shares(dice, note) -> bool:
    """Multiply the shares of a step's rolls into as few numbers as possible; False if they do not fit.

    Changes: the note.
    """
    for index in range(SHARES):
        note.weight[index] = 1
        note.total[index] = 1
    share = 0
    for index in range(dice.made):
        if note.total[share] > LARGEST_PART // dice.total[index]:
            share += 1
            if share == SHARES:
                return False
        note.weight[share] *= dice.weight[index]
        note.total[share] *= dice.total[index]
    return True
