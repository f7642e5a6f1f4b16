"""What a worker does: it takes a task and a range of battles, plays them, and returns the results.

Runs in the threads of a worker's process. Kernels run without the interpreter's lock, so a worker can have a thread
for each core. Answers, including refusals, are bytes, so that only plain data comes back.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue

from blake3 import blake3
from distributed import get_worker

from fracas.cluster.tasks import DONE, FAULTY, decode_task, encode_refusal
from fracas.engine.player import Player, make_player
from fracas.errors import FaultError, InputError
from fracas.lab.execution.chunk import ChunkOutput, encode_chunk, play_chunk
from fracas.lab.execution.chunk_size import measure_rate
from fracas.lab.simulation.simulate import MOST_BATTLES

MOST_JOBS = 8


@dataclass
class PreparedTask:
    """A task that is ready to play, with a player for each thread that asked for one."""

    player: Player
    output: ChunkOutput
    idle: SimpleQueue[Player] = field(default_factory=SimpleQueue)

    def take(self) -> Player:
        """Take a player that no other thread uses."""
        try:
            return self.idle.get_nowait()
        except Empty:
            return self.player.clone()


_jobs: OrderedDict[bytes, PreparedTask] = OrderedDict()
_lock = threading.Lock()


def prepare(order: bytes) -> bytes:
    """Prepare a task: check that the rules are equal and compile them. Returns the speed of one thread."""
    return _answer(order, lambda job, player: str(measure_rate(player, range(job.output.start, MOST_BATTLES))).encode())


def play(order: bytes, first: int, stop: int) -> bytes:
    """Play a range of a task's battles."""
    return _answer(order, lambda job, player: encode_chunk(play_chunk(player, range(first, stop), job.output)))


def _answer(order: bytes, work: Callable[[PreparedTask, Player], bytes]) -> bytes:
    try:
        job = _job(order)
        player = job.take()
        try:
            return DONE + work(job, player)
        finally:
            job.idle.put(player)
    except InputError as error:
        return encode_refusal(error.problems)
    except FaultError as error:
        return FAULTY + str(error).encode()


def _job(content: bytes) -> PreparedTask:
    """The prepared task; the first thread that asks for it creates it."""
    key = blake3(content).digest()
    with _lock:
        if key not in _jobs:
            order, scenario = decode_task(content, str(get_worker().address))
            player = make_player(scenario, logged=False, battles=MOST_BATTLES)
            measures = scenario.ruleset.measures(scenario.compiled, scenario.document)
            _jobs[key] = PreparedTask(
                player, ChunkOutput(measures, rows=order.rows, looks=order.looks, start=order.start)
            )
            if len(_jobs) > MOST_JOBS:
                _jobs.popitem(last=False)
        _jobs.move_to_end(key)
        return _jobs[key]
