"""What a worker does: it takes an order and a range of battles, and answers with what they came to.

Runs in the threads of a worker's process. Kernels play without the interpreter's lock, so a worker may have a thread
for each core. Answers are bytes, refusals too, so that nothing but plain data comes back.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue

from blake3 import blake3
from distributed import get_worker

from fracas.cluster.tasks import DONE, FAULTY, read_order, refusal
from fracas.engine.player import Player, make_player
from fracas.errors import FaultError, InputError
from fracas.lab.execution.chunk import Wanted, packed, played
from fracas.lab.execution.chunk_size import pace
from fracas.lab.simulation.simulate import MOST_BATTLES

MOST_JOBS = 8


@dataclass
class Job:
    """An order that is ready to be played, and players for as many threads as have asked for one."""

    player: Player
    wanted: Wanted
    idle: SimpleQueue[Player] = field(default_factory=SimpleQueue)

    def take(self) -> Player:
        """A player that nobody else has."""
        try:
            return self.idle.get_nowait()
        except Empty:
            return self.player.twin()


_jobs: OrderedDict[bytes, Job] = OrderedDict()
_lock = threading.Lock()


def prepare(order: bytes) -> bytes:
    """Get ready for an order: check that the rules are the same, compile them. Answers with the pace of one thread."""
    return _answer(order, lambda job, player: str(pace(player, range(job.wanted.start, MOST_BATTLES))).encode())


def play(order: bytes, first: int, stop: int) -> bytes:
    """Play a range of an order's battles."""
    return _answer(order, lambda job, player: packed(played(player, range(first, stop), job.wanted)))


def _answer(order: bytes, work: Callable[[Job, Player], bytes]) -> bytes:
    try:
        job = _job(order)
        player = job.take()
        try:
            return DONE + work(job, player)
        finally:
            job.idle.put(player)
    except InputError as error:
        return refusal(error.problems)
    except FaultError as error:
        return FAULTY + str(error).encode()


def _job(content: bytes) -> Job:
    """The job of an order; made by the first thread that asks for it."""
    key = blake3(content).digest()
    with _lock:
        if key not in _jobs:
            order, scenario = read_order(content, str(get_worker().address))
            player = make_player(scenario, logged=False, battles=MOST_BATTLES)
            measures = scenario.ruleset.measures(scenario.compiled, scenario.document)
            _jobs[key] = Job(player, Wanted(measures, rows=order.rows, looks=order.looks, start=order.start))
            if len(_jobs) > MOST_JOBS:
                _jobs.popitem(last=False)
        _jobs.move_to_end(key)
        return _jobs[key]
