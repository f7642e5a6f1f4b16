"""Queries of wars, as what everybody may see of them. What a guild named stays its own until the war starts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, and_, or_, select

from fracas.server.arena.match_player import LEG_POINTS
from fracas.server.arena.ratings import Rating, outcome
from fracas.server.arena.refusals import Missing
from fracas.server.arena.seasons.days import start_of_day
from fracas.server.arena.store.people import PERSON, Person, person
from fracas.server.arena.wars.pairing import bouts
from fracas.server.arena.wars.story import Meeting, running_points, told
from fracas.server.arena.wars.war import OVER, match_points
from fracas.server.clock import iso
from fracas.server.database.tables import account, entry, guild, match, war, war_entry, war_match
from fracas.server.http.answers import link, links, stored
from fracas.server_models import guilds as models


def wars_before(
    connection: Connection,
    limit: int,
    *,
    league: str | None = None,
    of_guild: str | None = None,
    before: tuple[str, str] | None = None,
) -> list[models.War]:
    """Wars and byes, the newest week first, or those behind a war's (week, id)."""
    query = select(war)
    if league is not None:
        query = query.where(war.c.league == league)
    if of_guild is not None:
        query = query.where((war.c.guild_a == of_guild) | (war.c.guild_b == of_guild))
    if before is not None:
        week, identifier = before
        query = query.where(or_(war.c.week < week, and_(war.c.week == week, war.c.id > identifier)))
    rows = connection.execute(query.order_by(war.c.week.desc(), war.c.id).limit(limit)).all()
    return _views(connection, rows)


def war_by_id(connection: Connection, identifier: str) -> models.War:
    """A war with its entries, its matches and its story.

    Raises:
        Missing: there is no such war.
    """
    row = connection.execute(select(war).where(war.c.id == identifier)).first()
    if row is None:
        raise Missing("war")
    (view,) = _views(connection, [row])
    if row.started_at is None:
        return view
    entries = _entries(connection, identifier)
    own = [entries.get(each.guild, []) for each in view.sides]
    matches = _matches(connection, identifier, len(own[0]), len(own[1]))
    won = [_won(matches, place) for place in (0, 1)]
    sides = [
        side.model_copy(update={"entries": [_entry(each, won[place].get(each.pos, 0)) for each in own[place]]})
        for place, side in enumerate(view.sides)
    ]
    people = [{each.pos: person(each).name for each in rows} for rows in own]
    meetings = [
        Meeting((people[0][each.positions[0]], people[1][each.positions[1]]), (each.points[0], each.points[1]))
        for each in matches
    ]
    story = told((sides[0].name, sides[1].name), meetings, len(own[0]) * len(own[1]))
    sentences = [models.WarSentence(text=each.text, match=each.match) for each in story]
    return view.model_copy(update={"sides": sides, "matches": matches, "story": sentences})


def _views(connection: Connection, rows: Sequence[Any]) -> list[models.War]:
    named = {each for row in rows for each in (row.guild_a, row.guild_b) if each is not None}
    known = connection.execute(select(guild.c.id, guild.c.name).where(guild.c.id.in_(named)))
    names = {each.id: each.name for each in known}
    scores = _scores(connection, [row.id for row in rows])
    return [_view(row, names, scores.get(row.id, [])) for row in rows]


def _scores(connection: Connection, wars: Iterable[str]) -> dict[str, list[int]]:
    """What each match that was fought was worth to the first guild of its war."""
    query = (
        select(war_match.c.war, match.c.score_a, match.c.score_b)
        .join(match, match.c.id == war_match.c.match)
        .where(war_match.c.war.in_(list(wars)))
    )
    found: dict[str, list[int]] = {}
    for row in connection.execute(query):
        found.setdefault(row.war, []).append(match_points(row.score_a, row.score_b))
    return found


def _view(row: Any, names: dict[str, str], scores: Sequence[int]) -> models.War:
    first = sum(scores)
    points = (first, LEG_POINTS * len(scores) - first)
    fighting = [(row.guild_a, row.mean_a, points), (row.guild_b, row.mean_b, points[::-1])]
    sides = [
        models.WarSide(
            guild=identifier,
            name=names[identifier],
            strength=Rating(float.fromhex(mean)).shown,
            points=None if row.started_at is None else own[0],
            outcome=outcome(*own) if row.state == OVER else None,
            links=links(guild=link("guilds", identifier)),
        )
        for identifier, mean, own in fighting
        if identifier is not None
    ]
    return models.War(
        **stored(models.War, row),
        starts_at=iso(row.started_at or start_of_day(row.week)),
        sides=sides,
        fought=len(scores),
        links=links(self=link("wars", row.id), league=link("leagues", row.league)),
    )


def _entries(connection: Connection, identifier: str) -> dict[str, list[Any]]:
    """The rows of what both guilds had locked, by their positions."""
    query = (
        select(war_entry, *PERSON, entry.c.title, entry.c.code)
        .join(account, account.c.id == war_entry.c.account)
        .join(entry, entry.c.id == war_entry.c.entry)
        .where(war_entry.c.war == identifier)
        .order_by(war_entry.c.pos)
    )
    found: dict[str, list[Any]] = {}
    for row in connection.execute(query):
        found.setdefault(row.guild, []).append(row)
    return found


def _entry(row: Any, points: int) -> models.WarEntry:
    whose: Person = person(row)
    return models.WarEntry(
        position=row.pos,
        account=whose,
        entry=row.entry,
        version=row.version,
        title=row.title,
        code=row.code,
        points=points,
    )


def _matches(connection: Connection, identifier: str, first: int, second: int) -> list[models.WarMatch]:
    """The matches of a war that are stored, in the order in which they are fought."""
    query = (
        select(war_match.c.a_pos, war_match.c.b_pos, war_match.c.match, match.c.score_a, match.c.score_b)
        .outerjoin(match, match.c.id == war_match.c.match)
        .where(war_match.c.war == identifier)
    )
    known = {(row.a_pos, row.b_pos): row for row in connection.execute(query)}
    rows = [(number, known[each]) for number, each in enumerate(bouts(first, second), 1) if each in known]
    worth = [_worth(row) for _, row in rows]
    after = running_points([Meeting(("", ""), each) for each in worth])
    return [
        models.WarMatch(
            number=number,
            positions=[row.a_pos, row.b_pos],
            points=list(points),
            after=list(so_far),
            score=None if row.match is None else [row.score_a, row.score_b],
            links=links(match=None if row.match is None else link("matches", row.match)),
        )
        for (number, row), points, so_far in zip(rows, worth, after, strict=True)
    ]


def _worth(row: Any) -> tuple[int, int]:
    if row.match is None:
        return 0, 0
    won = match_points(row.score_a, row.score_b)
    return won, LEG_POINTS - won


def _won(matches: Iterable[models.WarMatch], place: int) -> dict[int, int]:
    """The points of each position of a guild."""
    found: dict[int, int] = {}
    for each in matches:
        position = each.positions[place]
        found[position] = found.get(position, 0) + each.points[place]
    return found
