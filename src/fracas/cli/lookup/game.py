"""`fracas game list` and `fracas game new`: the games known here, and a folder to begin one."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from fracas.cli.shared.exit_status import DONE
from fracas.cli.shared.output import columns, notice, print_json, results_only, say
from fracas.cli.shared.parameters import Format
from fracas.errors import InputError


def list_games(
    name: Annotated[str | None, Parameter(help="A game of your own: print its reference page instead.")] = None,
    /,
    *,
    out: Annotated[
        Path | None, Parameter(name=("--out", "--save"), help="Write the page of NAME to this file, as Markdown.")
    ] = None,
    format: Format = "text",
) -> int:
    """List the shipped rulesets and every game that is known here: version, rules hash, and where it comes from.

    Installed packages are imported for it. A game that cannot be used is listed with the reason. With a name, print the
    reference page of that game: files, State, choices, events, endings and dice, as its declarations say.

    Try:

        fracas game list
        fracas game list --game pets/pets.py --format json
        fracas game list pets --game pets/pets.py --out pets.md
    """
    if name is not None:
        return _print_page(name, out, format)
    if out is not None:
        raise InputError.of("--out", "writes the page of a game, and none is named", "fracas game list NAME --out FILE")
    from fracas.kit.load import known_games, short
    from fracas.rulesets import registry

    found: list[dict[str, Any]] = [
        {"name": name, "version": registry.get(name).rules_version, "rules": None, "from": "Fracas", "problem": None}
        for name in registry.NAMES
    ]
    with results_only():
        for known in known_games():
            row: dict[str, Any] = {"name": known.name, "version": None, "rules": None, "from": known.origin}
            if known.game is not None:
                row |= {"version": known.game.rules_version, "rules": known.game.rules_hash}
            found.append(row | {"problem": known.problem or None})
    if format == "json":
        print_json({"games": found})
        return DONE
    rows = [("name", "version", "rules", "from")]
    for row in found:
        problem = f": cannot be used: {row['problem']}" if row["problem"] else ""
        rows.append((row["name"], str(row["version"] or "-"), short(row["rules"] or "-"), f"{row['from']}{problem}"))
    say(*columns(rows, right=(1,)))
    return DONE


def _print_page(name: str, out: Path | None, format: str) -> int:
    """Print the reference page of a game, or write it.

    Raises:
        InputError: there is no such game, or it has no page.
    """
    from fracas.files.atomic_write import write_atomic
    from fracas.kit.game import Game
    from fracas.rulesets import registry

    with results_only():
        ruleset = registry.get(name)
        if not isinstance(ruleset, Game):
            hint = "fracas content list and fracas schema show what its files hold"
            raise InputError.of(name, "is no game declared with fracas.kit, and has no reference page", hint)
        page = ruleset.reference()
    if out is not None:
        write_atomic(out, page.encode())
        notice(f"wrote {out}")
    elif format == "json":
        print_json({"name": name, "reference": page})
    else:
        say(*page.splitlines())
    return DONE


def new_game(
    name: Annotated[str, Parameter(help="The game's name: small letters, digits and _.")],
    /,
    *,
    out: Annotated[
        Path | None, Parameter(name=("--out", "--save"), help="The folder to write. Default: NAME in this folder.")
    ] = None,
) -> int:
    """Write a folder with a small game that works, to change into yours.

    It holds the rules in NAME.py, content, a scenario, tests, and what makes it a package that pip installs. Existing
    folders are never overwritten.

    Try:

        fracas game new pets
        fracas run pets/scenarios/first.toml --game pets/pets.py
    """
    from fracas.files.atomic_write import write_folder
    from fracas.kit.new_game import new_game as files_of

    folder = out or Path(name)
    write_folder(folder, files_of(name))
    scenario, file = (shlex.quote(str(folder / each)) for each in ("scenarios/first.toml", f"{name}.py"))
    notice(f"wrote {folder}; try: fracas run {scenario} --game {file}")
    return DONE
