"""Summary tables after a relics battle: what each piece of each fighter contributed.

What a rule does counts for its cause: a strike for the weapon, reflected damage for Thorns. Poison, Riptide, Acid and
fatigue belong to no piece, so they count only as losses of the fighter.

ARMOR is used up oldest first. Each piece has its own, from its stats and its gains; the damage that this ARMOR takes
counts as *absorbed* by the piece.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from fracas.events.story_layout import LINE_WIDTH, MARGIN
from fracas.events.styled_text import HEADING, PLAIN, Span, clipped
from fracas.kernel.event_protocol import Event
from fracas.rulesets.relics.narration.grouping import wrapped
from fracas.rulesets.relics.narration.labels import ROLES, RULE_WORDS, Participants
from fracas.rulesets.relics.narration.ledgers import FIGURES, ITSELF, REGEN, THORNS, ItemTotals, Ledger, ledgers

MOST_NAME = 24


def summary_lines(events: Sequence[Event], participants: Participants) -> Iterator[list[Span]]:
    """Both ledgers as tables, each followed by what its owner dealt, absorbed, healed and lost."""
    for ledger in ledgers(events, participants):
        active = {name: account for name, account in ledger.accounts.items() if not account.is_empty}
        title = f"{ledger.side + 1} {participants.names[ledger.side]}"
        names = [called(name) for name in active]
        width = min(MOST_NAME, max((len(name) for name in [*names, title]), default=0))
        yield []
        heads = f"{'runs':>6}{'dealt':>7}{'absorbed':>10}{'healed':>8}  changed"
        yield [(f"{clipped(title, width + 2):{width + 2}}", ROLES[ledger.side]), (heads, HEADING)]
        for name, account in active.items():
            yield from _row(called(name), account, width, ROLES[ledger.side], participants.words)
        yield from _totals(ledger)


def called(name: str) -> str:
    """The displayed name of an account."""
    return {ITSELF: "(itself)", THORNS: "(Thorns)", REGEN: "(Regen)"}.get(name, name)


def _row(name: str, account: ItemTotals, width: int, role: str, named: Mapping[str, str]) -> Iterator[list[Span]]:
    figures = f"{account.runs:>6}{account.dealt:>7}{account.absorbed:>10}{account.healed:>8}  "
    before = len(MARGIN) + width + len(figures)
    rows = wrapped(list(changes(account, named)), LINE_WIDTH - before) or [""]
    yield [(f"{MARGIN}{clipped(name, width):{width}}", role), (figures, PLAIN), (rows[0], PLAIN)]
    yield from ([(" " * before, PLAIN), (row, PLAIN)] for row in rows[1:])


def changes(account: ItemTotals, named: Mapping[str, str]) -> Iterator[str]:
    """What a piece changed, in words: `+2 Thorns`, `enemy -3 ARMOR`; `named` has the names of quantities."""
    for whose, changed in (("", account.own), ("enemy ", account.enemy)):
        for quantity, change in changed.items():
            if change:
                yield f"{whose}{change:+} {named[quantity]}"


def _totals(ledger: Ledger) -> Iterator[list[Span]]:
    sums = [f"{figure} {ledger.total(figure)}" for figure in FIGURES[1:]]
    lost = [f"{amount} by {RULE_WORDS.get(source, source)}" for source, amount in ledger.losses.items()]
    words = [*sums, *([f"lost {lost[0]}", *lost[1:]] if lost else [])]
    for row in wrapped(words, LINE_WIDTH - len(MARGIN)):
        yield [(MARGIN, PLAIN), (row, PLAIN)]
