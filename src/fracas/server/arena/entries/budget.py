"""Check an entry against its league's size, prices, copies and bans."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from fracas.errors import Problem
from fracas.errors.suggestions import quoted
from fracas.rulesets.contract.player_entries import WHERE
from fracas.server.arena.league import League


def cost(league: League, entry: Any) -> int:
    """What an entry costs in points."""
    return sum(league.price(piece.id) for piece in league.kind.pieces(entry))


def budget_problems(league: League, entry: Any) -> Iterator[Problem]:
    """Everything in which an entry exceeds what its league allows."""
    pieces = list(league.kind.pieces(entry))
    size, what = league.file.size, league.kind.what
    if not size.least <= len(pieces) <= size.most:
        message = f"has {len(pieces)} {what}s; {league.id} wants {size.least} to {size.most}"
        yield Problem(WHERE, message)
    for piece in pieces:
        if piece.id in league.file.banned:
            yield Problem(f"{WHERE}: {piece.path}", f"{quoted(piece.id)} is banned in {league.id}")
    for name, count in Counter(piece.id for piece in pieces).items():
        if count > league.file.max_copies:
            message = f"names {quoted(name)} {count} times; {league.id} allows {league.file.max_copies}"
            yield Problem(WHERE, message)
    total = cost(league, entry)
    if total > league.file.points:
        dearest = max(pieces, key=lambda piece: league.price(piece.id))
        hint = f"the dearest is {quoted(dearest.id)} for {league.price(dearest.id)}"
        yield Problem(WHERE, f"costs {total} points; {league.id} allows {league.file.points}", hint)
