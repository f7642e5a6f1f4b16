"""Make an HTML page from a bundle; opened from disk, the page plays the battle and shows the result.

A page on disk cannot fetch or import files, so it contains everything it needs: `fracas.js`, the module as base64, its
layout and the bundle.
"""

from __future__ import annotations

import base64
import json
from html import escape
from pathlib import Path
from typing import Any

from fracas.portable import artefacts
from fracas.replay.bundle_file import Bundle, bundle_bytes

FOLDER = Path(__file__).parents[1] / "data" / "js"


def page_of(bundle: Bundle) -> str:
    """Make the HTML page of a bundle."""
    module = artefacts.module_file(bundle.ruleset).read_bytes()
    parts = {
        "title": escape(f"{bundle.sides[0]} against {bundle.sides[1]}" if len(bundle.sides) == 2 else bundle.ruleset),
        "library": (FOLDER / "fracas.js").read_text(encoding="utf-8"),
        "bundle": _island(json.loads(bundle_bytes(bundle))),
        "layout": _island(artefacts.layout(bundle.ruleset)),
        "module": base64.b64encode(module).decode(),
    }
    text = (FOLDER / "verify.html").read_text(encoding="utf-8")
    pieces = text.split("@@")
    # Placeholders and literal text alternate. Inserted text is not searched for placeholders.
    return "".join(parts[piece] if index % 2 else piece for index, piece in enumerate(pieces))


def _island(value: Any) -> str:
    """Serialise JSON so that no string in it can end the script element."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
