"""Vendor axe-core, whole, for tests of pages: `python scripts/vendor_axe.py [VERSION]`. Only this needs npm.

The package comes from the npm registry, which checks its integrity. `vendored.json` records what was taken; a test
compares it with the file. Nothing of it ships with Fracas.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "tests" / "vendor" / "axe-core"
PACKAGE, FILE = "axe-core", "axe.min.js"
LICENCES = ("LICENSE", "LICENSE-3RD-PARTY.txt")


def main(version: str) -> None:
    """Fetch and write."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        words = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", f"{PACKAGE}@{version}"]
        subprocess.run(words, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        installed = json.loads((folder / "node_modules" / ".package-lock.json").read_text(encoding="utf-8"))
        taken = installed["packages"][f"node_modules/{PACKAGE}"]
        FOLDER.mkdir(parents=True, exist_ok=True)
        for file in (FILE, *LICENCES):
            (FOLDER / file).write_bytes((folder / "node_modules" / PACKAGE / file).read_bytes())
    record = {
        "package": PACKAGE,
        "version": taken["version"],
        "integrity": taken["integrity"],
        "licence": taken["license"],
        "sha256": hashlib.sha256((FOLDER / FILE).read_bytes()).hexdigest(),
    }
    (FOLDER / "vendored.json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "latest")
