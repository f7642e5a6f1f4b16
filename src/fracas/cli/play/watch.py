"""fracas watch: a battle as a page to look at."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from fracas.cli.shared.exit_status import DONE
from fracas.cli.shared.game_modules import build_for_page
from fracas.cli.shared.one_battle import battle_of_file
from fracas.cli.shared.output import notice
from fracas.cli.shared.scenario_options import SavedBattleOptions


def watch(
    file: Annotated[Path, Parameter(help="A scenario, a replay, a finished duel, or a bundle.")],
    /,
    *,
    out: Annotated[
        Path | None,
        Parameter(name=("--out", "--save"), help="Write the page here; absent: the battle's name with .html."),
    ] = None,
    open_: Annotated[bool, Parameter(name="--open", help="Open the page in the browser.")] = False,
    options: SavedBattleOptions = SavedBattleOptions(),
) -> int:
    """Watch a battle: one HTML file that plays it, opens from disk and needs no network.

    The page shows who hits whom, how hard and why, with HP over time, the story, and a link to every moment. It plays
    the battle again on the device that opens it, and says whether it came out the same.

    Try:

        fracas watch examples/squads/first-battle.toml
        fracas watch battle.json --out battle.html
        fracas watch examples/delve/standard-run.toml --stream 3
    """
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
