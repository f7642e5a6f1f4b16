"""`fracas scheduler` and `fracas worker`: what other machines run, to play for one that simulates."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from fracas.cli.shared.exit_status import DONE
from fracas.cli.shared.output import notice
from fracas.cli.shared.parameters import Threads


def scheduler(
    *,
    host: Annotated[
        str, Parameter(name="--host", help="The address of this machine to listen at; this machine alone by default.")
    ] = "127.0.0.1",
    port: Annotated[int, Parameter(name="--port", help="The port to listen at; 0: any.")] = 8786,
    tls: Annotated[
        bool, Parameter(name="--tls", help="Encrypt, with the certificates that Dask is configured with.", negative="")
    ] = False,
) -> int:
    """Hand out ranges of battles between those who simulate and their workers, until Ctrl-C.

    Whoever reaches the port can have workers run anything: there is no password. Listen beyond this machine only in a
    network that you trust, or with --tls and certificates of your own.

    Try:

        fracas scheduler
        fracas scheduler --host 192.168.1.10
    """
    from fracas.cluster.executors import check_cluster_library
    from fracas.engine.battle import check_whole

    check_whole("--port", port, 0, 65_535)
    check_cluster_library("fracas scheduler")
    from fracas.cluster.processes import serve_scheduler

    serve_scheduler(host, port, tls, notice)
    return DONE


def worker(
    address: Annotated[str, Parameter(help="The scheduler's address, such as tcp://192.168.1.10:8786.")],
    /,
    *,
    threads: Threads = None,
) -> int:
    """Play the ranges of battles that a scheduler hands out, until it ends or Ctrl-C.

    A worker runs what the scheduler sends. It must be the same Fracas as the one that simulates, or it is refused.

    Try:

        fracas worker tcp://127.0.0.1:8786
        fracas worker tcp://192.168.1.10:8786 --threads 4
    """
    from fracas.cluster.executors import check_address, check_cluster_library
    from fracas.lab.execution.executor import check_hands

    check_hands(threads)
    check_address(address, "ADDRESS")
    check_cluster_library("fracas worker")
    from fracas.cluster.processes import serve_worker

    serve_worker(address, threads, notice)
    return DONE
