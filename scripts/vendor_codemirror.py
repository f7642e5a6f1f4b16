"""Rewrite the studio's CodeMirror: `python scripts/vendor_codemirror.py`. Only this needs npm.

The packages come from the npm registry with their integrity hashes, and esbuild bundles what `NAMES` lists into one
module. `codemirror.json` beside it records every package and the checksum; tests/studio compares it with the module.
To update, change the versions below, run this and look at the studio.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent.parent / "src" / "fracas" / "data" / "studio" / "vendored"
PACKAGES = {
    "@codemirror/autocomplete": "6",
    "@codemirror/commands": "6",
    "@codemirror/lang-json": "6",
    "@codemirror/language": "6",
    "@codemirror/legacy-modes": "6",
    "@codemirror/lint": "6",
    "@codemirror/search": "6",
    "@codemirror/state": "6",
    "@codemirror/view": "6",
    "@lezer/highlight": "1",
}
ESBUILD = "0.28.2"
NAMES = {
    "@codemirror/autocomplete": "autocompletion closeBrackets closeBracketsKeymap completionKeymap startCompletion",
    "@codemirror/commands": "defaultKeymap history historyKeymap",
    "@codemirror/lang-json": "json",
    "@codemirror/language": "HighlightStyle StreamLanguage bracketMatching syntaxHighlighting",
    "@codemirror/legacy-modes/mode/toml": "toml",
    "@codemirror/lint": "lintGutter lintKeymap setDiagnostics",
    "@codemirror/search": "highlightSelectionMatches search searchKeymap",
    "@codemirror/state": "Compartment EditorState",
    "@codemirror/view": "EditorView drawSelection highlightActiveLine highlightActiveLineGutter keymap lineNumbers",
    "@lezer/highlight": "tags",
}
ENTRY = "".join(f'export {{ {", ".join(names.split())} }} from "{module}";\n' for module, names in NAMES.items())
FLAGS = ("--bundle", "--format=esm", "--target=es2022", "--minify", "--legal-comments=none", "--log-level=warning")


def main() -> None:
    """Fetch, bundle and write."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wanted = [f"{package}@{version}" for package, version in PACKAGES.items()]
        _npm(folder, "install", "--no-audit", "--no-fund", *wanted, f"esbuild@{ESBUILD}")
        (folder / "entry.js").write_text(ENTRY, encoding="utf-8")
        command = [str(folder / "node_modules" / ".bin" / "esbuild"), "entry.js", *FLAGS]
        subprocess.run([*command, "--outfile=bundle.js", "--metafile=meta.json"], cwd=folder, check=True)
        text = (folder / "bundle.js").read_text(encoding="utf-8")
        inputs = json.loads((folder / "meta.json").read_text(encoding="utf-8"))["inputs"]
        installed: dict[str, Any] = json.loads(
            (folder / "node_modules" / ".package-lock.json").read_text(encoding="utf-8")
        )["packages"]
        used = sorted(place for place in installed if any(each.startswith(f"{place}/") for each in inputs))
        packages = [
            {
                "package": place.removeprefix("node_modules/"),
                "version": installed[place]["version"],
                "integrity": installed[place]["integrity"],
                "licence": installed[place]["license"],
            }
            for place in used
        ]
        licences = {place: (folder / place / "LICENSE").read_text(encoding="utf-8").strip() for place in used}
    FOLDER.mkdir(parents=True, exist_ok=True)
    about = "CodeMirror and what it needs, bundled by scripts/vendor_codemirror.py. Licences: codemirror.txt."
    module = f"// @ts-nocheck\n// {about}\n{text}"
    (FOLDER / "codemirror.js").write_text(module, encoding="utf-8", newline="\n")
    told = [f"{place.removeprefix('node_modules/')}\n\n{text}\n" for place, text in licences.items()]
    (FOLDER / "codemirror.txt").write_text("\n\n".join(told), encoding="utf-8", newline="\n")
    record = {
        "bundler": f"esbuild {ESBUILD}",
        "sha256": hashlib.sha256(module.encode()).hexdigest(),
        "packages": packages,
    }
    (FOLDER / "codemirror.json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8", newline="\n")


def _npm(folder: Path, *words: str) -> None:
    subprocess.run(["npm", *words], cwd=folder, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
