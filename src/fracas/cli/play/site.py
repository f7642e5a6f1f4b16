"""`fracas publish site`: the player and all examples as a static site."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from fracas.cli.shared.exit_status import DONE
from fracas.cli.shared.game_modules import build_for_page
from fracas.cli.shared.output import count, notice


def site(
    out: Annotated[Path, Parameter(help="The folder to write: a new one, or one that held a site.")],
    /,
    *,
    only: Annotated[
        list[str] | None,
        Parameter(
            name="--only", help="Battles of this ruleset or game only. Repeatable. Default: all shipped rulesets."
        ),
    ] = None,
) -> int:
    """Write a site for any web host: every example as a page that plays it, an index, and the components.

    Pages load nothing from other hosts, need no server behind them, and check each battle on the reader's device. The
    same version of Fracas writes the same files. A folder that holds anything else is refused.

    Of a game of your own it shows the battles in the folder `scenarios` beside its file.

    Try:

        fracas publish site public --only titans
        fracas publish site public --only pets --game pets/pets.py
    """
    from fracas.rulesets import registry
    from fracas.site.build import check_folder, site_files, write_site

    games = [name for name in dict.fromkeys(only or ()) if registry.get(name, "--only").rules_hash]
    check_folder(out)
    for name in games:
        build_for_page(registry.get(name))
    files = site_files([*(name for name in registry.NAMES if not only or name in only), *games])
    write_site(out, files)
    size = sum(len(content) for content in files.values())
    notice(f"wrote {count(len(files), 'file')}, {size / 1e6:.1f} MB, to {out}; begin with {out / 'index.html'}")
    return DONE
