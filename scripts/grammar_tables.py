"""Write the parser tables of the condition language.

    python scripts/grammar_tables.py

Run it when the grammar or the pinned version of lark changes; a test tells you. Each run may number the states in
another order, which has no effect.
"""

from __future__ import annotations

import io
import pickle
import pprint
import subprocess
import sys
from pathlib import Path
from typing import Any

import lark

from fracas.conditions import grammar

TABLES = Path(__file__).parent.parent / "src" / "fracas" / "conditions" / "grammar_tables.py"
HEAD = '''"""Prebuilt parser tables of the condition grammar. Building them takes longer than the rest of a first load.

Written by scripts/grammar_tables.py. Ignored with another version of lark or another grammar.
"""

from __future__ import annotations

from typing import Any

'''


def tables() -> dict[str, Any]:
    """The tables that `Lark.save` writes."""
    saved = io.BytesIO()
    grammar.built_parser().save(saved)
    found: dict[str, Any] = pickle.loads(saved.getvalue())
    return found


def text() -> str:
    """The source of the module with the tables."""
    values = pprint.pformat(tables(), width=110, compact=True, sort_dicts=False)
    body = f"LARK = {lark.__version__!r}\nGRAMMAR = {grammar.fingerprint()!r}\nTABLES: dict[str, Any] = {values}\n"
    command = [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(TABLES), "-"]
    return subprocess.run(command, input=HEAD + body, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    TABLES.write_text(text(), encoding="utf-8")
