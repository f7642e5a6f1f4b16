"""A limit on address space, as on clusters: modules still play the same rows, and reports do without drawings."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import fracas
from fracas.portable.wasm_machine import wasm_play

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits address space")

# 2 GiB more than the program has: less than a module's memory reserves when it may.
PLAY = """
import resource
from pathlib import Path

import numpy as np

import fracas
from fracas.portable.wasm_machine import wasm_play

pages = int(Path("/proc/self/statm").read_text().split()[0])
most = pages * resource.getpagesize() + (2 << 30)
resource.setrlimit(resource.RLIMIT_AS, (most, most))
scenario = fracas.load("examples/squads/first-battle.toml")
kernels = scenario.ruleset.kernels
results = np.zeros(50, kernels.result_type)
play = wasm_play("squads", kernels, logged=False)
play(scenario.compiled.own_record(), 0, results, None, None)
print(results.tobytes().hex())
"""


def test_modules_play_the_same_with_little_address_space():
    done = subprocess.run([sys.executable, "-c", PLAY], capture_output=True, text=True, check=True)
    scenario = fracas.load("examples/squads/first-battle.toml")
    kernels = scenario.ruleset.kernels
    results = np.zeros(50, kernels.result_type)
    wasm_play("squads", kernels, logged=False)(scenario.compiled.own_record(), 0, results, None, None)
    assert done.stdout == f"{results.tobytes().hex()}\n"


def test_a_report_without_address_space_for_drawings_is_written_and_says_so(tmp_path):
    saved, page = tmp_path / "simulate.json", tmp_path / "report.html"
    code = (
        "import resource, sys\n"
        "from fracas.__main__ import main\n"
        "resource.setrlimit(resource.RLIMIT_AS, (16 << 30, 16 << 30))\n"
        "main()"
    )
    saved.write_text(Path("tests/reports/samples/simulate.json").read_text(encoding="utf-8"), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", code, "report", str(saved), "--out", str(page)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "missing: the charts: this process may not use enough address space to draw them" in done.stdout
    assert "<table" in page.read_text(encoding="utf-8")
