"""Fonts for the browser of the tests: one family at a time, chosen by a fontconfig file, and what is not installed."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.helpers import soak
from tests.helpers.browser import MISSING, Browser, found

# What a page is shown in: the families that the browser may use, and the Debian package that has them. The last one is
# what is left on a machine without any of them: a single font, of another kind than the page asks for.
FAMILIES = {
    "DejaVu": (("DejaVu Sans", "DejaVu Sans Mono"), "fonts-dejavu-core"),
    "Liberation": (("Liberation Sans", "Liberation Mono"), "fonts-liberation"),
    "Noto": (("Noto Sans", "Noto Sans Mono"), "fonts-noto-core"),
    "fallback": (("DejaVu Serif",), "fonts-dejavu-core"),
}
# The narrowest and the widest; in a soak all.
CHOSEN = [*FAMILIES] if soak.is_on() else ["Liberation", "fallback"]
_FILE = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
<include ignore_missing="yes">/etc/fonts/fonts.conf</include>
<selectfont><rejectfont><pattern></pattern></rejectfont>
<acceptfont>{accepted}</acceptfont></selectfont>
</fontconfig>
"""
_PATTERN = '<pattern><patelt name="family"><string>{}</string></patelt></pattern>'


def installed(family: str) -> bool:
    """Whether this machine has a family."""
    listed = shutil.which("fc-list")
    if listed is None:
        return False
    return bool(subprocess.run([listed, family], capture_output=True, text=True, check=True).stdout.strip())


@contextmanager
def browser_with(name: str, folder: Path) -> Iterator[Browser]:
    """A browser that has only these fonts; a test without them is skipped, and says what is missing."""
    program = found()
    if program is None:
        pytest.skip(MISSING)
    families, package = FAMILIES[name]
    if not installed(families[0]):
        pytest.skip(f"NO FONT: {families[0]} is not installed, so no page is tested in it (apt-get install {package})")
    file = folder / "fonts.conf"
    file.write_text(_FILE.format(accepted="".join(map(_PATTERN.format, families))), encoding="utf-8")
    started = Browser(program, folder / "profile", {**os.environ, "FONTCONFIG_FILE": str(file)})
    try:
        yield started
    finally:
        started.close()
