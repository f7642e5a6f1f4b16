"""`fracas machine worker`: play battles for a scheduler."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from fracas.cli.shared.exit_status import DONE
from fracas.cli.shared.output import notice
from fracas.cli.shared.parameters import Threads


def worker(
    address: Annotated[str, Parameter(help="The scheduler's address, such as tcp://192.168.1.10:8786.")],
    /,
    *,
    threads: Threads = None,
) -> int:
    """Play the chunks of battles that a scheduler hands out, until the scheduler stops or Ctrl-C.

    A worker runs any code that the scheduler sends. Its version of Fracas must match the client's; others are refused.

    Try:

        fracas machine worker tcp://127.0.0.1:8786
        fracas machine worker tcp://192.168.1.10:8786 --threads 4
    """
    from fracas.cluster.executors import check_address, check_cluster_library
    from fracas.lab.execution.thread_executor import check_threads

    check_threads(threads)
    check_address(address, "ADDRESS")
    check_cluster_library("fracas machine worker")
    from fracas.cluster.processes import serve_worker

    serve_worker(address, threads, notice)
    return DONE
