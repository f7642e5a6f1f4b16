"""What tests of pages have vendored is what was taken, whole and with its licence."""

from __future__ import annotations

import json
from hashlib import sha256

from tests.helpers.axe import FOLDER


def test_axe_core_is_what_was_taken():
    record = json.loads((FOLDER / "vendored.json").read_text(encoding="utf-8"))
    assert sha256((FOLDER / "axe.min.js").read_bytes()).hexdigest() == record["sha256"]
    assert record["licence"] == "MPL-2.0"
    assert f"axe v{record['version']}" in (FOLDER / "axe.min.js").read_text(encoding="utf-8")[:40]
    for name in ("LICENSE", "LICENSE-3RD-PARTY.txt"):
        assert (FOLDER / name).stat().st_size > 1_000
