from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

SAMPLES = Path(__file__).parent / "samples"


@pytest.fixture
def saved(tmp_path):
    """Write a sample with some values replaced, and say where it is."""

    def save(name: str, **replaced: Any) -> Path:
        document = json.loads((SAMPLES / f"{name}.json").read_text(encoding="utf-8"))
        path: Path = tmp_path / f"{name}.json"
        path.write_text(json.dumps(document | replaced), encoding="utf-8")
        return path

    return save
