"""Rounds of tournaments: open them when they are due, play their games, decide their pairings, make the next round.

Each function is one transaction, or a query before one. What is to be done next is read from the rows every time, so
whoever is killed between two of them, or in one, is simply asked again: no game is played twice and none is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, bindparam, insert, select, update

from fracas.server.arena.domain import TOURNAMENT, Arena, Occasion, Planned, Seat
from fracas.server.arena.match_player import MatchPlayer, Rules
from fracas.server.arena.matches.matchmaker import seat_of
from fracas.server.arena.matches.resolution import no_step, resolve
from fracas.server.arena.ratings import outcome
from fracas.server.arena.seasons.season import latest_season
from fracas.server.arena.tournaments import pairing
from fracas.server.arena.tournaments.pairing import Decision
from fracas.server.arena.tournaments.store import (
    OVER,
    RUNNING,
    decided_of,
    entrant_rows,
    game_points,
    game_rows,
    pair_of,
    pairing_rows,
    row_of,
)
from fracas.server.clock import DAY, iso
from fracas.server.database import documents, due, streams
from fracas.server.database.tables import (
    account,
    entry,
    entry_version,
    meeting,
    tournament,
    tournament_entrant,
    tournament_game,
    tournament_pairing,
)

# The kind of due work: a round of a tournament. Its subject is the tournament and the number of the round.
ROUND = "tournament-round"


@dataclass(frozen=True)
class Game:
    """A game of a pairing that is to be played."""

    slot: int
    number: int
    """In its pairing, from 1."""
    planned: Planned


@dataclass(frozen=True)
class Games:
    """The games of a round that can be played at the same time: one of each pairing."""

    tournament: str
    round: int
    rules: Rules
    occasion: Occasion
    games: list[Game]


def make_round(connection: Connection, row: Any, at: int, now: int) -> None:
    """Make the round after the one that a running tournament has, to begin at a time; or end the tournament.

    Args:
        connection: the transaction.
        row: the tournament, locked; all pairings of its rounds are decided.
        at: when the round begins.
        now: milliseconds UTC.
    """
    number, entrants = row.round + 1, entrant_rows(connection, row.id)
    gone = {each.seed for each in entrants if each.left_in is not None and each.left_in < number}
    decided = decided_of(pairing_rows(connection, row.id))
    pairs = [] if number > row.rounds else pairing.pairs_of(row.format, len(entrants), number, decided, gone)
    mine = update(tournament).where(tournament.c.id == row.id)
    if not pairs:
        connection.execute(mine.values(state=OVER, playing=0, ended_at=now))
        ranks = pairing.standings(row.format, len(entrants), decided)
        rank_of = {standing.seed: standing.rank for standing in ranks}
        body = {"tournament": row.id, "title": row.title, "of": len(entrants)}
        told = ((each.account, "tournament.over", {**body, "rank": rank_of[each.seed]}) for each in entrants)
        streams.append(connection, told, now)
        return
    connection.execute(
        insert(tournament_pairing),
        [{"tournament": row.id, "round": number, **vars(pair)} for pair in pairs],
    )
    connection.execute(mine.values(round=number, playing=int(at <= now), round_at=at))
    if at > now:
        due.schedule(connection, ROUND, f"{row.id} {number}", at)
    playing = {seed for pair in pairs for seed in (pair.first, pair.second)} - gone
    body = {"tournament": row.id, "title": row.title, "round": number, "begins_at": iso(at)}
    told = ((each.account, "tournament.round", body) for each in entrants if each.seed in playing)
    streams.append(connection, told, now)


def open_due(connection: Connection, subject: str, at: int, *, arena: Arena, now: int) -> None:
    """Open a round whose time has come: from then on its games are played."""
    identifier, _, number = subject.partition(" ")
    this = (tournament.c.id == identifier) & (tournament.c.round == int(number)) & (tournament.c.state == RUNNING)
    connection.execute(update(tournament).where(this).values(playing=1))


def open_rounds(connection: Connection) -> list[tuple[str, str]]:
    """The tournaments whose round is being played, each with its league, the one that waits longest first."""
    is_open = (tournament.c.state == RUNNING) & (tournament.c.playing == 1)
    query = select(tournament.c.id, tournament.c.league).where(is_open).order_by(tournament.c.round_at, tournament.c.id)
    return [(row.id, row.league) for row in connection.execute(query)]


def next_games(connection: Connection, arena: Arena, identifier: str, now: int, most: int) -> Games | None:
    """The games of a round that are to be played next; none if all its pairings can be decided.

    Returns:
        None if the round is not open any more, or its league is closed.
    """
    row = row_of(connection, identifier)
    if not _is_open(connection, arena, row):
        return None
    league = arena.league(row.league)
    by_seed = {each.seed: each for each in entrant_rows(connection, identifier)}
    gone = {seed for seed, each in by_seed.items() if _is_gone(each)}
    points = _points(connection, row)
    wanted = []
    for each in pairing_rows(connection, identifier, row.round):
        games = points.get(each.slot, [])
        if each.how is None and pairing.decide(row.format, row.best_of, pair_of(each), games, gone) is None:
            wanted.append((each, len(games) + 1))
        if len(wanted) == most:
            break
    entrants = [by_seed[seed] for each, _ in wanted for seed in (each.first, each.second)]
    seats = _seats(connection, entrants)
    tired = _met_often(connection, league.id, entrants, now) if row.rated else set()
    found: list[Game] = []
    for each, number in wanted:
        first, second = (seats[by_seed[seed].account] for seed in (each.first, each.second))
        is_rated = bool(row.rated) and (first.account, second.account) not in tired
        found.append(Game(each.slot, number, Planned(league.id, first, second, is_rated)))
    occasion = Occasion(TOURNAMENT, row.modifier, {"tournament": identifier})
    return Games(identifier, row.round, Rules(league, row.modifier), occasion, found)


def play(
    connection: Connection,
    arena: Arena,
    found: Games,
    now: int,
    *,
    player: MatchPlayer,
    notice: Callable[[str], None] = no_step,
) -> int:
    """Play, rate and store games of a round, and decide the pairings that they end; return how many were played.

    Raises:
        FaultError: a battle hit a limit of the engine.
    """
    row = row_of(connection, found.tournament, lock=True)
    if row.round != found.round or not _is_open(connection, arena, row):
        return 0
    gone = _note_gone(connection, row)
    points = _points(connection, row)
    still = {each.slot: each for each in pairing_rows(connection, row.id, row.round) if each.how is None}
    games = [
        game
        for game in found.games
        if game.slot in still
        and len(points.get(game.slot, [])) == game.number - 1
        and not gone & {still[game.slot].first, still[game.slot].second}
    ]
    planned = [game.planned for game in games]
    matches = resolve(connection, arena, planned, now, player=player, occasion=found.occasion, notice=notice)
    notice("insert games")
    rows = [
        {"tournament": row.id, "round": row.round, "slot": game.slot, "game": game.number, "match": match.id}
        for game, match in zip(games, matches, strict=True)
        if match is not None
    ]
    if rows:
        connection.execute(insert(tournament_game), rows)
    notice("decide pairings")
    _decide(connection, row, gone, now)
    notice("end of games")
    return len(rows)


def advance(connection: Connection, arena: Arena, identifier: str, now: int) -> bool:
    """Decide what needs no game, and make the next round once all pairings are decided; return whether it was made."""
    row = row_of(connection, identifier, lock=True)
    if not _is_open(connection, arena, row) or _decide(connection, row, _note_gone(connection, row), now):
        return False
    make_round(connection, row, now + row.pause_ms, now)
    return True


def give_up(connection: Connection, identifier: str, number: int, slot: int, now: int) -> None:
    """Decide a pairing whose battles cannot be played: the higher seed advances, elsewhere it is a draw."""
    row = row_of(connection, identifier, lock=True)
    for each in pairing_rows(connection, identifier, number):
        if each.slot == slot and each.how is None:
            _settle(connection, row, [(each, pairing.failed(row.format))], now)


def _is_open(connection: Connection, arena: Arena, row: Any) -> bool:
    """Whether a tournament's round is played, and by the rules that the tournament took."""
    if row.state != RUNNING or not row.playing or row.league not in arena.leagues:
        return False
    season = latest_season(connection, row.league)
    if season is None or season.ended_at is not None or not season.fits(arena.league(row.league)):
        return False
    taken = row.rules_version, bytes(row.fingerprint), bytes(row.revision)
    return taken == (season.rules_version, season.fingerprint, season.revision)


def _is_gone(entrant: Any) -> bool:
    return entrant.left_in is not None or entrant.account_state != "active"


def _note_gone(connection: Connection, row: Any) -> set[int]:
    """The seeds of those who have left, were suspended or deleted; they do not come back."""
    entrants = [each for each in entrant_rows(connection, row.id) if _is_gone(each)]
    new = [each.account for each in entrants if each.left_in is None]
    if new:
        which = (tournament_entrant.c.tournament == row.id) & tournament_entrant.c.account.in_(new)
        connection.execute(update(tournament_entrant).where(which).values(left_in=row.round))
    return {each.seed for each in entrants}


def _points(connection: Connection, row: Any) -> dict[int, list[int]]:
    """The points of the first ones in the games of the running round, by slot."""
    found: dict[int, list[int]] = {}
    for each in game_rows(connection, row.id, row.round):
        found.setdefault(each.slot, []).append(game_points(each))
    return found


def _decide(connection: Connection, row: Any, gone: set[int], now: int) -> int:
    """Decide the pairings of the running round that can be; return how many still need a game."""
    points = _points(connection, row)
    left, decided = 0, []
    for each in pairing_rows(connection, row.id, row.round):
        if each.how is None:
            found = pairing.decide(row.format, row.best_of, pair_of(each), points.get(each.slot, []), gone)
            if found is None:
                left += 1
            else:
                decided.append((each, found))
    _settle(connection, row, decided, now)
    return left


def _settle(connection: Connection, row: Any, decided: Sequence[tuple[Any, Decision]], now: int) -> None:
    if not decided:
        return
    connection.execute(
        _SETTLE,
        [
            {
                "of_tournament": row.id,
                "of_round": each.round,
                "of_slot": each.slot,
                "first_points": found.points[0],
                "second_points": found.points[1],
                "how": found.how,
            }
            for each, found in decided
        ],
    )
    accounts = {each.seed: each.account for each in entrant_rows(connection, row.id)}
    streams.append(connection, _told(row, decided, accounts), now)


def _told(row: Any, decided: Iterable[tuple[Any, Decision]], accounts: dict[int, str]) -> Iterable[streams.Notice]:
    for each, found in decided:
        body = {"tournament": row.id, "title": row.title, "round": each.round, "how": found.how}
        for index, seed in enumerate((each.first, each.second)):
            if seed is not None:
                own, other = found.points[index], found.points[1 - index]
                result = {"outcome": outcome(own, other), "score": [own, other]}
                yield accounts[seed], "tournament.result", {**body, **result}


_SETTLE = update(tournament_pairing).where(
    tournament_pairing.c.tournament == bindparam("of_tournament"),
    tournament_pairing.c.round == bindparam("of_round"),
    tournament_pairing.c.slot == bindparam("of_slot"),
)


def _seats(connection: Connection, entrants: Sequence[Any]) -> dict[str, Seat]:
    """The seats of entrants by account: the versions that were locked at the start, with the salts they gave."""
    query = (
        select(
            entry.c.id.label("entry"),
            entry.c.account,
            entry.c.code,
            entry_version.c.no.label("version"),
            account.c.role,
            entry_version.c.document,
            entry_version.c.sealed_digest,
        )
        .join(account, account.c.id == entry.c.account)
        .join(entry_version, entry_version.c.entry == entry.c.id)
        .where(entry.c.id.in_([each.entry for each in entrants]))
    )
    versions = {(each.entry, each.version): each for each in entrants}
    rows = [row for row in connection.execute(query) if (row.entry, row.version) in versions]
    known = documents.get_many(connection, (bytes(row.document) for row in rows))
    return {
        row.account: seat_of(row, known[bytes(row.document)], bytes(versions[row.entry, row.version].salt))
        for row in rows
    }


def _met_often(connection: Connection, league: str, entrants: Iterable[Any], now: int) -> set[tuple[str, str]]:
    """The pairs of accounts that have had their rated matches of the last 24 hours."""
    accounts = sorted({each.account for each in entrants})
    query = select(meeting.c.account, meeting.c.opponent).where(
        meeting.c.league == league,
        meeting.c.account.in_(accounts),
        meeting.c.opponent.in_(accounts),
        # The earlier of the last two.
        meeting.c.rated_before_at > now - DAY,
    )
    return {(row.account, row.opponent) for row in connection.execute(query)}
