"""One kill -9 in the middle of load: nothing that was acknowledged is lost, and everything stored checks."""

from __future__ import annotations

import importlib.util
from pathlib import Path

SOAK = Path(__file__).parents[3] / "scripts" / "soak" / "serve.py"


def test_a_killed_server_has_kept_what_it_acknowledged(tmp_path: Path):
    described = importlib.util.spec_from_file_location("soak_serve", SOAK)
    assert described is not None
    assert described.loader is not None
    module = importlib.util.module_from_spec(described)
    described.loader.exec_module(module)
    said: list[str] = []
    assert module.soak(tmp_path, kills=1, accounts=4, say=said.append) == []
    assert said[0].startswith("kill 1: ")
