"""What is seen of a unit is written from its table: each entry in its place, fixed ones by a kernel of their own."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from fracas.kernel.seen_entries import Seen, entry_writer

ENTRIES = (
    Seen("hp", "HP of {unit}", "share", 1, "unit.hp * share"),
    Seen("full_hp", "full HP of {unit}", "hundreds", 9, "min(unit.max_hp * 0.01, MOST)", is_fixed=True),
    Seen("stunned", "whether {unit} is stunned", "0 or 1", 1, "unit.stunned != 0"),
)
UNIT = SimpleNamespace(hp=3, max_hp=1200, stunned=2)


def test_each_writer_writes_its_own_entries_in_their_places() -> None:
    seen = np.full(5, -1, np.float32)
    entry_writer("changing", "unit, share", ENTRIES, {}, is_fixed=False)(UNIT, 0.25, seen, 1)
    assert seen.tolist() == [-1, 0.75, -1, 1, -1]
    entry_writer("fixed", "unit, share", ENTRIES, {"MOST": 9.0}, is_fixed=True)(UNIT, 0.25, seen, 1)
    assert seen.tolist() == [-1, 0.75, 9, 1, -1]
