"""Ten times the battles, the same memory."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from tests.helpers import soak
from tests.helpers.guards import ROOT
from tests.helpers.scenarios import duel, loaded

import fracas

FEW, MANY = soak.times(100_000), soak.times(1_000_000)
PROGRAM = f"""
import json, resource, sys
import fracas

def grown(n):
    fracas.simulate(scenario, n, threads=2, out=out)
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

scenario = fracas.load(json.loads(sys.argv[1]))
out = sys.argv[2] or None
grown(10_000)
print(json.dumps([grown(n) for n in ({FEW}, {MANY})]))
"""
MEGABYTE = 1024 if sys.platform != "darwin" else 1024 * 1024


def peaks(out: str) -> tuple[float, float]:
    """The most memory held after few and after many battles, in MB."""
    command = [sys.executable, "-c", PROGRAM, json.dumps(duel()), out]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
    small, large = json.loads(done.stdout)
    return small / MEGABYTE, large / MEGABYTE


@pytest.fixture(scope="module", autouse=True)
def _compiled_before():
    """Compiling needs more memory than any simulation, and would hide what one needs."""
    fracas.simulate(loaded(), n=200)


# MB. Chunks that wait for the disk of a busy machine have taken 32; all rows at once would take 65.
# What is written is counted as well, so counting alone is left to soaks.
@pytest.mark.parametrize(
    ("name", "growth"),
    [pytest.param("", 20, id="counted"), pytest.param("battles.parquet", 50, id="written to a table")],
)
@soak.only
def test_a_million_battles_need_no_more_memory_than_a_hundred_thousand(tmp_path, name, growth):
    small, large = peaks(str(tmp_path / name) if name else "")
    assert large - small < growth
