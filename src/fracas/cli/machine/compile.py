"""`fracas machine compile`: compile all rules now instead of at first use."""

from __future__ import annotations

import re
import shutil
import time
from typing import Annotated, Any

from cyclopts import Parameter

from fracas.cli.machine.bench import Rulesets, _benchmarks, _chosen
from fracas.cli.machine.doctor import _cache_problem
from fracas.cli.shared.exit_status import DONE
from fracas.cli.shared.output import columns, notice, print_json, say
from fracas.cli.shared.parameters import Format
from fracas.errors import UsageError
from fracas.kernel import jit
from fracas.rulesets import registry


def compile_kernels(
    ruleset: Rulesets = None,
    /,
    *,
    clear: Annotated[bool, Parameter(name="--clear", help="Remove previously compiled code first.")] = False,
    format: Format = "text",
) -> int:
    """Compile what plays battles now, so that run, simulate, compare and serve need not wait.

    What fracas odds, fracas why and environments use besides is compiled when they first need it. All rulesets together
    take up to 2.2 GB of memory; name one ruleset to need less.

    Try:

        fracas machine compile
        fracas machine compile squads --clear
    """
    from fracas.engine.lockstep import finish_lanes
    from fracas.engine.player import compiled_form, make_player, prepare_native
    from fracas.plugins.compile import idle_plugins

    names = _chosen(ruleset)
    problem = _cache_problem()
    if problem is not None:
        raise UsageError.of(str(jit.cache_root()), f"compiled code cannot be stored: {problem}")
    if clear:
        for name in names:
            _clear(name)
    done: list[dict[str, Any]] = []
    for name in names:
        kernels = registry.get(name).kernels
        scenario = _benchmarks(name)[0]
        plugins = idle_plugins(kernels)
        for logged in (False, True):
            player = make_player(scenario, logged=logged, battles=1)
            for functions in (None, plugins) if plugins is not None else (None,):
                form = compiled_form(logged, functions is not None)
                started = time.perf_counter()
                prepare_native(kernels, name, player.record, player.log, functions, notice)
                done.append({"ruleset": name, "variant": form, "seconds": round(time.perf_counter() - started, 2)})
        started = time.perf_counter()
        fit = finish_lanes(kernels, scenario.compiled.record)
        if fit is not None and fit.code is not None:
            form = f"lanes of {fit.code.bits} bits"
            done.append({"ruleset": name, "variant": form, "seconds": round(time.perf_counter() - started, 2)})
    if format == "json":
        print_json({"cache": str(jit.cache_root()), "compiled": done})
    else:
        say(*columns([(row["ruleset"], row["variant"], f"{row['seconds']:.2f} s") for row in done]))
    return DONE


def _clear(ruleset: str) -> None:
    """Remove a ruleset's compiled code; leave any other files in the cache folder alone."""
    for folder in jit.cache_root().glob(f"{ruleset}-*"):
        if re.fullmatch(r"[0-9a-f]{16}", folder.name.removeprefix(f"{ruleset}-")):
            shutil.rmtree(folder, ignore_errors=True)
