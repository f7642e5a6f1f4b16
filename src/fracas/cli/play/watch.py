"""fracas watch: a battle as a page to look at, or in the terminal."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from fracas.cli.shared.exit_status import DONE
from fracas.cli.shared.game_modules import build_for_page
from fracas.cli.shared.one_battle import battle_of_file
from fracas.cli.shared.output import notice
from fracas.cli.shared.scenario_options import SavedBattleOptions
from fracas.errors import UsageError


def watch(
    file: Annotated[Path, Parameter(help="A scenario, a replay, a finished duel, or a bundle.")],
    /,
    *,
    out: Annotated[
        Path | None,
        Parameter(name=("--out", "--save"), help="Write the page here; absent: the battle's name with .html."),
    ] = None,
    open_: Annotated[bool, Parameter(name="--open", help="Open the page in the browser.")] = False,
    terminal: Annotated[bool, Parameter(help="Show the fight in this terminal; no page is written.")] = False,
    options: SavedBattleOptions = SavedBattleOptions(),
) -> int:
    """Watch a battle: one HTML file that plays it, opens from disk and needs no network.

    The page shows who hits whom, how hard and why, with HP over time, the story, and a link to every moment. It plays
    the battle again on the device that opens it, and says whether it came out the same.

    Try:

        fracas watch examples/squads/first-battle.toml
        fracas watch battle.json --out battle.html
        fracas watch examples/delve/standard-run.toml --stream 3
        fracas watch examples/squads/first-battle.toml --terminal
    """
    if terminal:
        return _in_terminal(file, options, out is not None or open_)
    from fracas.files.atomic_write import write_atomic
    from fracas.web.page import page_of

    battle = battle_of_file(file, options)
    build_for_page(battle.scenario.ruleset)
    page = out or Path(f"{file.name.removesuffix('.json').removesuffix('.toml').removesuffix('.fracas')}.html")
    write_atomic(page, page_of(battle).encode())
    notice(f"wrote {page}; open it in a browser")
    if open_:
        import webbrowser

        if not webbrowser.open(page.resolve().as_uri()):
            notice(f"found no browser; open {page} yourself")
    return DONE


def _in_terminal(file: Path, options: SavedBattleOptions, wants_page: bool) -> int:
    """Show the fight here.

    Raises:
        UsageError: there is no terminal, or a page is wanted too.
    """
    if wants_page:
        raise UsageError.of("--terminal", "it writes no page", "leave out --out and --open")
    if not sys.stdout.isatty():
        raise UsageError.of("--terminal", "stdout is not a terminal", "fracas run tells the story as text")
    from fracas.cli.play.terminal_stage import play_in_terminal

    play_in_terminal(battle_of_file(file, options))
    return DONE
