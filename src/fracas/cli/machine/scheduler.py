"""`fracas scheduler` and `fracas worker`: what other machines run, to play for one that simulates."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from fracas.cli.shared.exit_status import DONE
from fracas.cli.shared.output import notice


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
