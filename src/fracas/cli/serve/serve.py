"""`fracas serve`: the engine over HTTP, and leagues of strategies."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from fracas.cli.serve.library import check_server_library
from fracas.cli.shared.exit_status import DONE
from fracas.cli.shared.output import columns, notice, print_json, say
from fracas.cli.shared.parameters import Format

Text = str | None
Words = list[str] | None


def serve(
    *,
    host: Annotated[
        Text, Parameter(name="--host", help="Address to listen on. Default: 127.0.0.1, only this machine.")
    ] = None,
    port: Annotated[
        int | None, Parameter(name="--port", help="Port to listen on; 0 means any free port. Default: 8800.")
    ] = None,
    database: Annotated[
        Text, Parameter(name="--database", help="A SQLite file, or postgresql://name@host/db. Default: fracas.db.")
    ] = None,
    public_url: Annotated[
        Text, Parameter(name="--public-url", help="The URL that people type. Default: host and port.")
    ] = None,
    services: Annotated[
        Words, Parameter(name="--services", help="What to serve: resolver, arena, tables, pages. Repeatable.")
    ] = None,
    sign_up: Annotated[
        Text, Parameter(name="--sign-up", help="open, invite or closed. Default: open on loopback, else invite.")
    ] = None,
    trusted_proxy: Annotated[
        Words,
        Parameter(name="--trusted-proxy", help="Address or network whose X-Forwarded-For is believed. Repeatable."),
    ] = None,
    leagues: Annotated[
        Text, Parameter(name="--leagues", help="Folder of league files, instead of the shipped.")
    ] = None,
    games: Annotated[
        Words, Parameter(name="--games", help="Game of an installed package that may be played here. Repeatable.")
    ] = None,
    secret_file: Annotated[
        Text, Parameter(name="--secret-file", help="The key of the days' secrets. Default: beside the SQLite file.")
    ] = None,
    budget: Annotated[
        float | None, Parameter(name="--budget", help="Scale the budgets of battles and time; 0: no limits.")
    ] = None,
    processes: Annotated[
        int | None, Parameter(name="--processes", help="How many processes share the database. Default: 1.")
    ] = None,
    expose_metrics: Annotated[
        bool | None,
        Parameter(name="--expose-metrics", help="Answer /metrics and /docs to other machines too."),
    ] = None,
    demo: Annotated[
        bool | None, Parameter(name="--demo", help="Fill an empty database with bots and a season.")
    ] = None,
    show_settings: Annotated[
        bool, Parameter(name="--show-settings", help="Print all settings and their values, and stop.")
    ] = False,
    format: Format = "text",
) -> int:
    """Serve battles over HTTP: the resolver, the arena and its pages, until Ctrl-C.

    By default the server listens on this machine only, keeps everything in fracas.db, and needs no other program. Each
    setting can also come from the environment, as FRACAS_SERVER_PUBLIC_URL; an option wins. Logs go to standard error,
    one JSON object per line.

    Try:

        fracas serve
        fracas serve --database postgresql://fracas@db/fracas --public-url https://fracas.example
        fracas serve --show-settings
    """
    from fracas.server.settings import read_settings, shown

    options = {
        "host": host,
        "port": port,
        "database": database,
        "public_url": public_url,
        "services": None if services is None else tuple(each for word in services for each in word.split(",")),
        "sign_up": sign_up,
        "trusted_proxy": None if trusted_proxy is None else tuple(trusted_proxy),
        "leagues": leagues,
        "games": None if games is None else tuple(each for word in games for each in word.split(",")),
        "secret_file": secret_file,
        "budget": budget,
        "processes": processes,
        "expose_metrics": expose_metrics,
        "demo": demo,
    }
    settings = read_settings(options)
    if show_settings:
        rows = shown(settings)
        if format == "json":
            print_json({name: value for name, value, _ in rows})
        else:
            say(*columns(rows))
        return DONE
    check_server_library("fracas serve")
    from fracas.kit.load import installed
    from fracas.server.run import serve as run_server

    for name in settings.games:
        installed(name, "--games")

    if "arena" in settings.services:
        from fracas.server.arena.arena_loop import check_secrets, check_settings

        check_settings(settings)
        run_server(settings, notice, check_secrets)
    else:
        run_server(settings, notice)
    return DONE
