"""Games with a planted fault: an example with a text replaced, written into a folder of its own."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import cast

from tests.kit.author_errors.duels import DUEL

from fracas.gamecheck.subject import Subject, nobody
from fracas.kit.game import Game
from fracas.kit.load import use

EXAMPLES = Path(__file__).parents[2] / "examples" / "games"


def planted(folder: Path, name: str, *changes: tuple[str, str]) -> Path:
    """An example game, or the duel of the tests, with texts replaced and its content beside it."""
    text = DUEL if name == "duel" else (EXAMPLES / name / f"{name}.py").read_text()
    for old, new in changes:
        assert text.count(old) == 1, f"{name}.py has {text.count(old)} times: {old}"
        text = text.replace(old, new)
    if name != "duel" and (EXAMPLES / name / "content").is_dir():
        shutil.copytree(EXAMPLES / name / "content", folder / "content", dirs_exist_ok=True)
    file = folder / f"{name}.py"
    file.write_text(text)
    return file


def subject_of(file: Path, n: int = 6) -> Subject:
    """The game of a file with n scenarios, not played yet."""
    subject = Subject(cast(Game, use(file)), n, nobody)
    subject.draw()
    return subject
