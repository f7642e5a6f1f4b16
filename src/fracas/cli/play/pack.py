"""`fracas pack`: pack a battle for browsers and programs without Python."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from fracas.cli.shared.exit_status import DONE
from fracas.cli.shared.output import notice, print_warnings, results_only, say
from fracas.cli.shared.parameters import Folders, Plugins, Profile, Seed, Sets, Strict
from fracas.cli.shared.scenario_options import ScenarioOptions, load_file
from fracas.errors import Problem, UsageError

if TYPE_CHECKING:
    from fracas.engine.battle import Battle


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
    seed: Seed = None,
    stream: Annotated[
        int | None, Parameter(name="--stream", help="The battle's number under the seed. Default: 0.")
    ] = None,
    profile: Profile = None,
    set_: Sets = None,
    content: Folders = None,
    plugin: Plugins = None,
    strict: Strict = False,
) -> int:
    """Pack a battle for browsers and other languages, where it plays exactly as it does here.

    A bundle holds the scenario, compiled for the WebAssembly modules that ship with Fracas; the names in its events;
    and the digests that a re-run must match. Battles with plug-ins cannot be packed.

    Try:

        fracas pack examples/squads/first-battle.toml --out battle.fracas.json
        fracas pack battle.json --out battle.fracas.json
        fracas pack battle.json --out battle.fracas.json --html battle.html
    """
    from fracas.replay.bundle_file import bundle_bytes, bundle_of, save_bundle
    from fracas.replay.bundle_page import page_of

    saved = _saved_battle(file, plugin)
    if saved is not None:
        asked = {"--seed": seed, "--stream": stream, "--profile": profile, "--set": set_, "--content": content}
        refused = [name for name, value in asked.items() if value is not None]
        if refused:
            raise UsageError(Problem(name, f"applies only to scenarios; {file} is a saved battle") for name in refused)
        battle = saved
    else:
        from fracas.engine.battle import check_stream, play_battle

        check_stream(stream or 0, "--stream")
        scenario = load_file(file, ScenarioOptions(seed, profile, set_, content, plugin, strict))
        print_warnings(scenario.warnings)
        with results_only():
            battle = play_battle(scenario, stream or 0, notice=notice, alone=True)
    bundle = bundle_of(battle)
    if html is not None:
        from fracas.files.atomic_write import write_atomic

        write_atomic(html, page_of(bundle).encode())
        notice(f"wrote {html}; open it in a browser")
    if out is not None:
        save_bundle(bundle, out)
        notice(f"wrote {out}; check it with: fracas verify {out}")
    elif html is None:
        say(bundle_bytes(bundle).decode().rstrip("\n"))
    return DONE


def _saved_battle(file: Path, plugins: list[Path] | None) -> Battle | None:
    """Load the battle from a replay, a finished duel or a bundle; None if the file is none of these.

    Raises:
        InputError: the file is one of these, but not valid.
    """
    from fracas.plugins.loader import load_plugins
    from fracas.replay.bundle import holds_bundle, packed_battle
    from fracas.replay.saved_battle import load_saved_battle

    if holds_bundle(file):
        return packed_battle(file, notice)
    with results_only():
        return load_saved_battle(file, load_plugins(plugins or []), notice)
