"""What the arena's routes answer: stored things as plain values, with links."""

from __future__ import annotations

from typing import Any

from fracas.server.arena.league import League
from fracas.server.arena.ratings import Rating
from fracas.server.arena.seasons.days import date_of
from fracas.server.arena.seasons.season import Season
from fracas.server.arena.service import Submitted, Ticket
from fracas.server.arena.store.entries import EntryView, VersionView
from fracas.server.arena.store.leaderboards import Row
from fracas.server.arena.store.matches import LegView, MatchView, SideView
from fracas.server.arena.store.people import Person
from fracas.server.clock import iso
from fracas.server.http.links import link, with_links
from fracas.server.http.problems import problem_json


def person_json(found: Person) -> dict[str, Any]:
    """An account as others see it."""
    return {"handle": found.handle, "name": found.name, "role": found.role}


def rating_json(rating: Rating) -> dict[str, Any]:
    """A rating: the shown number with its +-, and what is behind it."""
    return {
        "rating": rating.shown,
        "uncertainty": rating.doubt,
        "provisional": rating.is_provisional,
        "mu": rating.mu,
        "sigma": rating.sigma,
    }


def season_json(season: Season) -> dict[str, Any]:
    """A season with what it pins."""
    return {
        "number": season.no,
        "rules_version": season.rules_version,
        "fingerprint": season.fingerprint.hex(),
        "revision": season.revision.hex(),
        "rating_model": season.rating_model,
        "starts_at": iso(season.starts_at),
        "ends_at": iso(season.ends_at),
        "ended_at": None if season.ended_at is None else iso(season.ended_at),
    }


def league_json(league: League, season: Season | None, now: int) -> dict[str, Any]:
    """A league with its rules, this week's modifier and its season."""
    body = {
        **league.document,
        "note": league.file.note,
        "profile": league.profile,
        "modifier": league.modifier_at(date_of(now)),
        "modifier_rule": league.file.modifier,
        "revision": league.revision.hex(),
        "season": None if season is None else season_json(season),
        "open": season is not None and season.ended_at is None and season.fits(league),
    }
    places = ("schema", "head", "days", "seasons", "leaderboard", "bots")
    return with_links(
        body,
        self=link("leagues", league.id),
        **{name: link("leagues", league.id, name) for name in places},
        matches=link("matches", league=league.id),
    )


def row_json(row: Row) -> dict[str, Any]:
    """A row of a leaderboard."""
    body = {
        "rank": row.rank,
        "account": person_json(row.account),
        **rating_json(row.rating),
        "matches": row.matches,
        "wins": row.wins,
        "draws": row.draws,
        "losses": row.losses,
    }
    entry = None if row.entry is None else link("entries", row.entry)
    return with_links(body, profile=link("profiles", row.account.handle), entry=entry)


def entry_json(entry: EntryView) -> dict[str, Any]:
    """An entry without its documents."""
    body = {
        "id": entry.id,
        "account": person_json(entry.account),
        "league": entry.league,
        "code": entry.code,
        "title": entry.title,
        "ranked": entry.ranked,
        "versions": entry.versions,
        "state": entry.state,
        "open_to_challenges": entry.open_to_challenges,
        "created_at": iso(entry.created_at),
    }
    return with_links(
        body,
        self=link("entries", entry.id),
        versions=link("entries", entry.id, "versions"),
        league=link("leagues", entry.league),
        profile=link("profiles", entry.account.handle),
    )


def version_json(version: VersionView) -> dict[str, Any]:
    """A version of an entry; document, digest and salt are null while it is hidden from the reader."""
    body = {
        "version": version.no,
        "sealed_digest": version.sealed_digest.hex(),
        "created_at": iso(version.created_at),
        "revealed_at": None if version.revealed_at is None else iso(version.revealed_at),
        "document": version.document,
        "digest": None if version.digest is None else version.digest.hex(),
        "salt": None if version.salt is None else version.salt.hex(),
    }
    entry = link("entries", version.entry)
    return with_links(body, self=link("entries", version.entry, "versions", version.no), entry=entry)


def submitted_json(submitted: Submitted) -> dict[str, Any]:
    """An accepted version, with warnings."""
    body = {
        "entry": submitted.entry,
        "version": submitted.version,
        "code": submitted.code,
        "digest": submitted.digest.hex(),
        "sealed_digest": submitted.sealed_digest.hex(),
        "warnings": [problem_json(each) for each in submitted.warnings],
    }
    version = link("entries", submitted.entry, "versions", submitted.version)
    return with_links(body, entry=link("entries", submitted.entry), self=version, queue=link("tickets"))


def ticket_json(ticket: Ticket) -> dict[str, Any]:
    """A place in a queue."""
    body = {
        "id": ticket.id,
        "league": ticket.league,
        "entry": ticket.entry,
        "version": ticket.version,
        "kind": ticket.kind,
        "mode": ticket.mode,
        "salt": ticket.salt,
        "since": iso(ticket.since),
        "due_at": iso(ticket.due_at),
        "state": ticket.state,
        "sealed_digest": ticket.digest,
    }
    return with_links(body, self=link("tickets", ticket.id), entry=link("entries", ticket.entry))


def side_json(side: SideView) -> dict[str, Any]:
    """One side of a match."""
    return {
        "place": side.place,
        "account": person_json(side.account),
        "entry": side.entry,
        "title": side.title,
        "code": side.code,
        "version": side.version,
        "sealed_digest": side.sealed_digest.hex(),
        "revealed": side.is_revealed,
        "ticket_salt": side.salt.hex(),
        "score": side.score,
        "outcome": side.outcome,
        "rated": side.rated,
        "before": None if side.before is None else rating_json(side.before),
        "after": None if side.after is None else rating_json(side.after),
    }


def match_json(match: MatchView, legs: list[LegView] | None = None) -> dict[str, Any]:
    """A match; `chain` is the head of its league-day's chain after it."""
    body = {
        "id": match.id,
        "league": match.league,
        "season": match.season,
        "day": match.day,
        "number": match.number,
        "kind": match.kind,
        "seed": match.seed,
        "rules_version": match.rules_version,
        "fingerprint": match.fingerprint.hex(),
        "revision": match.revision.hex(),
        "modifier": match.modifier,
        "played_at": iso(match.played_at),
        "result_digest": match.result_digest.hex(),
        "chain": None if match.chain is None else match.chain.hex(),
        "sides": [side_json(side) for side in match.sides],
    }
    if legs is not None:
        body["legs"] = [
            with_links({**vars(leg), "digest": leg.digest.hex()}, self=link("matches", match.id, "legs", leg.no))
            for leg in legs
        ]
    return with_links(body, self=link("matches", match.id), league=link("leagues", match.league))
