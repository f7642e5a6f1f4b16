"""`fracas machine scheduler`: hand out battles to workers on other machines."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from fracas.cli.shared.exit_status import DONE
from fracas.cli.shared.output import notice


def scheduler(
    *,
    host: Annotated[
        str, Parameter(name="--host", help="Address to listen on. By default only this machine can connect.")
    ] = "127.0.0.1",
    port: Annotated[int, Parameter(name="--port", help="Port to listen on; 0 means any free port.")] = 8786,
    tls: Annotated[
        bool, Parameter(name="--tls", help="Encrypt, with the certificates in Dask's configuration.")
    ] = False,
) -> int:
    """Hand out chunks of battles to workers, until Ctrl-C.

    There is no password: anyone who can reach the port can run any code on the workers. Listen beyond this machine only
    on a network that you trust, or with --tls and your own certificates.

    Try:

        fracas machine scheduler
        fracas machine scheduler --host 192.168.1.10
    """
    from fracas.cluster.executors import check_cluster_library
    from fracas.engine.battle import check_whole

    check_whole("--port", port, 0, 65_535)
    check_cluster_library("fracas machine scheduler")
    from fracas.cluster.processes import serve_scheduler

    serve_scheduler(host, port, tls, notice)
    return DONE
