"""The arena while a server runs: its leagues, the matchmaker's loop, and the work that is due."""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from fracas.errors import InputError
from fracas.server.arena import bots, dues
from fracas.server.arena.bot_files import Bot
from fracas.server.arena.day_secrets import SecretError, check_secret_file
from fracas.server.arena.demo import Demo
from fracas.server.arena.domain import Arena, Planned
from fracas.server.arena.league import League, read_leagues
from fracas.server.arena.match_player import MatchPlayer, Rules
from fracas.server.arena.matches import matchmaker
from fracas.server.arena.matches.failures import FOLDER as FAILED
from fracas.server.arena.matches.failures import ids_of, is_operators_fault, keep_failure
from fracas.server.arena.matches.resolution import resolve
from fracas.server.arena.proofs.published import FOLDER as DAYS
from fracas.server.arena.proofs.published import stored_day
from fracas.server.arena.seasons import days
from fracas.server.arena.seasons import season as seasons
from fracas.server.arena.tournaments import service as tournaments
from fracas.server.arena.tournaments.loop import TournamentPlayer
from fracas.server.arena.wars import fighting, war
from fracas.server.database import schema
from fracas.server.database.engine import Database, database_url
from fracas.server.http.context import Context
from fracas.server.http.problems import ApiProblem
from fracas.server.settings import Settings

log = logging.getLogger("fracas.server.arena")

# By which name this room tells its troubles.
PART = "arena"
SECRET_FILE = "fracas.secret"
# Seconds between two tries to open the leagues.
RETRY = 5.0
# Seconds between two looks at all queues and at what is due. A ticket that arrives is looked at before that.
PAUSE = 1.0
# How many seconds a league makes matches at a time while others wait.
LONGEST_TURN = 1.0
# Seconds in which more tickets may arrive after one: pairs that are made together share their statements.
GATHERING = 0.01
# Matches that are resolved in one transaction, which takes about 25 ms: a request waits that long at most.
MOST_AT_ONCE = 32
# Battles that are played again at the same time, and requests that may wait for that.
MOST_PLAYED_AGAIN, MOST_WAITING = 4, 32

Result = TypeVar("Result")


class RunningArena:
    """The arena of a server."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self._arena: Arena | None = None
        self._opening = asyncio.Lock()
        self._players: dict[str, MatchPlayer] = {}
        self._bots: dict[str, list[Bot]] = {}
        self._slots = asyncio.Semaphore(MOST_PLAYED_AGAIN)
        self._waiting = 0
        self._entered: set[str] = set()
        self._woken = asyncio.Event()
        self._held_up: Exception | None = None
        """What kept the last look from making matches."""
        self._tournaments = TournamentPlayer(context.clock, context.writer, context.readers, self._keep_failure)

    async def ready(self) -> Arena:
        """The leagues, which are loaded when they are first needed.

        Raises:
            InputError: a league file, the bots or the secret file are not valid.
        """
        async with self._opening:
            if self._arena is None:
                settings, database = self.context.settings, self.context.database
                arena = await asyncio.to_thread(read_arena, settings, database)
                opened = partial(open_arena, arena=arena, now=self.now, migrates=database.is_sqlite)
                await self.context.writer.run(opened, alone=True)
                self._arena = arena
                for name in arena.leagues:
                    # From zero on: an alert about nothing played needs a figure.
                    self.context.metrics.matches.labels(name)
            return self._arena

    @property
    def now(self) -> int:
        """The time in milliseconds UTC."""
        return self.context.clock.now_ms()

    def bots_of(self, league: League) -> list[Bot]:
        """The authored bots of a league; they are checked once, when they are first asked for."""
        if league.id not in self._bots:
            self._bots[league.id] = bots.read_bots(league)
        return self._bots[league.id]

    async def play_again(self, work: Callable[[], Result]) -> Result:
        """Run something that plays a stored battle in a thread.

        Raises:
            ApiProblem: 503, too many wait already.
        """
        if self._waiting >= MOST_WAITING:
            raise ApiProblem("unavailable", "Too many battles are being played.", headers={"Retry-After": "1"})
        self._waiting += 1
        try:
            async with self._slots:
                return await asyncio.to_thread(work)
        finally:
            self._waiting -= 1

    async def loop(self) -> None:
        """Open the leagues, fill an empty database if asked to, then make matches until cancelled."""
        await asyncio.to_thread(self.context.rules_loaded.wait)
        # An operator may put the right secret file there while the server waits.
        while (arena := await self._opened()) is None:
            await asyncio.sleep(RETRY)
        if self.context.settings.demo:
            await self._safely(Demo(self.context, arena, self.now).fill(), "the demo failed; the arena goes on")
        while True:
            next_look = asyncio.get_running_loop().time() + PAUSE
            await self.look()
            while (left := next_look - asyncio.get_running_loop().time()) > 0:
                try:
                    await asyncio.wait_for(self._woken.wait(), left)
                except TimeoutError:
                    break
                await asyncio.sleep(GATHERING)
                entered, self._entered = self._entered, set()
                self._woken.clear()
                for name in sorted(entered):
                    await self._safely(self._match(arena, arena.league(name), fresh_only=True))

    async def _opened(self) -> Arena | None:
        """The leagues; None if they cannot be opened, which /readyz then tells."""
        try:
            arena = await self.ready()
        except Exception as error:
            self._tell(_sentence(error), error)
            return None
        self._tell(None)
        return arena

    async def look(self) -> None:
        """Do what is due and make matches; what keeps the matchmaker from it is told by /readyz until it is mended."""
        self._held_up = None
        try:
            await self.tick()
        except Exception as error:
            self._held_up = error
        self._tell(None if self._held_up is None else _sentence(self._held_up), self._held_up)

    def _tell(self, trouble: str | None, error: Exception | None = None) -> None:
        """Note what keeps the arena from its work; the log has it once, and not at each try."""
        if trouble is None:
            self.context.troubles.pop(PART, None)
        elif self.context.troubles.get(PART) != trouble:
            self.context.troubles[PART] = trouble
            log.error(trouble, exc_info=error)

    async def _safely(self, work: Awaitable[int], failure: str = "the matchmaker failed and goes on") -> None:
        try:
            await work
        except Exception:
            log.exception(failure)

    def tickets_entered(self, leagues: Iterable[str]) -> None:
        """Have the queues of leagues looked at soon, because tickets were stored there.

        Only those who find somebody new are paired then. Bots and repeated opponents wait for the next look at all.
        """
        self._entered.update(leagues)
        if self._entered:
            self._woken.set()

    async def tick(self) -> int:
        """Do what is due, and make matches until no ticket can be paired; returns how many were made."""
        arena = await self.ready()
        # Before any ticket is taken: another process, or a restored backup, may have locked the days anew.
        await self.context.readers.run(partial(days.check_secrets, box=arena.box))
        await self._do_due_work(arena)
        await self._safely(self._fight_wars(), "wars cannot be fought on; everything else goes on")
        made = 0
        for league in arena.leagues.values():
            made += await self._match(arena, league)
        return made + await self._play_tournaments(arena)

    async def _play_tournaments(self, arena: Arena) -> int:
        try:
            made = await self._tournaments.play(arena)
        except Exception as error:
            if not is_operators_fault(error):
                raise
            self._held_up = error
            return 0
        for league, count in made.items():
            self.context.metrics.matches.labels(league).inc(count)
        return sum(made.values())

    async def _do_due_work(self, arena: Arena) -> None:
        """Do what is due, the oldest first, each in a transaction of its own: a server may be killed in between."""
        now = self.now
        while work := await self.context.writer.run(partial(dues.do_next, arena=arena, now=now), alone=True):
            if work.kind == days.PUBLISH:
                storing = self._store_days(arena, work.subject, now)
                await self._safely(storing, "files of published days could not be stored")

    async def _store_days(self, arena: Arena, league: str, now: int) -> int:
        """Assemble the files of days that were just published, before anybody asks for them; return how many."""
        folder = private_folder(self.context.settings, self.context.database) / DAYS
        published = await self.context.readers.run(partial(days.published_at, league=league, now=now))
        for day in published:
            await self.context.readers.run(partial(stored_day, arena=arena, folder=folder, league=league, day=day))
        return len(published)

    async def _fight_wars(self) -> int:
        """Fight matches of the wars that run; return how many. Whatever is left waits for the next look."""
        made, ends = 0, time.perf_counter() + LONGEST_TURN
        while time.perf_counter() < ends:
            front = await self.context.readers.run(partial(fighting.next_front, most=MOST_AT_ONCE))
            if front is None:
                break
            player = self._players.setdefault(front.league.id, MatchPlayer())
            fought = await asyncio.to_thread(fighting.fight, front, player)
            reveals = not front.league.hides_entries
            store = partial(war.store, war_id=front.war, fought=fought, reveals=reveals, now=self.now)
            count = await self.context.writer.run(store, alone=True)
            self.context.metrics.matches.labels(front.league.id).inc(count)
            made += count
        return made

    async def _match(self, arena: Arena, league: League, *, fresh_only: bool = False) -> int:
        made = 0
        player = self._players.setdefault(league.id, MatchPlayer())
        ends = time.perf_counter() + LONGEST_TURN
        while True:
            claim = partial(matchmaker.claim, arena=arena, league=league, now=self.now, fresh_only=fresh_only)
            planned = await self.context.writer.run(claim, alone=True)
            found = 0
            for start in range(0, len(planned), MOST_AT_ONCE):
                batch = planned[start : start + MOST_AT_ONCE]
                found += await self._prepare_and_resolve(arena, league, batch, player)
            made += found
            # What could not be resolved waits again: for the next look, not for this one.
            if not found:
                return made
            if time.perf_counter() > ends:
                # Other leagues and what is due have their turn before this one goes on.
                self.tickets_entered([league.id])
                return made

    async def _prepare_and_resolve(
        self, arena: Arena, league: League, batch: Sequence[Planned], player: MatchPlayer
    ) -> int:
        """Compile the battles of some pairs outside any transaction, then resolve them.

        Returns:
            How many matches were made.
        """
        now = self.now
        failures = await asyncio.to_thread(_prepare, league, batch, player, now)
        for planned, error in failures:
            await self._give_up(arena, planned, error, now)
        failed = {id(planned) for planned, _ in failures}
        made = await self._resolve(arena, [each for each in batch if id(each) not in failed], player, now)
        self.context.metrics.matches.labels(league.id).inc(made)
        return made

    async def _resolve(self, arena: Arena, matches: Sequence[Planned], player: MatchPlayer, now: int) -> int:
        """Play, rate and store matches in one transaction; return how many were made."""
        work = partial(resolve, arena=arena, matches=matches, now=now, player=player)
        try:
            found = await self.context.writer.run(work, alone=True)
        except Exception as error:
            if is_operators_fault(error):
                await self._put_back(matches, error)
                return 0
            if len(matches) > 1:
                # One of them failed and took the others back: each alone, so that only that one fails.
                return sum([await self._resolve(arena, [each], player, now) for each in matches])
            await self._give_up(arena, matches[0], error, now)
            return 0
        left = [planned for planned, resolved in zip(matches, found, strict=True) if resolved is None]
        if left:
            await self.context.writer.run(partial(matchmaker.release, matches=left))
        return len(found) - len(left)

    async def _put_back(self, matches: Sequence[Planned], error: Exception) -> None:
        """Let tickets wait again as if they had not been tried: what failed is the operator's to mend."""
        self._held_up = error
        # If not even this can be written, their lease ends by itself.
        with suppress(SQLAlchemyError):
            await self.context.writer.run(partial(matchmaker.release, matches=matches))

    async def _give_up(self, arena: Arena, planned: Planned, error: Exception, now: int) -> None:
        if is_operators_fault(error):
            await self._put_back([planned], error)
            return
        parked = await self.context.writer.run(partial(matchmaker.give_up, planned=planned, now=now))
        if not parked:
            return
        said: dict[str, Any] = {"league": planned.league, "entries": ids_of(planned)}
        said["file"] = await self._keep_failure(arena, planned, error, now)
        log.error(
            "a match failed %d times and its tickets are parked: %s; the file has its entries and the reason",
            matchmaker.MOST_FAILURES,
            type(error).__name__,
            extra=said,
        )

    async def _keep_failure(self, arena: Arena, planned: Planned, error: Exception, now: int) -> str:
        """Write a match that failed to a file; return its name, or why it could not be written."""
        folder = private_folder(self.context.settings, self.context.database) / FAILED
        try:
            return str(await asyncio.to_thread(keep_failure, folder, arena, planned, error, now))
        except InputError as problem:
            return str(problem)


def _sentence(error: BaseException) -> str:
    """What keeps the arena from its work, for everybody; the log has more."""
    if isinstance(error, SecretError):
        return "the secret file does not open the secrets of the league-days"
    if is_operators_fault(error):
        return f"no match can be made ({type(error).__name__})"
    return f"the matchmaker fails ({type(error).__name__})"


def _prepare(
    league: League, batch: Sequence[Planned], player: MatchPlayer, now: int
) -> list[tuple[Planned, Exception]]:
    """Compile the battles of pairs; return those that cannot fight."""
    failures = []
    for planned in batch:
        try:
            player.ready(Rules.at(league, now), planned.first.combatant, planned.second.combatant)
        except Exception as error:
            failures.append((planned, error))
    return failures


def check_settings(settings: Settings) -> None:
    """Check, before a server starts, the league files of a folder, and that there is or can be a secret file.

    Raises:
        InputError: everything that is wrong with them.
    """
    if settings.leagues:
        read_leagues(Path(settings.leagues), settings.games)
    file = _database_file(settings)
    if file is not None and not os.access(folder := file.parent, os.W_OK):
        message = f"cannot write to the folder {folder}" if folder.is_dir() else f"there is no folder {folder}"
        raise InputError.of("--database", message, "make it, or choose another file")
    check_secret_setting(settings)


def check_secret_setting(settings: Settings) -> None:
    """Check that the secret file of the settings can be used or made, before a database is opened.

    Raises:
        InputError: it cannot.
    """
    check_secret_file(secret_file(settings.secret_file, _database_file(settings)))


def _database_file(settings: Settings) -> Path | None:
    """The SQLite file that the settings name; None for PostgreSQL."""
    url = database_url(settings.database)
    return Path(str(url.database)) if url.get_backend_name() == "sqlite" else None


def check_secrets(settings: Settings, database: Database) -> None:
    """Check, before a server starts, that the secret file opens the secrets of the database; make it if that is new.

    Raises:
        InputError: a league file or the secret file is not valid.
    """
    with database.reading.connect() as connection:
        # On an older schema the server waits for `fracas server migrate`, and looks then.
        if schema.problem(connection) is None:
            days.open_box(connection, secret_file(settings.secret_file, database.file))


def read_arena(settings: Settings, database: Database) -> Arena:
    """The leagues and the secret file that the settings name. For a database without a league-day the file is made.

    Raises:
        InputError: they are not valid, or the file is another database's.
    """
    leagues = read_leagues(Path(settings.leagues) if settings.leagues else None, settings.games)
    with database.reading.connect() as connection:
        box = days.open_box(connection, secret_file(settings.secret_file, database.file))
    return Arena(leagues, box)


def secret_file(setting: str, database: Path | None) -> Path:
    """The secret file of a setting, or the default: beside the SQLite file, else in the working folder."""
    if setting:
        return Path(setting)
    return (database.parent if database is not None else Path()) / SECRET_FILE


def private_folder(settings: Settings, database: Database) -> Path:
    """The folder for what only the server's user may read: that of the secret file."""
    return secret_file(settings.secret_file, database.file).parent


def open_arena(connection: Connection, arena: Arena, now: int, *, migrates: bool = False) -> None:
    """Open the seasons and days of all leagues, and install their bots, as far as they are missing.

    With `migrates`, a season that pins other rules than this program's ends, and the next one begins; but not while a
    tournament or a war runs in it, which `fracas server migrate --abandon` ends.
    """
    for league in arena.leagues.values():
        season = seasons.open_league(connection, arena, league, now)
        runs = tournaments.running_in(connection, league.id) or war.running_in(connection, league.id)
        if migrates and not season.fits(league) and not runs:
            seasons.migrate_season(connection, arena, league, now)
            season = seasons.open_league(connection, arena, league, now)
        if season.fits(league):
            bots.install_bots(connection, arena, league, now)
        dues.plan(connection, league, now)
    # Of two processes that open a new database with a file each, the second one finds the first one's days here.
    days.check_secrets(connection, arena.box)
