"""`fracas publish pack`: pack a battle for browsers and programs without Python."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from fracas.cli.shared.exit_status import DONE
from fracas.cli.shared.game_modules import build_module
from fracas.cli.shared.one_battle import battle_of_file
from fracas.cli.shared.output import notice, say
from fracas.cli.shared.scenario_options import SavedBattleOptions, command_line


def pack(
    file: Annotated[Path, Parameter(help="A scenario, a replay, a finished duel, or a bundle to pack again.")],
    /,
    *,
    out: Annotated[
        Path | None, Parameter(name=("--out", "--save", "-o"), help="File to write the bundle to. Default: stdout.")
    ] = None,
    html: Annotated[
        Path | None,
        Parameter(name="--html", help="Write an HTML page that plays the battle in any browser."),
    ] = None,
    options: SavedBattleOptions = SavedBattleOptions(),
) -> int:
    """Pack a battle for browsers and other languages, where it plays exactly as it does here.

    A bundle holds the scenario, compiled for the WebAssembly modules that ship with Fracas; the names in its events;
    and the digests that a re-run must match. Battles with plug-ins cannot be packed.

    For a game of your own the module is built here, once for each version of its rules; that takes up to a minute and
    needs the extra `artefacts`.

    Try:

        fracas publish pack examples/squads/first-battle.toml --out battle.fracas.json
        fracas publish pack battle.json --out battle.fracas.json
        fracas publish pack battle.json --out battle.fracas.json --html battle.html
    """
    from fracas.replay.bundle_file import bundle_bytes, bundle_of, save_bundle
    from fracas.replay.bundle_page import page_of

    battle = battle_of_file(file, options)
    build_module(battle.scenario.ruleset)
    bundle = bundle_of(battle)
    if html is not None:
        from fracas.files.atomic_write import write_atomic

        write_atomic(html, page_of(bundle).encode())
        notice(f"wrote {html}; open it in a browser")
    if out is not None:
        save_bundle(bundle, out)
        notice(f"wrote {out}; check it with: {command_line(['verify', out])}")
    elif html is None:
        say(bundle_bytes(bundle).decode().rstrip("\n"))
    return DONE
