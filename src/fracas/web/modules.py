"""The page's modules as one script: a page opened from disk may not import by address, so they are joined.

A module names what it needs in lines `import { names } from "./file.js";`. These lines, the word `export` and comments
go, each module stands after those that it imports, and all share one scope: no name is declared twice at the top of two
modules. Modules of rulesets export the same names, so each stands in a function of its own. All games share one module,
which makes the same parts from a game's layout.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from fracas.rulesets import registry

DATA = Path(__file__).parents[1] / "data"
FOLDER = DATA / "web"
LIBRARY = "fracas.js"
# Draws the battles of any game.
GAME = "rulesets/game.js"
_IMPORT = re.compile(r'^import \{[^}]*\} from "([^"]+)";\n', re.MULTILINE)
# Comments on lines of their own are for who reads the sources; those that name a licence go along.
_COMMENT = re.compile(r"^[ \t]*(?:/\*\*(?:(?!\*/)[\s\S])*\*/|//(?![^\n]*Licence)[^\n]*)[ \t]*\n", re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) )", re.MULTILINE)


def module_path(name: str, beside: Path = FOLDER) -> Path:
    """Where a module is; `fracas.js` stands in its own folder."""
    return DATA / "js" / LIBRARY if Path(name).name == LIBRARY else (beside / name).resolve()


def joined(*names: str) -> str:
    """The modules of these names and all that they import, each once, as the text of one script."""
    found: dict[Path, str] = {}
    for name in names:
        _collect(module_path(name), found)
    return "\n".join(found.values())


def page_script(entry: str, rulesets: Iterable[str], start: str) -> str:
    """The script of a page: a module, the parts of these rulesets as `rulesets`, and the statement that begins."""
    rulesets = list(rulesets)
    found: dict[Path, str] = {}
    _collect(module_path(entry), found)
    games = [name for name in rulesets if name not in registry.NAMES]
    if games:
        _collect(module_path(GAME), found)
    own = {name: module_path(f"rulesets/{name}.js") for name in rulesets if name not in games}
    texts = {}
    for name, path in own.items():
        _collect(path, found)
        texts[name] = found.pop(path)
    parts = [
        f"rulesets.{name} = (() => {{\n{text}\nreturn {{ table, editing, buildStage, castOf }};\n}})();\n"
        for name, text in texts.items()
    ]
    parts += [f"rulesets.{name} = gameOf;\n" for name in games]
    return "\n".join([*found.values(), "const rulesets = {};\n", *parts, f"{start}\n"])


def _collect(path: Path, found: dict[Path, str]) -> None:
    if path in found:
        return
    text = path.read_text(encoding="utf-8")
    for name in _IMPORT.findall(text):
        _collect(module_path(name, path.parent), found)
    found[path] = _COMMENT.sub("", _EXPORT.sub("", _IMPORT.sub("", text)))
