"""Kernels keep to their form. Each guard is shown a planted fault beside the real sources."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from tests.helpers import guards

from fracas.kernel import jit
from fracas.kernel.jit import kernels
from fracas.lanes.source_names import lane_sources
from fracas.rulesets import registry
from fracas.rulesets.delve.rules.run.loot_simulation import roll_many
from fracas.rulesets.titans.solver.backward_induction import sweep

FILES = guards.kernel_files()
ROOMS = [file for file in FILES if "rulesets" in file.parts]
RULES = [file for file in ROOMS if file.name != "entry_points.py"]
# Compiled as a whole, by `native`; they stand beside what they call.
ENTRY_POINTS = {"roll_many", "sweep", "sweep_pairs", "sweep_views"}
# It writes source once, how lanes read a field, and is not compiled itself.
WRITES_SOURCE = {"_row"}
ALL_SOURCES = sorted(guards.SOURCE.rglob("*.py"))


def title(file: Path) -> str:
    return str(file.relative_to(guards.SOURCE))


def findings(guard: Callable[[str], Iterable[str]], files: Iterable[Path]) -> dict[str, list[str]]:
    """What a guard finds in which files. One test looks at all of them: a thousand tests of a line each take longer."""
    found = {title(file): list(guard(file.read_text())) for file in files}
    return {name: each for name, each in found.items() if each}


GOOD = '''
@kernel
def hit(battle, log):
    """A unit is hit (README, A hit).

    Draws: d100(), even at a chance of 0.
    """
    battle.hp -= 1
'''


def test_there_are_kernels_to_look_at():
    names = {title(file) for file in FILES}
    rules = {
        f"rulesets/{name}/rules/{file}.py" for name in registry.NAMES for file in ("state_enumeration", "entry_points")
    }
    assert {
        "kernel/dice.py",
        "kernel/integer_math.py",
        "kernel/event_log.py",
        "kernel/condition_evaluator.py",
    } | rules <= names
    assert sum(len(guards.kernels_in(file.read_text())) for file in FILES) >= 40


def test_every_kernel_says_what_it_does_and_no_more():
    assert findings(guards.ritual_docstrings, FILES) == {}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Draws: d100(), even at a chance of 0.", "Draws:   none."),
        ("Draws: d100(), even at a chance of 0.", "Rule: README, A hit."),
        ("A hit).", "A hit)"),
    ],
)
def test_the_guard_of_docstrings_finds_a_planted_fault(before, after):
    assert guards.ritual_docstrings(GOOD) == []
    assert guards.ritual_docstrings(GOOD.replace(before, after)) == ["hit"]


def test_every_function_of_the_rules_is_a_kernel():
    assert findings(lambda text: set(guards.undecorated(text)) - ENTRY_POINTS - WRITES_SOURCE, RULES) == {}


def test_the_guard_of_decorators_finds_a_planted_fault():
    assert guards.undecorated(GOOD) == []
    assert guards.undecorated(GOOD.replace("@kernel", "")) == ["hit"]


@pytest.mark.parametrize("mark", ["kernel", "kernel_noinline", 'native_implementation("fracas.kernel.chacha8_simd")'])
def test_the_guard_of_docstrings_looks_at_every_kind_of_kernel(mark):
    careless = GOOD.replace("@kernel", f"@{mark}").replace("A hit).", "A hit)")
    assert guards.ritual_docstrings(careless) == ["hit"]


def test_no_kernel_allocates_raises_or_formats():
    assert findings(guards.forbidden_in_kernels, FILES) == {}


@pytest.mark.parametrize(
    ("line", "finding"),
    [
        ("raise ValueError", "raise"),
        ("x = [1, 2]", "allocates"),
        ("x = {1: 2}", "allocates"),
        ("x = [y for y in battle.units]", "allocates"),
        ("x = np.zeros(3)", "allocates by zeros"),
        ("x = battle.copy()", "allocates by copy"),
        ("x = f'{battle.hp}'", "joinedstr"),
        ("x = 'Kael'", "text 'Kael'"),
        ("print(battle.hp)", "print"),
        ("try:\n        x = 1\n    except Exception:\n        x = 2", "try"),
    ],
)
def test_the_guard_of_form_finds_a_planted_fault(line, finding):
    assert guards.forbidden_in_kernels(GOOD) == []
    assert f"hit: {finding}" in guards.forbidden_in_kernels(GOOD + f"    {line}\n")


def test_nothing_but_the_four_inputs_decides():
    # A duel's server seed is drawn; from then on it is a seed text, kept in the file of the duel. Tokens of the studio
    # open its page, and enter no battle. A server has a clock, and ids and tokens that nobody can guess. What agents
    # choose at random is no roll of a battle; their generator is seeded by a text.
    drawn = {
        "cli/play/duel.py": ["secrets"],
        "cli/play/game_duel.py": ["secrets"],
        "client/tokens.py": ["os.urandom"],
        "envs/agents/agent.py": ["np.random"],
        "server/clock.py": ["time.time_ns"],
        "server/ids.py": ["secrets"],
        "studio/access.py": ["secrets"],
    }
    assert findings(lambda text: sorted(set(guards.impure(text))), ALL_SOURCES) == drawn


@pytest.mark.parametrize(
    "line",
    [
        "import random",
        "from random import random",
        "import secrets",
        "import uuid",
        "x = np.random.default_rng()",
        "x = os.urandom(8)",
        "x = time.time()",
        "f = numba.njit(fastmath=True)(f)",
        "f = numba.njit(parallel=True)(f)",
    ],
)
def test_the_guard_of_inputs_finds_a_planted_fault(line):
    assert guards.impure(GOOD + line) != []


def every_kernel():
    for name in registry.NAMES:
        registry.get(name)
    return kernels()


def test_what_kernels_close_over_cannot_change():
    found = {kernel.__qualname__: guards.mutable_globals(kernel) for kernel in every_kernel()}
    assert {name: names for name, names in found.items() if names} == {}


@pytest.mark.parametrize("name", registry.NAMES)
def test_entry_points_close_over_functions_of_modules_and_nothing_else(name):
    known = registry.get(name).kernels
    for entry in (known.play_many, known.resume_many, known.enumerate_step):
        assert entry is not None
        assert guards.mutable_globals(entry) == []
        held = [cell.cell_contents for cell in entry.__closure__ or ()]
        assert held
        assert all(getattr(importlib.import_module(each.__module__), each.__name__) is each for each in held)


def test_kernels_stand_only_in_rooms_that_are_compiled():
    rooms = {file.relative_to(guards.SOURCE / "rulesets").parts[1] for file in ROOMS}
    assert rooms == {"rules", "solver", guards.LANE_ROOM}


@pytest.mark.parametrize("name", registry.NAMES)
def test_every_kernel_file_is_part_of_the_caches_key(name):
    hashed = jit.compiled_sources(guards.SOURCE, name)
    hashed += lane_sources(guards.SOURCE / "rulesets" / name / guards.LANE_ROOM)
    assert [file for file in ROOMS if name in file.parts and file not in hashed] == []
    assert guards.SOURCE / "rulesets" / name / "rules" / "state.py" in hashed


def test_what_kernels_import_is_part_of_the_caches_key():
    found = {title(file): guards.unhashed_imports(file) for file in ROOMS}
    assert {name: names for name, names in found.items() if names} == {}


def test_the_guard_of_imports_finds_a_planted_fault(tmp_path):
    file = tmp_path / "rulesets" / "squads" / "rules" / "mechanics.py"
    file.parent.mkdir(parents=True)
    foreign = "from fracas.rulesets.squads.content.models import LARGEST"
    file.write_text(f"{foreign}\nfrom fracas.rulesets.squads.rules.state import battle_t")
    assert guards.unhashed_imports(file) == ["fracas.rulesets.squads.content.models.LARGEST"]


TABLE = [1, 2, 3]
FIXED = (1, (2, 3))


def test_the_guard_of_globals_finds_a_planted_fault():
    def careless(place: int) -> int:
        return TABLE[place]

    def careful(place: int) -> int:
        return FIXED[0] + place

    assert guards.mutable_globals(careless) == ["TABLE"]
    assert guards.mutable_globals(careful) == []


def test_every_function_that_is_marked_is_registered():
    modules = {file: ".".join(("fracas", *file.relative_to(guards.SOURCE).with_suffix("").parts)) for file in FILES}
    for module in modules.values():
        importlib.import_module(module)
    # A kernel within a function that makes it is registered where that is called.
    registered = {(each.__module__, each.__qualname__.rpartition(".")[2]) for each in every_kernel()}
    for file, module in modules.items():
        for function in guards.kernels_in(file.read_text()):
            assert (module, function.name) in registered


def test_only_the_one_place_asks_for_a_cache():
    assert findings(guards.cache_users, ALL_SOURCES) == {"kernel/jit.py": ["native", "native_alone"]}


def test_the_guard_of_caches_finds_a_planted_fault():
    assert guards.cache_users("def careless():\n    return njit(cache=True)(hit)") == ["careless"]
    assert guards.cache_users("def careless():\n    dispatcher._cache = kept") == ["careless"]


def test_only_entry_points_are_compiled_with_a_cache():
    calls = [call for file in ALL_SOURCES for call in guards.calls_of(file.read_text(), "native")]
    played = {"kernels.play_many", "kernels.resume_many", "interface.play_script"}
    lanes = {"self.lockstep.plan", "self._plays"}
    assert set(calls) == {*played, *lanes, *ENTRY_POINTS, "enumerate_step", "entry"}
    stepped = [call for file in ALL_SOURCES for call in guards.calls_of(file.read_text(), "native_for")]
    assert stepped == ["self.interface.step_many, self._whole, RESETS"]
    for name in registry.NAMES:
        kernels = registry.get(name).kernels
        made_from = [
            (kernels.play_many, "entry_points"),
            (kernels.resume_many, "entry_points"),
            (kernels.enumerate_step, "state_enumeration"),
        ]
        for entry, module in made_from:
            assert entry is not None
            assert entry.__module__ == f"fracas.rulesets.{name}.rules.{module}"
        if name != "relics":
            interface = registry.get(name).agent_interface()
            for entry in (interface.step_many, interface.play_script):
                assert entry.__module__ == f"fracas.rulesets.{name}.rules.stepping"
    assert roll_many.__module__ == "fracas.rulesets.delve.rules.run.loot_simulation"
    assert sweep.__module__ == "fracas.rulesets.titans.solver.backward_induction"


def test_the_guard_of_entry_points_finds_a_planted_fault():
    assert guards.calls_of("hit = jit.native(take_damage)", "native") == ["take_damage"]


def test_compiled_code_releases_the_lock():
    calls = [line for line in Path(jit.__file__).read_text().splitlines() if ".njit(" in line]
    assert len(calls) == 2
    assert all("nogil=True" in call for call in calls)
