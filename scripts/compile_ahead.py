"""Compiles the forms of the rules that tests play, so that tests find them in the cache.

    python scripts/compile_ahead.py [RULESET...]

One process for each ruleset compiles all its forms. That takes two thirds of the time that tests need to compile them
one by one: the types of a ruleset's kernels are worked out once, and workers of pytest that need the same form at the
same time do not both compile it. Rulesets whose forms are in the cache are left alone.

No test depends on this: a form that is missing is compiled by the test that needs it.
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

import fracas
from fracas.cli.app import run_command
from fracas.content.packs import examples_folder
from fracas.engine.lockstep import lane_code
from fracas.engine.player import compiled_form
from fracas.kernel import jit
from fracas.rulesets import registry

# Battles for exact odds, the smallest there are.
ODDS = Path(__file__).resolve().parent.parent / "tests" / "golden" / "odds"
# By how long they take, the longest first.
RULESETS = ("titans", "squads", "relics", "delve", "stacks")
# Rulesets whose tests play compiled rollouts, and those whose tests compile environments: an example for each form.
ROLLOUTS = ("squads", "stacks")
ENVIRONMENTS = {
    "squads": ("standard-5v5",),
    "titans": ("standard",),
    "delve": ("standard-4v4",),
    "stacks": ("standard-16v16",),
}


def compile_all(name: str) -> None:
    """Compile every form of a ruleset that tests play."""
    from fracas.envs.batch import BattleBatch
    from fracas.lab.exact.state_enumeration import enumerate_states
    from fracas.lab.explain.rollouts import RolloutRunner
    from fracas.rulesets.titans.solver.solve import Induction
    from fracas.server.tables.catalogue import warm_up

    os.environ["FRACAS_JIT"] = "1"
    gc.disable()  # Compiling makes many objects and few cycles; searching for those takes a tenth of the time.
    started = time.process_time()
    run_command(["machine", "compile", name, "--format", "json"])
    compile_lanes(name)
    smallest = min((ODDS / name).glob("*.toml"), key=lambda path: path.stat().st_size)
    enumerate_states(fracas.load(smallest), 1)
    examples = examples_folder() / name
    scenario = fracas.load(examples / f"{registry.get(name).benchmarks[0]}.toml")
    if name in ROLLOUTS:
        RolloutRunner(scenario, planned=1, threads=1, notice=None)
    for stem in ENVIRONMENTS.get(name, ()):
        BattleBatch([fracas.load(examples / f"{stem}.toml")], [0], 1).begin()
    if name == "titans":
        induction = Induction(scenario.compiled.record[0], most_states=1)
        induction.look(induction.grid.states[:0], 1, np.zeros(0))
        # What a server compiles at its start, which would keep its matches waiting.
        warm_up(())
    print(f"{name}: {time.process_time() - started:.1f} s of processor time", file=sys.stderr, flush=True)


def compile_lanes(name: str) -> None:
    """Compile lanes of all widths, and rollouts in the narrowest; nearly all of their code is the same."""
    kernels = registry.get(name).kernels
    if kernels.lockstep is None:
        return
    widths = sorted(kernels.lockstep().state_types)
    for bits in widths:
        lane_code(kernels, bits).finish()
    lane_code(kernels, widths[0], resumes=True).finish()


def is_compiled(name: str) -> bool:
    """Whether the forms that say so in the cache are there; the others are compiled with them."""
    kernels = registry.get(name).kernels
    plugins = (False, True) if kernels.plugin is not None else (False,)
    forms = [compiled_form(logged, with_plugins) for logged in (False, True) for with_plugins in plugins]
    return all(jit.is_cached(kernels.play_many, form) for form in forms)


def main() -> int:
    """Compile all forms of the given rulesets, by default of all."""
    names = [name for name in sys.argv[1:] or RULESETS if not is_compiled(name)]
    if len(names) == 1:
        compile_all(names[0])
    if len(names) <= 1:
        return 0

    def in_its_own_process(name: str) -> int:
        command = [sys.executable, __file__, name]
        return subprocess.run(command, check=False, stdout=subprocess.DEVNULL).returncode

    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    with ThreadPoolExecutor(cores) as pool:
        return max(pool.map(in_its_own_process, names))


if __name__ == "__main__":
    sys.exit(main())
