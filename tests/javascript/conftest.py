from __future__ import annotations

from pathlib import Path

import pytest

import fracas
from fracas.content.packs import examples_folder
from fracas.replay.bundle_file import bundle_of, save_bundle


@pytest.fixture(scope="session")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bundle of squads."""
    path: Path = tmp_path_factory.mktemp("bundle") / "battle.fracas.json"
    save_bundle(bundle_of(fracas.run(fracas.load(examples_folder() / "squads" / "first-battle.toml"))), path)
    return path
