"""Measures what games made with the kit cost: starting, loading, and battles a second against the same by hand.

    python benchmarks/kit.py [--start] [--load] [--battles] [--module]

Without an option everything is measured. Each part prints its bar:

* `--start`: `fracas run` of the example coins, in a new process with nothing compiled, at most 0.8 x the processor time
  of squads, or 0.6 s;
* `--load`: reading and deriving a declaration, in a process that has loaded another, at most 60 ms;
* `--battles`: silent compiled battles of one skirmish (`kit_skirmish.py`) in each shape of play, at least 0.95 x those
  of the same battles by hand (`kit_by_hand.py`); 0.8 x for the shape *advance*. Rows are compared first, and a checksum
  of all of them is printed. Compile times have no bar;
* `--module`: the size of the skirmish's WebAssembly modules, which has no bar. Needs the extra `artefacts`.

Only ratios within one run mean anything: the two sides of a ratio are measured by turns, and the fastest of each
counts. The exit status is 1 if a bar is missed.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import kit_by_hand
import kit_skirmish
import numpy as np
from blake3 import blake3
from figures import ROOT

import fracas
from fracas.engine.scenario import Scenario
from fracas.kernel import identity, jit
from fracas.kernel.entry_points import batch
from fracas.kernel.identity import Identity
from fracas.kit import Game, load
from fracas.portable import artefacts, build

GAMES = ROOT / "examples" / "games"
STARTS, LOADS, ROUNDS, BATTLES, COMPARED = 9, 5, 15, 20_000, 200
LONGEST_START, START_SHARE, LONGEST_LOAD = 0.6, 0.8, 60.0
LEAST = {"rounds": 0.95, "both": 0.95, "turns": 0.95, "advance": 0.8}


def told(what: str, figure: str, bar: str, holds: bool) -> bool:
    """Print a measurement and whether it holds its bar."""
    print(f"  {what:34} {figure:42} {bar:24} {'holds' if holds else 'MISSED'}")
    return holds


def start() -> bool:
    """The time of `fracas run` in a new process, of coins and of squads by turns."""
    print("Start: fracas run in a new process, an empty cache; the fastest of", STARTS)
    coins = GAMES / "coins"
    commands = {
        "coins": ["run", str(coins / "scenarios" / "first.toml"), "--game", str(coins / "coins.py")],
        "squads": ["run", str(ROOT / "examples" / "squads" / "first-battle.toml")],
    }
    best = dict.fromkeys(commands, float("inf"))
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"FRACAS_CACHE_DIR": folder}
        environment.pop("FRACAS_JIT", None)
        for _ in range(STARTS):
            for name, words in commands.items():
                began = spent_by_children()
                command = [sys.executable, "-m", "fracas", *words]
                subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
                best[name] = min(best[name], spent_by_children() - began)
    ratio = best["coins"] / best["squads"]
    figure = f"{best['coins']:.2f} s, squads {best['squads']:.2f} s, {ratio:.2f} x"
    bar = f"<= {START_SHARE} x or <= {LONGEST_START} s"
    return told("coins", figure, bar, ratio <= START_SHARE or best["coins"] <= LONGEST_START)


def spent_by_children() -> float:
    """The processor time of all ended child processes, which other programs disturb less than the clock's."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def loading() -> bool:
    """The time to read a game's file and derive everything from it."""
    print("Load: a declaration, read and derived; the fastest of", LOADS)
    files = sorted(file for file in GAMES.glob("*/*.py"))
    holds = True
    milliseconds(files[0])
    for file in files:
        try:
            spent = min(milliseconds(file) for _ in range(LOADS))
        except fracas.InputError as error:
            print(f"  {file.stem:34} cannot be loaded: {error}")
            holds = False
            continue
        holds = told(file.stem, f"{spent:.0f} ms", f"<= {LONGEST_LOAD:.0f} ms", spent <= LONGEST_LOAD) and holds
    return holds


def milliseconds(file: Path) -> float:
    """This thread's processor time for one load."""
    with load.fresh():
        began = time.thread_time()
        game = fracas.use(file)
        assert isinstance(game, Game)
        game.build()
        return (time.thread_time() - began) * 1000


@contextmanager
def empty_cache() -> Iterator[None]:
    """Compiled code and modules are kept in a folder that is empty at first, and gone afterwards."""
    before = os.environ.get("FRACAS_CACHE_DIR")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["FRACAS_CACHE_DIR"] = folder
        yield
    os.environ.pop("FRACAS_CACHE_DIR")
    if before is not None:
        os.environ["FRACAS_CACHE_DIR"] = before


@contextmanager
def declared(shape: str) -> Iterator[Scenario]:
    """The skirmish in a shape of play, as the kit derives it."""
    with tempfile.TemporaryDirectory() as folder, load.fresh():
        file = Path(folder) / f"skirmish_{shape}.py"
        file.write_text(kit_skirmish.declaration(shape), encoding="utf-8")
        fracas.use(file)
        yield fracas.load(kit_skirmish.scenario(shape))


def compiled(entry: Callable[..., Any], scenario: Scenario) -> tuple[Callable[..., Any], float]:
    """An entry point, compiled for silent battles, and the seconds that it took."""
    native = jit.native(entry)
    began = time.perf_counter()
    native(scenario.compiled.own_record(), 0, results(scenario, 1), None, None)
    return native, time.perf_counter() - began


def results(scenario: Scenario, count: int) -> Any:
    """Room for the results of some battles."""
    return np.zeros(count, scenario.ruleset.kernels.result_type)


def rows(scenario: Scenario, entry: Callable[..., Any]) -> bytes:
    """The rows and results of the first battles, played by a compiled entry point."""
    kept = []
    for stream in range(COMPARED):
        log, result = np.zeros(1, scenario.ruleset.kernels.log_type), results(scenario, 1)
        entry(scenario.compiled.own_record(), stream, result, log, None)
        kept += [
            log[0].rows[: log[0].count].tobytes(),
            *(result[name].tobytes() for name in ("winner", "rounds", "hp_left")),
        ]
    return b"".join(kept)


def battles() -> bool:
    """Compiled battles a second in each shape, declared and by hand."""
    print(f"Battles: silent, compiled, one thread; {BATTLES:,} battles, the fastest of {ROUNDS}")
    holds = True
    checksum = blake3()
    for shape, least in LEAST.items():
        with empty_cache(), declared(shape) as scenario:
            by_hand = batch(kit_by_hand.PLAYS[shape], kit_by_hand.write_result)
            # Compiled with the kernels of Fracas and its own, in a cache folder of its own.
            owner = Identity("kit_by_hand", blake3(Path(kit_by_hand.__file__).read_bytes()).hexdigest() + shape)
            identity.module_belongs_to("kit_by_hand", owner)
            mine, took = compiled(scenario.ruleset.kernels.play_many, scenario)
            hand, hand_took = compiled(by_hand, scenario)
            played = rows(scenario, mine)
            if played != rows(scenario, hand):
                raise SystemExit(f"{shape}: the battles by hand have other rows")
            checksum.update(played)
            best = dict.fromkeys((mine, hand), float("inf"))
            for _ in range(ROUNDS):
                for entry in best:
                    record, room = scenario.compiled.own_record(), results(scenario, BATTLES)
                    began = time.thread_time()
                    entry(record, 0, room, None, None)
                    best[entry] = min(best[entry], time.thread_time() - began)
            ratio = best[hand] / best[mine]
            figure = f"{BATTLES / best[mine]:,.0f}/s, by hand {BATTLES / best[hand]:,.0f}/s, {ratio:.2f} x"
            holds = (
                told(f"{shape}, compiled in {took:.1f} s ({hand_took:.1f})", figure, f">= {least} x", ratio >= least)
                and holds
            )
    print(f"  checksum of the rows: {checksum.hexdigest(8)}")
    return holds


def modules() -> bool:
    """The sizes of WebAssembly modules."""
    print("Modules: the skirmish as WebAssembly")
    if not build.can_build():
        print("  not built: install the extra artefacts")
        return True
    for shape in LEAST:
        with empty_cache(), declared(shape) as scenario:
            began = time.perf_counter()
            build.build_game(scenario.ruleset)
            size = artefacts.module_file(scenario.ruleset.name).stat().st_size
            print(f"  {shape:34} {size / 1000:,.0f} kB, built in {time.perf_counter() - began:.1f} s")
    return True


PARTS = {"start": start, "load": loading, "battles": battles, "module": modules}


def main() -> int:
    """Measure what was asked for, or everything."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for part, measure in PARTS.items():
        parser.add_argument(f"--{part}", action="store_true", help=(measure.__doc__ or "").partition("\n")[0])
    chosen = vars(parser.parse_args())
    wanted = [part for part in PARTS if chosen[part]] or list(PARTS)
    held = [PARTS[part]() for part in wanted]
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
