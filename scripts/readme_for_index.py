"""The README as a package index shows it: hatchling calls this when it builds the package's metadata.

An index has only the text. Links to files of the repository would lead nowhere there, so they become plain text, and
pictures are left out. Links to other hosts stay.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_TARGET = r"\((?![a-z]+://)[^)\s]*\)"
_PICTURE = re.compile(rf"!\[[^\]]*\]{_TARGET}\n*")
_LINK = re.compile(rf"\[([^\]]*)\]{_TARGET}")


def readable(text: str) -> str:
    """Markdown without pictures and links of the repository."""
    return _LINK.sub(r"\1", _PICTURE.sub("", text))


class ReadmeHook(MetadataHookInterface):
    """Gives the package its README."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the README in the package's metadata."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": readable(text)}
