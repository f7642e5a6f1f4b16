"""Rewrite the blake3 of noble-hashes in fracas.js: `python scripts/vendor_blake3.py [VERSION]`. Only this needs npm.

The package comes from the npm registry with its integrity hash, and esbuild bundles it into one line, keeping names.
`vendored.json` beside fracas.js records what was bundled; tests/portable compares it with that line.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent.parent / "src" / "fracas" / "data" / "js"
PACKAGE, ESBUILD = "@noble/hashes", "0.28.2"
BEGIN, END = "// <vendored>\n", "// </vendored>\n"
ENTRY = 'export { blake3 } from "@noble/hashes/blake3.js";\n'
FLAGS = (
    "--bundle",
    "--format=esm",
    "--target=es2022",
    "--minify-whitespace",
    "--minify-syntax",
    "--legal-comments=none",
)


def main(version: str) -> None:
    """Fetch, bundle and write."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _npm(folder, "install", "--no-audit", "--no-fund", f"{PACKAGE}@{version}", f"esbuild@{ESBUILD}")
        installed = json.loads((folder / "node_modules" / ".package-lock.json").read_text(encoding="utf-8"))
        taken: dict[str, Any] = installed["packages"][f"node_modules/{PACKAGE}"]
        (folder / "entry.js").write_text(ENTRY, encoding="utf-8")
        bundle = [str(folder / "node_modules" / ".bin" / "esbuild"), "entry.js", *FLAGS]
        text = subprocess.run(bundle, cwd=folder, check=True, capture_output=True, text=True).stdout
        licence = (folder / "node_modules" / PACKAGE / "LICENSE").read_text(encoding="utf-8")
    block = f"// @ts-ignore\n{text.strip().removesuffix('export{blake3};')}\n"
    file = FOLDER / "fracas.js"
    head, _, rest = file.read_text(encoding="utf-8").partition(BEGIN)
    _, _, tail = rest.partition(END)
    file.write_text(f"{head}{BEGIN}{block}{END}{tail}", encoding="utf-8", newline="\n")
    (FOLDER / "vendored.txt").write_text(licence, encoding="utf-8", newline="\n")
    record = {
        "package": PACKAGE,
        "version": taken["version"],
        "integrity": taken["integrity"],
        "licence": taken["license"],
        "bundler": f"esbuild {ESBUILD}",
        "sha256": hashlib.sha256(block.encode()).hexdigest(),
    }
    (FOLDER / "vendored.json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8", newline="\n")


def _npm(folder: Path, *words: str) -> None:
    subprocess.run(["npm", *words], cwd=folder, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "2.4.0")
