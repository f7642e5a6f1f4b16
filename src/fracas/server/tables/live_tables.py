"""All tables of this process: they hear what was committed, play it, tell it, and keep the clocks of their home."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from fracas.server.database import documents
from fracas.server.http.context import Context
from fracas.server.http.problems import ApiProblem
from fracas.server.tables import catalogue, leftovers, quick_match, store
from fracas.server.tables.connection import GOING_AWAY, SIGNED_OUT, Connection
from fracas.server.tables.live_table import LiveTable, text_of, texts_for

log = logging.getLogger("fracas.server.tables")
Result = TypeVar("Result")

BEAT_SECONDS = 0.25
ALIVE_EVERY = 2_000
# Tables that are kept without anybody connected; others are played from their choices again when somebody asks.
MOST_IDLE = 256
# Idle ones are looked for after so many more.
LOOK_EVERY = 64
MOST_WATCHERS = 200
# How long watchers wait for the players to have been told.
TELLING_SECONDS = 2.0
# How often those who wait for a quick match are looked at again: their windows widen.
PAIRING_EVERY = 1_000
# Deadlines that are handled at the same time.
AT_ONCE = 16


class LiveTables:
    """The tables that somebody is connected to here, and those whose home this process is."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.here = context.pulse.name
        """What leases call this process."""
        self.per_address: Counter[str] = Counter()
        """Open sockets, by address."""
        self._loop = asyncio.get_running_loop()
        self._tables: OrderedDict[str, LiveTable] = OrderedDict()
        self._waking: set[str] = set()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._threads = ThreadPoolExecutor(2, "fracas table")
        self._bots = ThreadPoolExecutor(1, "fracas bot")
        self._noted = -ALIVE_EVERY
        self._paired = -PAIRING_EVERY
        self._warm = asyncio.Event()
        self._is_open = True

    @property
    def now(self) -> int:
        """The server's time in milliseconds."""
        return self.context.clock.now_ms()

    @property
    def sockets(self) -> int:
        """How many sockets are open."""
        return sum(len(table.connections) for table in self._tables.values())

    # -- starting and stopping ---------------------------------------------------------------------------------------

    async def start(self) -> None:
        """Give back the time of an outage, and take over the tables that no process keeps."""
        alone = self.context.database.is_sqlite

        def command(connection: Any) -> list[str]:
            now = self.now
            gap = store.give_back_outage(connection, now, alone=alone)
            if gap:
                log.info("gave back %.1f seconds to all clocks", gap / 1_000)
            closed = leftovers.close_without_seed(connection, now)
            if closed:
                log.info("closed %d tables of a backup", closed)
            store.note_alive(connection, self.here, now)
            return store.adopt(connection, self.here, now, alone=alone)

        for identifier in await self.context.writer.run(command):
            self.wake(identifier)

    def stop(self) -> None:
        """End all sockets; clients come back to the process that serves next."""
        for table in self._tables.values():
            for connection in table.connections:
                connection.close(GOING_AWAY)

    async def finish(self) -> None:
        """End all sockets, wait for what is under way, and end the threads."""
        self._is_open = False
        self.stop()
        for _ in range(100):
            if not self.per_address:
                break
            await asyncio.sleep(0.02)
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._threads.shutdown()
        self._bots.shutdown()

    def warm_up(self) -> None:
        """Compile what tables need, in the background; until then none is played. Then build what pages need.

        No stop waits for it, as one would for a thread of a pool: compiling takes as long as it takes.
        """
        if not self.context.preload:
            self._warm.set()
            return

        def work() -> None:
            try:
                catalogue.warm_up(self.context.settings.games)
            except Exception:
                log.exception("the games of tables")
            if not self._loop.is_closed():
                self._loop.call_soon_threadsafe(self._warm.set)
            try:
                catalogue.build_modules(self.context.settings.games)
            except Exception:
                log.exception("the modules of tables")

        threading.Thread(target=work, name="fracas tables", daemon=True).start()

    # -- notices -----------------------------------------------------------------------------------------------------

    def hear(self, notice: str) -> None:
        """Listen to notices, in any thread: `table:ID:VERSION` changed; the person of `token:ACCOUNT` signed out."""
        kind, _, subject = notice.partition(":")
        if kind in ("table", "token") and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.wake if kind == "table" else self._sign_out, subject)

    def wake(self, notice: str) -> None:
        """Look at a table soon, ID:VERSION, or ID if something beside its row changed; several wakings become one."""
        if notice in self._waking:
            return
        self._waking.add(notice)
        task = asyncio.create_task(self._look(notice))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _look(self, notice: str) -> None:
        identifier, _, version = notice.partition(":")
        try:
            table = await self.table(identifier)
            async with table.lock:
                self._waking.discard(notice)
                # Who stored a choice here has told it.
                if not version or table.stored.row.version < int(version):
                    await self._refresh(table)
        except ApiProblem as problem:
            log.info("table %s: %s", identifier, problem.detail)
        except Exception:
            log.exception("table %s", identifier)
        finally:
            self._waking.discard(notice)

    def _sign_out(self, account: str) -> None:
        for table in self._tables.values():
            for connection in table.connections:
                if connection.account == account:
                    connection.close(SIGNED_OUT)

    # -- tables ------------------------------------------------------------------------------------------------------

    async def table(self, identifier: str) -> LiveTable:
        """A table, from memory or from the database.

        Raises:
            ApiProblem: 404, there is none; 410, this server has other rules now.
        """
        known = self._tables.get(identifier)
        if known is not None:
            self._tables.move_to_end(identifier)
            return known

        def query(connection: Any) -> tuple[store.Stored, Any]:
            # Its choices are read by the first refresh.
            stored = store.load(connection, identifier, self.now, after=1 << 30)
            return stored, documents.get(connection, bytes(stored.row.document))

        stored, document = await self.context.readers.run(query)
        row = stored.row
        rules = row.game, row.rules_version, row.rules_hash
        game = await self._run(self._threads, catalogue.installed, *rules, self.context.settings.games)
        made = await self._run(self._threads, LiveTable, stored, document, game)
        table = self._tables.setdefault(identifier, made)
        self._forget_idle()
        return table

    def _forget_idle(self) -> None:
        if len(self._tables) % LOOK_EVERY:
            return
        idle = [name for name, table in self._tables.items() if not table.connections and not table.lock.locked()]
        for name in idle[: max(0, len(idle) - MOST_IDLE)]:
            del self._tables[name]

    async def refresh(self, table: LiveTable) -> None:
        """Bring a table to what is stored, and tell it."""
        async with table.lock:
            await self._refresh(table)

    async def _refresh(self, table: LiveTable) -> None:
        after = 0 if table.battle is None else table.battle.step - 1
        now = self.now
        work = partial(store.load, identifier=table.id, now=now, after=after)
        await self._take(table, await self.context.readers.run(work))
        if table.stored.row.home == self.here:
            await self._work(table)

    async def _take(self, table: LiveTable, stored: store.Stored) -> None:
        """Play what is stored, and tell it."""
        # A step of a battle takes a fraction of a millisecond, less than to wake a thread; a whole one takes forty.
        is_short = table.battle is not None and stored.row.step <= table.battle.step + 1
        played = table.advance(stored) if is_short else await self._run(self._threads, table.advance, stored)
        for connection in list(table.connections):
            # Who watched may have sat down.
            if connection.side is None and (side := stored.side_of(connection.account)) is not None:
                connection.side = side
                await self._note_presence(table, side, is_here=True)
        news = table.news(played, self.now)
        if table.connections:
            await self._tell(table, news)

    async def _tell(self, table: LiveTable, news: Callable[[int | None], list[Any]]) -> None:
        """Send to the players first, and to watchers once the players' sockets were handed it."""
        texts: dict[int | None, list[str]] = {}
        players = [each for each in table.connections if each.side is not None]
        watchers = [each for each in table.connections if each.side is None]
        for connection in players:
            connection.send_all(texts_for(news, texts, connection.side))
        if watchers and texts_for(news, texts, None):
            if players:
                await asyncio.wait([asyncio.ensure_future(each.flushed()) for each in players], timeout=TELLING_SECONDS)
            for connection in watchers:
                self._send(table, connection, texts[None])

    def _send(self, table: LiveTable, connection: Connection, texts: list[str]) -> None:
        """Send messages; to who watches a rated table later, and all of them equally late, so in the same order."""
        delay = table.delay(connection.side)
        if delay:
            self._loop.call_later(delay / 1_000, connection.send_all, texts)
        else:
            connection.send_all(texts)

    async def _work(self, table: LiveTable) -> None:
        """What the home does: find the end, store the proof, let bots choose. Each leads to the next look."""
        row, writer = table.stored.row, self.context.writer
        if row.state == store.OVER:
            if row.proof is None and row.commitment is not None:
                proof = await self._run(self._threads, table.proof)
                await writer.run(partial(store.keep_proof, identifier=table.id, proof=proof))
            return
        end = table.end()
        if end is not None:
            winner, reason, decided = end
            await writer.run(
                partial(
                    store.finish, identifier=table.id, winner=winner, reason=reason, now=self.now, decided=decided,
                    step=row.step,
                )
            )  # fmt: skip
            return
        for side in table.bots_due():
            action = await self._run(self._bots, table.bot_action, side)
            await self._choose(table, {side: action})

    async def _choose(self, table: LiveTable, actions: dict[int, int], *, missed: bool = False) -> store.Stored | None:
        work = partial(store.choose, table=table.stored, actions=actions, due=table.due, now=self.now, missed=missed)
        return await self.context.writer.run(work)

    async def choose(self, table: LiveTable, side: int, step: int, choice: str) -> bool:
        """Store somebody's choice and tell it; return False if it was known before.

        Raises:
            InputError: it is no choice now.
            ApiProblem: 409, the step is over or not yet there, or the choice is final.
        """
        async with table.lock:
            while (action := table.new_action(side, step, choice)) is not None:
                stored = await self._choose(table, {side: action})
                if stored is not None:
                    await self._take(table, stored)
                    if table.end() is not None or table.bots_due():
                        # Later: who chose does not wait for a bot.
                        self.wake(table.id)
                    return True
                # Another process changed it.
                await self._refresh(table)
            return False

    # -- clocks ------------------------------------------------------------------------------------------------------

    async def beat_loop(self) -> None:
        """Keep the clocks while the server runs."""
        while True:
            try:
                await self.beat()
            except Exception:
                log.exception("the clocks of tables")
            await asyncio.sleep(BEAT_SECONDS)

    async def beat(self) -> None:
        """Note that this process lives, take over what others left, and handle the deadlines that have passed."""
        now = self.now
        if now - self._noted >= ALIVE_EVERY:
            self._noted = now

            def command(connection: Any) -> list[str]:
                store.note_alive(connection, self.here, now)
                return store.adopt(connection, self.here, now, alone=False)

            for identifier in await self.context.writer.run(command):
                self.wake(identifier)
        if now - self._paired >= PAIRING_EVERY:
            self._paired = now
            for pool in await self.context.readers.run(quick_match.pools):
                await self.context.writer.run(partial(quick_match.pair_waiting, pool=pool, now=now), alone=True)
        due = await self.context.readers.run(partial(store.due_tables, home=self.here, now=now))
        for first in range(0, len(due), AT_ONCE):
            await asyncio.gather(*(self._expire(each) for each in due[first : first + AT_ONCE]))

    async def _expire(self, identifier: str) -> None:
        try:
            table = await self.table(identifier)
            async with table.lock:
                await self._refresh(table)
                row = table.stored.row
                if row.state == store.PLAYING:
                    if row.deadline is not None and row.deadline <= self.now - store.GRACE and table.end() is None:
                        actions = await self._run(self._threads, table.defaults)
                        await self._choose(table, actions, missed=True)
                elif row.state != store.OVER:
                    work = partial(store.expire_before_play, identifier=identifier, now=self.now)
                    await self.context.writer.run(work)
        except ApiProblem as problem:
            await self._close_unplayable(identifier, problem)
        except Exception:
            log.exception("the deadline of table %s", identifier)

    async def _close_unplayable(self, identifier: str, problem: ApiProblem) -> None:
        """End a table whose rules this server no longer has; nobody has won."""
        if problem.kind.name == "gone":
            work = partial(store.finish, identifier=identifier, winner=0, reason=store.CLOSED, now=self.now)
            await self.context.writer.run(work)

    # -- sockets -----------------------------------------------------------------------------------------------------

    async def enter(self, table: LiveTable, connection: Connection, last: int) -> bool:
        """Let a socket in and tell it the table; False if too many watch."""
        async with table.lock:
            await self._refresh(table)
            connection.side = table.stored.side_of(connection.account)
            if connection.side is None and sum(each.side is None for each in table.connections) >= MOST_WATCHERS:
                return False
            is_first = connection.side not in {each.side for each in table.connections}
            over = table.over()
            heard = self.now + table.delay(connection.side)
            told = [table.welcome(connection.side, heard, last), *([] if over is None else [over])]
            self._send(table, connection, [text_of(each) for each in told])
            table.connections.add(connection)
        if connection.side is not None and is_first:
            await self._note_presence(table, connection.side, is_here=True)
        return True

    async def depart(self, table: LiveTable, connection: Connection) -> None:
        """Let a socket go."""
        table.connections.discard(connection)
        side = connection.side
        # A process that stops lives no longer, and so nobody is connected to it.
        if self._is_open and side is not None and side not in {each.side for each in table.connections}:
            await self._note_presence(table, side, is_here=False)

    async def _note_presence(self, table: LiveTable, side: int, *, is_here: bool) -> None:
        work = partial(store.set_present, identifier=table.id, side=side, here=self.here, is_here=is_here)
        await self.context.writer.run(work)

    async def _run(self, pool: ThreadPoolExecutor, work: Callable[..., Result], *arguments: Any) -> Result:
        await self._warm.wait()
        return await self._loop.run_in_executor(pool, partial(work, *arguments))
