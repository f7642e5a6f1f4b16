"""Who plays: threads, local workers, or the workers of a scheduler that is there already."""

from __future__ import annotations

import importlib.util
import logging
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from fracas.content.validate import shown
from fracas.engine.battle import check_whole
from fracas.engine.player import Notice
from fracas.errors import InputError, UsageError
from fracas.lab.execution.executor import Executor
from fracas.lab.execution.thread_executor import check_threads, executor_for
from fracas.lab.store.study_checkpoint import CheckpointingExecutor, StudyCheckpoint

MOST_WORKERS = 256
REACH_SECONDS = 5
PORT = 8786
LAST_PORT = 65_535
_SETTINGS = {
    # Dask looks at every thread a hundred times a second and at its clock fifty times; nobody reads what it finds.
    "distributed.worker.profile.enabled": False,
    # Workers that are not heard of for so long are taken for lost, and their ranges go to others.
    "distributed.scheduler.worker-ttl": "1 minute",
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.tick.cycle": "10s",
    "distributed.admin.system-monitor.interval": "10s",
}


@contextmanager
def open_executor(
    threads: int | None,
    workers: int | None = None,
    scheduler: str | None = None,
    notice: Notice | None = None,
    resume: Path | None = None,
) -> Iterator[Executor]:
    """Threads of this process, so many worker processes of this machine, or whatever workers a scheduler has.

    `resume` is a folder in which what they finish is kept, and from which it is taken if it is there already.

    Raises:
        InputError: more than one of them is given, an amount is out of range, the extra that brings Dask is missing,
            the scheduler does not answer, or the folder is none for that or is in use.
    """
    check_threads(threads)
    _check(threads, workers, scheduler)
    with ExitStack() as stack:
        folder = None if resume is None else stack.enter_context(StudyCheckpoint(resume, notice))
        executor = stack.enter_context(_executor(threads, workers, scheduler, notice))
        yield executor if folder is None else CheckpointingExecutor(executor, folder)


@contextmanager
def _executor(
    threads: int | None, workers: int | None, scheduler: str | None, notice: Notice | None
) -> Iterator[Executor]:
    if workers is None and scheduler is None:
        yield executor_for(threads)
        return
    check_cluster_library("--workers" if scheduler is None else "--scheduler")
    quiet_dask()
    from distributed import Client

    from fracas.cluster.dask_executor import DaskExecutor
    from fracas.cluster.local_workers import LocalWorkers

    with ExitStack() as stack:
        if scheduler is not None:
            check_certificates(scheduler, "client")
            client = stack.enter_context(_reached(Client, scheduler))
            yield DaskExecutor(client, scheduler, None, notice)
            return
        assert workers is not None
        from distributed import LocalCluster

        cluster = stack.enter_context(
            LocalCluster(n_workers=0, host="127.0.0.1", dashboard_address="127.0.0.1:0", silence_logs=logging.CRITICAL)
        )
        local = LocalWorkers(cluster.scheduler_address, workers)
        stack.callback(local.stop)
        client = stack.enter_context(Client(cluster, set_as_default=False))
        yield DaskExecutor(client, cluster.scheduler_address, local, notice)


def _reached(client: type, scheduler: str):  # type: ignore[no-untyped-def]
    try:
        return client(scheduler, timeout=REACH_SECONDS, set_as_default=False)
    except (OSError, TimeoutError, ValueError, RuntimeError) as error:
        is_silent = isinstance(error, TimeoutError | OSError)
        reason = f"no scheduler answers within {REACH_SECONDS} seconds" if is_silent else f"cannot be reached: {error}"
        raise UsageError.of(f"--scheduler {scheduler}", reason, "start one: fracas scheduler") from None


def _check(threads: int | None, workers: int | None, scheduler: str | None) -> None:
    given = {"--threads": threads, "--workers": workers, "--scheduler": scheduler}
    named = [name for name, value in given.items() if value is not None]
    if len(named) > 1:
        raise InputError.of(", ".join(named), "give one of them: each says who plays")
    if workers is not None:
        check_whole("--workers", workers, 1, MOST_WORKERS)
    if scheduler is not None:
        check_address(scheduler, "--scheduler")


def check_address(address: str, where: str) -> None:
    """Refuse what is no scheduler's address.

    Raises:
        InputError: it is not of the form tcp://HOST:PORT or tls://HOST:PORT.
    """
    scheme, separator, rest = str(address).partition("://")
    host, colon, port = rest.rpartition(":")
    is_port = port.isdecimal() and int(port) <= LAST_PORT
    if scheme not in ("tcp", "tls") or not separator or not host or not colon or not is_port:
        message = f"{shown(address)} is no scheduler's address"
        raise InputError.of(where, message, f"write tcp://HOST:{PORT}, or tls://HOST:{PORT} for an encrypted one")


def check_cluster_library(where: str) -> None:
    """Make sure that Dask is there.

    Raises:
        InputError: it is not; names the extra that brings it.
    """
    if importlib.util.find_spec("distributed") is None:
        raise UsageError.of(where, "playing on workers needs Dask", "pip install 'fracas[cluster]'")


def check_certificates(address: str, role: str) -> None:
    """Make sure that Dask knows the certificates that an encrypted connection needs.

    Raises:
        InputError: it does not.
    """
    from distributed.security import Security

    if address.startswith("tls://") and Security().get_connection_args(role).get("ssl_context") is None:
        message = "an encrypted connection needs certificates, and Dask is configured with none"
        raise InputError.of(address, message, "docs/how-to/several-machines.md says how")


def quiet_dask() -> None:
    """Where nobody has asked Dask for anything but us it writes no log and does not watch itself."""
    if "distributed" not in sys.modules:
        import dask

        dask.config.set(_SETTINGS)
        import distributed  # noqa: F401

        for name in list(logging.root.manager.loggerDict):
            if name.partition(".")[0] in ("distributed", "asyncio"):
                logging.getLogger(name).setLevel(logging.CRITICAL)
