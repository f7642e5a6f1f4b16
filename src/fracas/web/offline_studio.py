"""The part of the studio that works without Fracas, as files for any web host.

The page opens bundles and links, changes numbers of the compiled battle, and plays it in WebAssembly on the visitor's
device. What needs names to become numbers again, such as a new condition, needs `fracas studio`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from fracas.portable import artefacts
from fracas.rulesets import registry
from fracas.web.battle import STYLES
from fracas.web.modules import DATA, FOLDER, module_path

STUDIO = DATA / "studio"
# The page's address within a site; `#open=battles/one.fracas.json` behind it opens a bundle of the same site.
PAGE = "studio.html"
_FROM = re.compile(r'^(?:import|\} from|export .* from)[^"\n]*"(\.[^"]+)";', re.MULTILINE)


def offline_studio(rulesets: Sequence[str] = registry.NAMES) -> Mapping[str, bytes]:
    """The page and everything that it asks for, by their addresses relative to the site's root, for these rulesets."""
    files = {PAGE: STUDIO / "offline.html", "assets/studio/studio.css": STUDIO / "studio.css"}
    files |= {f"assets/web/{name}": FOLDER / name for name in (*STYLES, "page.css")}
    files["assets/icon.svg"] = FOLDER / "icon.svg"
    for name in ("studio/offline.js", *(f"web/rulesets/{ruleset}.js" for ruleset in rulesets)):
        _collect(f"assets/{name}", DATA / name, files)
    for ruleset in rulesets:
        module = artefacts.module_file(ruleset)
        files |= {f"assets/wasm/{ruleset}{file.suffix}": file for file in (module, module.with_suffix(".json"))}
    return {address: file.read_bytes() for address, file in files.items()}


def _collect(address: str, file: Path, files: dict[str, Path]) -> None:
    """Add a module and all that it imports, each at the address under which it is asked for."""
    if address in files:
        return
    files[address] = file
    for asked in _FROM.findall(file.read_text(encoding="utf-8")):
        at = _joined(address, asked)
        _collect(at, module_path(asked, file.parent), files)


def _joined(address: str, asked: str) -> str:
    """The address that a module means when it asks for another."""
    parts = address.split("/")[:-1]
    for part in asked.split("/"):
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)
