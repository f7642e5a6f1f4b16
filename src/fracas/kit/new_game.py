"""The files of a new game, which already is a package: rules, content, a scenario, tests, pyproject.toml, README."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

from fracas.errors import InputError
from fracas.kit.load import refuse_name
from fracas.version import __version__

FOLDER = Path(__file__).parent.parent / "data" / "kit"


def new_game(name: str) -> dict[str, str]:
    """The texts of a new game's files, by their paths in its folder.

    Raises:
        InputError: no game can have the name, or no package.
    """
    refuse_name(name, "NAME")
    if name in sys.stdlib_module_names or find_spec(name) is not None:
        raise InputError.of("NAME", f'there is a Python module called "{name}"', "give the game another name")
    words = {"name": name, "Name": name.replace("_", " ").capitalize(), "version": __version__}
    files = {}
    for file in sorted(FOLDER.rglob("*.*")):
        path = file.relative_to(FOLDER).as_posix().removesuffix(".txt").replace("game.py", f"{name}.py")
        text = file.read_text(encoding="utf-8")
        for word, value in words.items():
            text = text.replace(f"@@{word}@@", value)
        files[path] = text
    return files
