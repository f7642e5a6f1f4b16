"""fracas studio: write a scenario and see at once what it is worth."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from fracas.cli.shared.exit_status import DONE
from fracas.cli.shared.output import notice, say
from fracas.cli.shared.parameters import Folders
from fracas.errors import InputError


def studio(
    file: Annotated[
        Path | None, Parameter(help="The scenario to edit, TOML or JSON. It is made when you save, if it is not there.")
    ] = None,
    /,
    *,
    link: Annotated[str | None, Parameter(name="--link", help="Open a shared link, or its part from # on.")] = None,
    content: Folders = None,
    port: Annotated[int, Parameter(name="--port", help="The port to listen on. Default: any that is free.")] = 0,
    site: Annotated[
        str, Parameter(name="--site", help="Links that you share begin with this address of a studio on the web.")
    ] = "",
    no_open: Annotated[bool, Parameter(name="--no-open", help="Print the address only.")] = False,
) -> int:
    """Write a scenario and see at once what it is worth, in a page of this machine.

    On the left is the text, with completion (Ctrl-Space) and problems as you type. On the right are the odds, which
    follow every change and tighten while you look. Turn a number in the form, and the text changes with it. Compare
    with the last version, ask why a battle was lost or whether a condition holds in round 3, and watch any battle.

    Only this machine can open the page: the address works once, in the first browser. FILE is the only file that is
    written, and only when you save. Nothing leaves this machine. Ctrl-C ends it.

    Try:

        fracas studio mine.toml
        fracas studio
        fracas studio --link "https://example.org/studio.html#doc=..."
    """
    from fracas.studio.file import StudioFile
    from fracas.studio.questions import Questions
    from fracas.studio.server import StudioServer

    if not 0 <= port <= 65_535:
        raise InputError.of("--port", f"{port} is not a port: 0 to 65,535")
    if site and not site.startswith(("http://", "https://")):
        raise InputError.of("--site", "is not the address of a page", "write https://...")
    shared = _shared(link)
    questions = Questions(None if file is None else StudioFile(file), tuple(content or ()), site)
    with StudioServer(questions, port) as server:
        address = server.link + shared
        try:
            say(address)
            sys.stdout.flush()
            notice("open this address once, in a browser of this machine; Ctrl-C ends the studio")
            if not no_open:
                _open(address)
            # In this thread, which looks up twice a second: a signal that another thread got would not wake a lock.
            server.serve_forever()
        except KeyboardInterrupt:
            notice("the studio has ended")
    return DONE


def _shared(link: str | None) -> str:
    """The part of a shared link that holds the document, to append to the studio's own address.

    Raises:
        InputError: it holds none.
    """
    if link is None:
        return ""
    _, _, fragment = link.rpartition("#")
    held = next((part for part in fragment.split("&") if part.startswith("doc=")), None)
    if held is None:
        raise InputError.of("--link", "holds no document", "copy the whole link, with everything after #doc=")
    return f"&{held}"


def _open(address: str) -> None:
    import webbrowser

    if not webbrowser.open(address):
        notice("found no browser; open the address yourself")
