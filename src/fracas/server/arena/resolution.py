"""Resolve a match: play, rate and store it in one transaction. It happened once, or not at all.

The caller owns the transaction; whatever raises here must roll it back. Nobody is notified before it commits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, bindparam, case, delete, insert, select, update

from fracas.server.arena import days
from fracas.server.arena.battle import MatchPlayer, MatchResult, Rules, match_player
from fracas.server.arena.league import League
from fracas.server.arena.ratings import DRAW, LOSS, WIN, Rating, after_match, outcome, with_new_version
from fracas.server.arena.records import CASUAL, MATCHED, ONCE, RANKED, STANDING, Arena, Planned, Seat
from fracas.server.arena.seasons import Season, latest_season, rating_row
from fracas.server.arena.secrets import SecretBox, SeedInputs, match_seed, next_head
from fracas.server.clock import DAY, day_of
from fracas.server.database import streams
from fracas.server.database.tables import entry_version, league_day, leg, match_side, meeting, rating, ticket
from fracas.server.database.tables import match as match_table
from fracas.server.database.upsert import insert_if_absent
from fracas.server.ids import random_id

BOT, OPERATOR = "bot", "operator"


# Built once: building a statement takes longer than running it.
_RATING = (
    select(rating)
    .where(
        rating.c.league == bindparam("league"),
        rating.c.season == bindparam("season"),
        rating.c.account == bindparam("account"),
    )
    .with_for_update()
)
_TICKET = select(ticket.c.state, ticket.c.version).where(ticket.c.id == bindparam("ticket")).with_for_update()
_NUMBER = (
    update(league_day)
    .where(
        league_day.c.league == bindparam("of_league"),
        league_day.c.day == bindparam("of_day"),
        league_day.c.published_at.is_(None),
    )
    .values(last_no=league_day.c.last_no + 1)
    .returning(league_day.c.last_no, league_day.c.head, league_day.c.secret_enc)
)
_HEAD = (
    update(league_day)
    .where(league_day.c.league == bindparam("of_league"), league_day.c.day == bindparam("of_day"))
    .values(head=bindparam("new_head"))
)
_INSERT_MATCH, _INSERT_SIDES, _INSERT_LEGS = insert(match_table), insert(match_side), insert(leg)
_RATE = (
    update(rating)
    .where(
        rating.c.league == bindparam("of_league"),
        rating.c.season == bindparam("of_season"),
        rating.c.account == bindparam("of_account"),
        rating.c.n == bindparam("old_n"),
    )
    .values(
        mu=bindparam("new_mu"),
        sigma=bindparam("new_sigma"),
        score=bindparam("new_score"),
        n=bindparam("new_n"),
        entry=bindparam("new_entry"),
        version=bindparam("new_version"),
        wins=rating.c.wins + bindparam("won"),
        draws=rating.c.draws + bindparam("drawn"),
        losses=rating.c.losses + bindparam("lost"),
    )
)
_MET = (
    update(meeting)
    .where(
        meeting.c.league == bindparam("of_league"),
        meeting.c.account == bindparam("of_account"),
        meeting.c.opponent == bindparam("of_opponent"),
    )
    .values(
        at=bindparam("now"),
        rated_before_at=case((bindparam("rated") == 1, meeting.c.rated_at), else_=meeting.c.rated_before_at),
        rated_at=case((bindparam("rated") == 1, bindparam("now")), else_=meeting.c.rated_at),
    )
)
_REVEAL = (
    update(entry_version)
    .where(
        entry_version.c.entry == bindparam("of_entry"),
        entry_version.c.no == bindparam("of_version"),
        entry_version.c.revealed_at.is_(None),
    )
    .values(revealed_at=bindparam("now"))
)
_DELETE_TICKET = delete(ticket).where(ticket.c.id == bindparam("of_ticket"))


class Interfered(Exception):
    """Somebody else changed a rating in between, which the locks should have prevented."""


@dataclass(frozen=True)
class Change:
    """What a match does to one side's rating."""

    before: Rating
    after: Rating
    is_rated: bool
    n: int
    """The number of the account's rated matches of the season before this one."""


@dataclass(frozen=True)
class Resolved:
    """A resolved match."""

    id: str
    number: int
    day: str
    scores: tuple[int, int]
    head: bytes
    changes: tuple[Change, Change]


@dataclass(frozen=True)
class _Setting:
    """What a resolution works with."""

    connection: Connection
    league: League
    season: Season
    planned: Planned
    now: int


def _nothing(step: str) -> None:
    """Do nothing between the steps of a resolution."""


def resolve(
    connection: Connection,
    arena: Arena,
    planned: Planned,
    now: int,
    *,
    player: MatchPlayer | None = None,
    notice: Callable[[str], None] = _nothing,
) -> Resolved | None:
    """Play, rate and store a match. None if it is not to be: a ticket is gone, or the day or the season is over.

    `notice` is called with the name of each step before it, so that tests can fail there.

    Raises:
        Interfered: a rating changed in between.
        FaultError: a battle hit a limit of the engine.
    """
    league = arena.league(planned.league)
    season = latest_season(connection, planned.league)
    if season is None or season.ended_at is not None or not season.fits(league):
        return None
    setting = _Setting(connection, league, season, planned, now)
    notice("lock ratings")
    before = _lock_ratings(setting)
    notice("check tickets")
    if not _are_matched(setting):
        return None
    notice("take number")
    taken = _take_number(setting, arena.box)
    if taken is None:
        return None
    number, previous, secret = taken
    inputs = _inputs(setting, number)
    seed = match_seed(secret, inputs)
    notice("play")
    rules = Rules(league, league.modifier_at(days.date_of(now)))
    combatants = planned.first.combatant, planned.second.combatant
    result = (player or match_player()).play(rules, *combatants, seed)
    changes = _changes(setting, before, result.scores)
    head = next_head(previous, inputs, result.digest)
    resolved = Resolved(random_id(), number, day_of(now), result.scores, head, changes)
    notice("insert match")
    _insert_match(setting, resolved, rules, seed, result)
    notice("update ratings")
    _update_ratings(setting, changes, result.scores)
    notice("note meeting")
    _note_meeting(setting, changes)
    notice("reveal versions")
    _reveal(setting)
    notice("settle tickets")
    _settle_tickets(setting)
    notice("append to streams")
    streams.append(connection, _told(setting, resolved), now)
    notice("move head")
    connection.execute(_HEAD, {"of_league": league.id, "of_day": resolved.day, "new_head": head})
    notice("end")
    return resolved


def _lock_ratings(setting: _Setting) -> dict[str, Any]:
    """The rating rows of the match's accounts, locked in the order of the accounts; bots have theirs too."""
    if not setting.league.is_ranked:
        return {}
    rows = {}
    for account in sorted({seat.account for seat in setting.planned.seats}):
        key = {"league": setting.league.id, "season": setting.season.no, "account": account}
        row = setting.connection.execute(_RATING, key).first()
        if row is None:
            insert_if_absent(
                setting.connection, rating, rating_row(setting.league.id, setting.season.no, account, Rating())
            )
            row = setting.connection.execute(_RATING, key).one()
        rows[account] = row
    return rows


def _are_matched(setting: _Setting) -> bool:
    """Whether the tickets of the match are still those that were matched."""
    for seat in setting.planned.seats:
        if seat.ticket is None:
            continue
        row = setting.connection.execute(_TICKET, {"ticket": seat.ticket}).first()
        if row is None or row.state != MATCHED or row.version != seat.version:
            return False
    return True


def _take_number(setting: _Setting, box: SecretBox) -> tuple[int, bytes, bytes] | None:
    """The match's number, the chain's head and the day's secret; None if the day is over, or not yet made."""
    league, day = setting.league.id, day_of(setting.now)
    row = setting.connection.execute(_NUMBER, {"of_league": league, "of_day": day}).first()
    return None if row is None else (row.last_no, bytes(row.head), box.open(bytes(row.secret_enc), league, day))


def _inputs(setting: _Setting, number: int) -> SeedInputs:
    first, second = setting.planned.seats
    digests, salts = (first.sealed_digest, second.sealed_digest), (first.salt, second.salt)
    return SeedInputs(setting.league.id, day_of(setting.now), number, digests, salts)


def _changes(setting: _Setting, rows: dict[str, Any], scores: tuple[int, int]) -> tuple[Change, Change]:
    """What the match does to both ratings. A bot's stays; it counts for others only while they are provisional."""
    if not rows:
        none = Change(Rating(), Rating(), False, 0)
        return none, none
    seats = setting.planned.seats
    before = [_before(seat, rows[seat.account]) for seat in seats]
    after = after_match(before[0], before[1], scores)
    has_operator = any(seat.role == OPERATOR for seat in seats)
    made = []
    for place, seat in enumerate(seats):
        rival = seats[1 - place]
        is_rated = seat.role != BOT and not has_operator and (rival.role != BOT or before[place].is_provisional)
        start = before[place] if is_rated else Rating.of_hex(rows[seat.account].mu, rows[seat.account].sigma)
        made.append(Change(start, after[place] if is_rated else start, is_rated, rows[seat.account].n))
    return made[0], made[1]


def _before(seat: Seat, row: Any) -> Rating:
    """A rating before the match; less is known about a version that has not fought before."""
    known = Rating.of_hex(row.mu, row.sigma)
    is_new = row.entry is not None and (row.entry, row.version) != (seat.entry, seat.version)
    return with_new_version(known) if is_new and seat.role != BOT else known


def _insert_match(setting: _Setting, resolved: Resolved, rules: Rules, seed: str, result: MatchResult) -> None:
    season, league = setting.season, setting.league
    values = {
        "id": resolved.id,
        "league": league.id,
        "season": season.no,
        "day": resolved.day,
        "no": resolved.number,
        "kind": RANKED if league.is_ranked else CASUAL,
        "seed": seed,
        "rules_version": season.rules_version,
        "fingerprint": season.fingerprint,
        "modifier": rules.modifier,
        "revision": season.revision,
        "legs": len(result.legs),
        "score_a": result.scores[0],
        "score_b": result.scores[1],
        "result_digest": result.digest,
        "chain": resolved.head,
        "played_at": setting.now,
    }
    setting.connection.execute(_INSERT_MATCH, values)
    sides = [
        side_row(resolved.id, place, league.id, season.no, seat, change if league.is_ranked else None)
        for place, (seat, change) in enumerate(zip(setting.planned.seats, resolved.changes, strict=True), 1)
    ]
    setting.connection.execute(_INSERT_SIDES, sides)
    setting.connection.execute(_INSERT_LEGS, leg_rows(resolved.id, result))


def side_row(match: str, place: int, league: str, season: int, seat: Seat, change: Change | None) -> dict[str, Any]:
    """The row of one side of a match."""
    mu0, sigma0 = change.before.as_hex() if change else (None, None)
    mu1, sigma1 = change.after.as_hex() if change else (None, None)
    is_rated = change is not None and change.is_rated
    return {
        "match": match,
        "place": place,
        "league": league,
        "season": season,
        "account": seat.account,
        "entry": seat.entry,
        "version": seat.version,
        "ticket_salt": seat.salt,
        "rated": int(is_rated),
        "n": change.n + 1 if change is not None and is_rated else None,
        "mu0": mu0,
        "sigma0": sigma0,
        "mu1": mu1,
        "sigma1": sigma1,
    }


def leg_rows(match: str, result: MatchResult) -> list[dict[str, Any]]:
    """The rows of a match's legs."""
    return [{"match": match, **vars(each)} for each in result.legs]


def _update_ratings(setting: _Setting, changes: tuple[Change, Change], scores: tuple[int, int]) -> None:
    for seat, change, own, other in zip(setting.planned.seats, changes, scores, scores[::-1], strict=True):
        if not change.is_rated:
            continue
        mu, sigma = change.after.as_hex()
        ended = outcome(own, other)
        values = {
            "of_league": setting.league.id,
            "of_season": setting.season.no,
            "of_account": seat.account,
            "old_n": change.n,
            "new_mu": mu,
            "new_sigma": sigma,
            "new_score": change.after.score,
            "new_n": change.n + 1,
            "new_entry": seat.entry,
            "new_version": seat.version,
            "won": int(ended == WIN),
            "drawn": int(ended == DRAW),
            "lost": int(ended == LOSS),
        }
        if setting.connection.execute(_RATE, values).rowcount != 1:
            raise Interfered(seat.account)


def _note_meeting(setting: _Setting, changes: tuple[Change, Change]) -> None:
    """Remember who met whom, for the pairings to come. A match counts as rated if it was for either."""
    accounts = [seat.account for seat in setting.planned.seats]
    for account, opponent in sorted(zip(accounts, accounts[::-1], strict=True)):
        values = {"league": setting.league.id, "account": account, "opponent": opponent, "at": setting.now}
        insert_if_absent(setting.connection, meeting, values)
        changed = {
            "of_league": setting.league.id,
            "of_account": account,
            "of_opponent": opponent,
            "now": setting.now,
            "rated": int(any(each.is_rated for each in changes)),
        }
        setting.connection.execute(_MET, changed)


def _reveal(setting: _Setting) -> None:
    """Reveal both versions, if the league reveals after a match."""
    if setting.league.file.reveal != "after_match":
        return
    for seat in setting.planned.seats:
        values = {"of_entry": seat.entry, "of_version": seat.version, "now": setting.now}
        setting.connection.execute(_REVEAL, values)


def _settle_tickets(setting: _Setting) -> None:
    """Delete the tickets that were for one match; let standing ones wait for their next match."""
    for seat in setting.planned.seats:
        if seat.ticket is None:
            continue
        if seat.kind == ONCE:
            setting.connection.execute(_DELETE_TICKET, {"of_ticket": seat.ticket})
            continue
        today, most = day_of(setting.now), setting.league.file.matches_per_day
        row = setting.connection.execute(
            select(ticket.c.day, ticket.c.day_matches).where(ticket.c.id == seat.ticket)
        ).one()
        count = (row.day_matches if row.day == today else 0) + 1
        wait = days.next_midnight(setting.now) if count >= most else setting.now + DAY // most
        values = {
            "state": STANDING,
            "since": setting.now,
            "due_at": wait,
            "day": today,
            "day_matches": count,
            "failures": 0,
            "lease_until": None,
        }
        setting.connection.execute(update(ticket).where(ticket.c.id == seat.ticket).values(**values))


def _told(setting: _Setting, resolved: Resolved) -> dict[str, list[tuple[str, dict[str, Any]]]]:
    """What both accounts hear of the match. Bots hear nothing."""
    told = {}
    for place, (seat, change) in enumerate(zip(setting.planned.seats, resolved.changes, strict=True)):
        own, other = resolved.scores[place], resolved.scores[1 - place]
        body: dict[str, Any] = {
            "match": resolved.id,
            "league": setting.league.id,
            "entry": seat.entry,
            "outcome": outcome(own, other),
            "score": [own, other],
        }
        if change.is_rated:
            body |= {"rating": change.after.shown, "change": change.after.shown - change.before.shown}
        if seat.role != BOT:
            told[seat.account] = [("match.resolved", body)]
    return told


def swapped(planned: Planned) -> Planned:
    """The same match with its places exchanged."""
    return replace(planned, first=planned.second, second=planned.first)
