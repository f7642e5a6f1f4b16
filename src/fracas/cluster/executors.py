"""Opens the executor for a command: threads, local workers, or the workers of a running scheduler."""

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
    # Dask samples every thread 100 times a second and its clock 50 times; nobody reads those samples.
    "distributed.worker.profile.enabled": False,
    # A worker silent for this long counts as lost, and its chunks go to others.
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
    """Open threads of this process, worker processes of this machine, or the workers of a scheduler.

    `resume` is a checkpoint folder: finished chunks are stored there, and loaded if they already exist.

    Raises:
        InputError: more than one of them is given, an amount is out of range, the extra with Dask is missing, the
            scheduler does not answer, or the folder is in use or not a checkpoint folder.
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
        raise UsageError.of(f"--scheduler {scheduler}", reason, "start one: fracas machine scheduler") from None


def _check(threads: int | None, workers: int | None, scheduler: str | None) -> None:
    given = {"--threads": threads, "--workers": workers, "--scheduler": scheduler}
    named = [name for name, value in given.items() if value is not None]
    if len(named) > 1:
        raise InputError.of(", ".join(named), "give only one of them: each chooses an executor")
    if workers is not None:
        check_whole("--workers", workers, 1, MOST_WORKERS)
    if scheduler is not None:
        check_address(scheduler, "--scheduler")


def check_address(address: str, where: str) -> None:
    """Check the form of a scheduler's address.

    Raises:
        InputError: it does not have the form tcp://HOST:PORT or tls://HOST:PORT.
    """
    scheme, separator, rest = str(address).partition("://")
    host, colon, port = rest.rpartition(":")
    is_port = port.isdecimal() and int(port) <= LAST_PORT
    if scheme not in ("tcp", "tls") or not separator or not host or not colon or not is_port:
        message = f"{shown(address)} is not a scheduler's address"
        raise InputError.of(
            where, message, f"write tcp://HOST:{PORT}, or tls://HOST:{PORT} for an encrypted connection"
        )


def check_cluster_library(where: str) -> None:
    """Check that Dask is installed.

    Raises:
        InputError: it is not; names the extra that brings it.
    """
    if importlib.util.find_spec("distributed") is None:
        raise UsageError.of(where, "workers need Dask", "pip install 'fracas[cluster]'")


def check_certificates(address: str, role: str) -> None:
    """Check that Dask has the certificates for an encrypted connection.

    Raises:
        InputError: it has none.
    """
    from distributed.security import Security

    if address.startswith("tls://") and Security().get_connection_args(role).get("ssl_context") is None:
        message = "an encrypted connection needs certificates, but Dask has none configured"
        raise InputError.of(address, message, "see docs/how-to/several-machines.md")


def quiet_dask() -> None:
    """Turn off Dask's log and self-monitoring unless the user configured them."""
    if "distributed" not in sys.modules:
        import dask

        dask.config.set(_SETTINGS)
        import distributed  # noqa: F401

        for name in list(logging.root.manager.loggerDict):
            if name.partition(".")[0] in ("distributed", "asyncio"):
                logging.getLogger(name).setLevel(logging.CRITICAL)
