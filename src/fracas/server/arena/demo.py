"""Fill an empty database with accounts, guilds, and weeks of matches and wars, so that a newcomer sees a living place.

The server is ready meanwhile: the matches of the past weeks appear one after another, oldest first.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from typing import Any

from blake3 import blake3
from sqlalchemy import Connection, select, update

from fracas.errors import InputError
from fracas.server.accounts import store
from fracas.server.arena import bots, service
from fracas.server.arena.domain import STANDING, Arena
from fracas.server.arena.entries import check_entry
from fracas.server.arena.guilds import service as guild_service
from fracas.server.arena.league import League
from fracas.server.arena.match_player import MatchPlayer
from fracas.server.arena.matches import matchmaker
from fracas.server.arena.matches.resolution import resolve
from fracas.server.arena.seasons import days
from fracas.server.arena.tournaments import service as tournaments
from fracas.server.arena.tournaments.pairing import FEWEST, SWISS
from fracas.server.arena.tournaments.service import Plan
from fracas.server.arena.wars import fighting, war
from fracas.server.clock import DAY, HOUR, MINUTE, WEEK, day_of, monday_of
from fracas.server.database import due
from fracas.server.database.tables import account, entry, guild, guild_member, league_day, season, ticket
from fracas.server.database.tables import match as match_table
from fracas.server.http.authorisation import Role
from fracas.server.http.context import Context

log = logging.getLogger("fracas.server.arena")

# How far back the first match lies, and how many rounds of matches each league has per day.
DAYS = 21
ROUNDS = 2
# No made-up account waits here: two visitors who enter at once would meet it and not each other.
LEFT_TO_VISITORS = ("squads",)
# The league of the made-up guilds, and how many of the accounts each has.
OF_GUILDS = "squads"
GUILDS = {"The Lanterns": 4, "Night Foxes": 3, "Iron Kettle": 3}
# The kind of due work: the tournament of a week, whose rounds are some minutes apart.
CUP, PAUSE_MINUTES = "demo-cup", 5
NAMES = ("ada", "bram", "cleo", "dario", "edda", "finn", "greta", "hugo", "irma", "jonas")


@dataclass(frozen=True)
class Player:
    """A made-up account with its entry in a league."""

    account: str
    entry: str


class Demo:
    """Fills one database."""

    def __init__(self, context: Context, arena: Arena, now: int) -> None:
        self.context = context
        self.arena = arena
        self.start = days.start_of_day(day_of(now - DAYS * DAY))

    async def fill(self) -> int:
        """Fill the database, unless it was filled or is in use; returns the number of matches made.

        Goes on where a killed server stopped: a day of a league is one transaction, and its row says that it was done.
        """
        if await self.context.readers.run(is_over):
            return 0
        players = {
            league.id: await self.context.writer.run(
                partial(add_players, arena=self.arena, league=league, now=self.start), alone=True
            )
            for league in self.arena.leagues.values()
        }
        if OF_GUILDS in players:
            guilds = partial(add_guilds, arena=self.arena, players=players[OF_GUILDS], now=self.start)
            await self.context.writer.run(guilds, alone=True)
        made = 0
        fighters = MatchPlayer()
        for number in range(DAYS):
            for league in self.arena.leagues.values():
                step = partial(
                    fight_a_day,
                    arena=self.arena,
                    league=league,
                    players=players[league.id],
                    now=self.start + number * DAY,
                    player=fighters,
                )
                made += await self.context.writer.run(step, alone=True)
            wars = partial(fight_wars, arena=self.arena, now=self.start + number * DAY, player=fighters)
            made += await self.context.writer.run(wars, alone=True)
        waiting = [each for league in players if league not in LEFT_TO_VISITORS for each in players[league]]
        now = self.context.clock.now_ms()
        await self.context.writer.run(partial(stand_by, arena=self.arena, players=waiting, now=now), alone=True)
        log.info("the demo is complete: %s matches", made)
        return made


def is_over(connection: Connection) -> bool:
    """Whether the demo was filled to its end, which is when its accounts stand by, or the database is somebody's."""
    made_up = account.c.handle_key.in_(_handle(name) for name in NAMES) & account.c.password_hash.is_(None)
    if connection.execute(select(account.c.id).where(made_up)).first() is None:
        return connection.execute(select(match_table.c.id).limit(1)).first() is not None
    standing = select(ticket.c.id).join(account, account.c.id == ticket.c.account).where(made_up)
    return connection.execute(standing.where(ticket.c.kind == STANDING)).first() is not None


def add_players(connection: Connection, arena: Arena, league: League, now: int) -> list[Player]:
    """Add the made-up accounts of a league, whose season began with the first day; entries vary those of the bots."""
    running = (season.c.league == league.id) & season.c.ended_at.is_(None) & (season.c.starts_at > now)
    connection.execute(update(season).where(running).values(starts_at=now))
    found = []
    for number, name in enumerate(NAMES):
        document = _variant(league, number)
        if document is None:
            continue
        owner = _account(connection, name, now)
        known = select(entry.c.id).where(entry.c.account == owner, entry.c.league == league.id)
        identifier = connection.execute(known).scalar_one_or_none()
        if identifier is None:
            title = f"{name.title()}'s entry"
            submitted = service.submit_entry(
                connection, arena, owner, league.id, title, document, now, ranked=league.is_ranked
            )
            identifier = submitted.entry
        found.append(Player(owner, identifier))
    return found


def _account(connection: Connection, name: str, now: int) -> str:
    """The account of a name. Nobody can sign in to it: it has no password."""
    known = store.by_handle(connection, _handle(name))
    made = store.create(connection, _handle(name), None, now, display_name=name.title()) if known is None else known.id
    assert made is not None
    return made


def _handle(name: str) -> str:
    return f"demo-{name}"


def _variant(league: League, number: int) -> dict[str, Any] | None:
    """An entry of its own: a bot's, with one piece exchanged for another that the league allows."""
    authored = bots.read_bots(league)
    names = list(league.kind.known(league.library))
    if not authored:
        return None
    document = authored[number % len(authored)].entry
    pieces = [each.path for each in league.kind.pieces(league.kind.model.model_validate(document))]
    for attempt in range(20):
        other = names[_number(league.id, number, attempt) % len(names)]
        changed = _with_piece(document, pieces[attempt % len(pieces)], other)
        try:
            check_entry(league, changed)
        except InputError:
            continue
        return changed
    return document


def _with_piece(document: dict[str, Any], path: str, other: str) -> dict[str, Any]:
    """An entry with another piece at a path, such as `units.0`."""
    changed = deepcopy(document)
    table: Any = changed
    *above, last = (int(part) if part.isdecimal() else part for part in path.split("."))
    for part in above:
        table = table[part]
    table[last] = other
    return changed


def _number(*address: object) -> int:
    return int.from_bytes(blake3(repr(address).encode()).digest()[:8], "little")


def fight_a_day(
    connection: Connection, arena: Arena, league: League, players: Sequence[Player], now: int, player: MatchPlayer
) -> int:
    """Let the players of a league fight on one day of the past, and publish the day; returns the number of matches.

    A day that is there already has been fought.
    """
    day = day_of(now)
    there = select(league_day.c.day).where(days.is_day(league.id, day))
    if connection.execute(there).first() is not None:
        return 0
    days.add_day(connection, arena, league.id, day)
    made = 0
    for round_ in range(ROUNDS):
        at = now + (8 + 6 * round_) * HOUR
        for each in players:
            service.enter_queue(connection, arena, each.account, each.entry, at)
        # They have waited long enough to meet anybody by then.
        at += HOUR
        planned = matchmaker.claim(connection, arena, league, at)
        made += sum(each is not None for each in resolve(connection, arena, planned, at, player=player))
        for each in players:
            for own in service.own_tickets(connection, each.account):
                service.leave_queue(connection, each.account, own.id)
    days.publish_past(connection, arena, league.id, now)
    return made


def add_guilds(connection: Connection, arena: Arena, players: Sequence[Player], now: int) -> None:
    """Let players found guilds and name their entries; the first war begins in their second week."""
    left = list(players)
    for name, size in GUILDS.items():
        members, left = left[:size], left[size:]
        known = select(guild_member.c.guild).where(guild_member.c.account.in_([each.account for each in members]))
        if not members or connection.execute(known).first() is not None:
            continue
        made = guild_service.found_guild(connection, arena, members[0].account, name, OF_GUILDS, now)
        code = connection.execute(select(guild.c.code).where(guild.c.id == made)).scalar_one()
        for number, each in enumerate(members):
            guild_service.join_guild(connection, each.account, code, now + number)
            guild_service.name_entry(connection, each.account, made, each.entry)
    due.schedule(connection, war.LOCK, OF_GUILDS, monday_of(now) + WEEK - war.LOCKED_FOR)


def fight_wars(connection: Connection, arena: Arena, now: int, player: MatchPlayer) -> int:
    """Lock, start and fight the guild wars of a day of the past; returns the number of matches."""
    made, steps = 0, {war.LOCK: war.lock, war.START: war.start}
    for at in (now, now + DAY - war.LOCKED_FOR):
        while work := due.take(connection, steps, at):
            steps[work.kind](connection, work.subject, work.at, arena=arena, now=at)
        while (front := fighting.next_front(connection, war.MOST_NAMED**2)) is not None:
            fought = fighting.fight(front, player)
            reveals = not front.league.hides_entries
            made += war.store(connection, front.war, fought, reveals=reveals, now=at)
    return made


def stand_by(connection: Connection, arena: Arena, players: Sequence[Player], now: int) -> None:
    """Let the players of a league fight on by themselves, as standing entries and in a tournament each week."""
    for each in players:
        service.enter_queue(connection, arena, each.account, each.entry, now, kind=STANDING)
    ranked = [league.id for league in arena.leagues.values() if league.is_ranked]
    for league in ranked[:1]:
        due.schedule(connection, CUP, league, now)


def hold_cup(connection: Connection, league: str, at: int, *, arena: Arena, now: int) -> None:
    """Make this week's tournament of a league, which visitors can enter for an hour, and note that of the next week."""
    due.schedule(connection, CUP, league, at + WEEK)
    made_up = select(entry.c.id, entry.c.account).join(account, account.c.id == entry.c.account)
    is_made_up = account.c.handle_key.in_(_handle(name) for name in NAMES) & account.c.password_hash.is_(None)
    own = (entry.c.league == league) & (entry.c.state == "active") & entry.c["class"].is_(None)
    players = connection.execute(made_up.where(is_made_up, own).order_by(entry.c.id)).all()
    if league not in arena.leagues or len(players) < FEWEST:
        return
    starts_at = max(at + HOUR, now + MINUTE)
    plan = Plan(f"Cup of {day_of(at)}", league, SWISS, starts_at=starts_at, pause_minutes=PAUSE_MINUTES)
    cup = tournaments.make(connection, arena, players[0].account, Role.PLAYER, plan, now)
    for each in players:
        tournaments.enter(connection, arena, each.account, cup, each.id, now)
