"""The two programs that the machines of a cluster run: a scheduler and workers."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable

from fracas.cluster.executors import check_certificates, quiet_dask
from fracas.errors import InputError

LOOPBACK = ("127.0.0.1", "::1", "localhost")
REACH_SECONDS = 30
# Only this machine can open Dask's status pages.
NOWHERE = "127.0.0.1:0"
Say = Callable[[str], None]


def serve_scheduler(host: str, port: int, is_encrypted: bool, say: Say) -> None:
    """Run a scheduler that sends chunks to connected workers, until Ctrl-C.

    Raises:
        InputError: it cannot listen at that address.
    """
    quiet_dask()
    if is_encrypted:
        check_certificates(f"tls://{host}:{port}", "scheduler")
    asyncio.run(_scheduler(host, port, is_encrypted, say))


async def _scheduler(host: str, port: int, is_encrypted: bool, say: Say) -> None:
    from distributed import Scheduler

    protocol = "tls" if is_encrypted else "tcp"
    try:
        scheduler = await Scheduler(host=host, port=port, protocol=protocol, dashboard=False, dashboard_address=NOWHERE)
    except (OSError, ValueError, RuntimeError) as error:
        raise InputError.of(f"{host}:{port}", f"cannot listen there: {error}") from None
    async with scheduler:
        say(f"scheduler at {scheduler.address}; a worker joins with: fracas machine worker {scheduler.address}")
        await scheduler.finished()


def serve_worker(address: str, threads: int | None, say: Say) -> None:
    """Run a worker that plays a scheduler's chunks, until the scheduler ends or Ctrl-C.

    Raises:
        InputError: there is no scheduler at that address.
    """
    quiet_dask()
    check_certificates(address, "worker")
    asyncio.run(_worker(address, threads or os.cpu_count() or 1, say))


async def _worker(address: str, threads: int, say: Say) -> None:
    from distributed import Worker

    is_local = address.partition("://")[2].rpartition(":")[0].strip("[]") in LOOPBACK
    try:
        worker = await asyncio.wait_for(
            Worker(
                address,
                nthreads=threads,
                memory_limit=0,
                host="127.0.0.1" if is_local else None,
                dashboard_address=NOWHERE,
            ),
            REACH_SECONDS,
        )
    except (OSError, TimeoutError, ValueError, RuntimeError) as error:
        raise InputError.of(
            address, f"no scheduler answers there ({type(error).__name__})", "start one: fracas machine scheduler"
        ) from None
    async with worker:
        say(f"worker at {worker.address} with {threads} threads")
        await worker.finished()
    say("the scheduler has ended")
