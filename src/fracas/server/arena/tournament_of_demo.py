"""The tournament that the demo's accounts hold each week."""

from __future__ import annotations

from sqlalchemy import Connection, select

from fracas.server.arena.domain import Arena
from fracas.server.arena.tournaments import service as tournaments
from fracas.server.arena.tournaments.pairing import FEWEST, SWISS
from fracas.server.arena.tournaments.service import Plan
from fracas.server.clock import HOUR, MINUTE, WEEK, day_of
from fracas.server.database import due
from fracas.server.database.tables import account, entry
from fracas.server.http.authorisation import Role

# The kind of due work. Rounds are some minutes apart.
CUP, PAUSE_MINUTES = "demo-cup", 5
NAMES = ("ada", "bram", "cleo", "dario", "edda", "finn", "greta", "hugo", "irma", "jonas")


def handle_of(name: str) -> str:
    """The handle of a made-up account."""
    return f"demo-{name}"


def hold(connection: Connection, league: str, at: int, *, arena: Arena, now: int) -> None:
    """Make this week's tournament of a league, which visitors can enter for an hour, and note that of the next week."""
    due.schedule(connection, CUP, league, at + WEEK)
    made_up = select(entry.c.id, entry.c.account).join(account, account.c.id == entry.c.account)
    is_made_up = account.c.handle_key.in_(handle_of(name) for name in NAMES) & account.c.password_hash.is_(None)
    own = (entry.c.league == league) & (entry.c.state == "active") & entry.c["class"].is_(None)
    players = connection.execute(made_up.where(is_made_up, own).order_by(entry.c.id)).all()
    if league not in arena.leagues or len(players) < FEWEST:
        return
    starts_at = max(at + HOUR, now + MINUTE)
    plan = Plan(f"Cup of {day_of(at)}", league, SWISS, starts_at=starts_at, pause_minutes=PAUSE_MINUTES)
    cup = tournaments.make(connection, arena, players[0].account, Role.PLAYER, plan, now)
    for each in players:
        tournaments.enter(connection, arena, each.account, cup, each.id, now)
