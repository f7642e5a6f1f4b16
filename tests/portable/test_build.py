"""Modules are of these sources, small enough, the same wherever they are built, and hold nothing that is refused."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from tests.helpers.guards import ROOT

from fracas.portable import artefacts, build
from fracas.portable.artefacts import layout, module_file, sources_key
from fracas.portable.memory_layout import describe, record_layout
from fracas.portable.wasm_target import imports, refusals
from fracas.rulesets import registry

PACKAGE = ROOT / "src" / "fracas"
TOOLS = {"numba": "1", "llvmlite": "2", "ziglang": "3"}


def test_what_ships_is_of_these_sources_and_within_bounds() -> None:
    """If this fails: pip install -e '.[artefacts]' and python -m fracas.portable.build."""
    assert list(build.stale(registry.NAMES)) == []
    assert list(build.oversized()) == []


@pytest.mark.parametrize("name", registry.NAMES)
def test_the_description_says_what_the_records_are(name: str) -> None:
    kernels, found = registry.get(name).kernels, layout(name)
    assert describe(registry.get(name)) == {key: found[key] for key in describe(registry.get(name))}
    placed = {field["name"]: field for field in found["record"]["fields"]}
    for field in kernels.battle_type.names or ():
        kind, offset, *_ = kernels.battle_type.fields[field]  # type: ignore[index]
        assert placed[field]["offset"] == offset
        assert placed[field]["shape"] == list(kind.shape)
    assert found["log"]["rows"] == 16
    assert found["module"]["bytes"] == module_file(name).stat().st_size


def test_fields_within_fields_are_described() -> None:
    dice = next(field for field in layout("squads")["record"]["fields"] if field["name"] == "dice")
    assert dice["kind"] == "record"
    words = next(field for field in dice["fields"] if field["name"] == "words")
    assert (words["kind"], words["shape"], words["stride"]) == ("u4", [2048], [4])
    grid = record_layout(registry.get("squads").kernels.log_type)["fields"][-1]
    assert (grid["shape"], grid["stride"], grid["kind"]) == ([1 << 17, 8], [32, 4], "i4")


def test_a_module_imports_its_memory_and_nothing_else() -> None:
    for name in registry.NAMES:
        assert imports(module_file(name).read_bytes()) == [("env", "memory")]
    import wasmtime

    text = '(module (import "env" "memory" (memory 1 2)) (import "m" "exp" (func (param f64) (result f64))))'
    assert imports(bytes(wasmtime.wat2wasm(text))) == [("env", "memory"), ("m", "exp")]


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("%3 = fadd fast double %1, %2", "reordered"),
        ("%3 = fmul reassoc nnan double %1, %2", "reordered"),
        ("%3 = call double @llvm.fma.f64(double %1, double %2, double %0)", "rounded as one"),
        ("%3 = call double @llvm.fmuladd.f64(double %1, double %2, double %0)", "rounded as one"),
        ("%3 = call i32 @llvm.wasm.memory.grow.i32(i32 0, i32 1)", "grows"),
        ("%3 = call double @llvm.pow.f64(double %1, double %2)", "mathematics"),
    ],
)
def test_what_would_not_be_the_same_everywhere_is_refused(line: str, what: str) -> None:
    [found] = refusals(f"define void @f() {{\n  {line}\n}}\n")
    assert what in found
    assert line in found


def test_ordinary_arithmetic_is_not_refused() -> None:
    lines = (
        "%3 = fadd double %1, %2",
        "%4 = call double @llvm.floor.f64(double %3)",
        "%5 = call i64 @llvm.smax.i64(i64 %1, i64 %2)",
    )
    assert not list(refusals("\n".join(lines)))


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """The sources of a module in another folder."""
    for part in ("kernel", "rulesets/squads/rules", "portable"):
        shutil.copytree(PACKAGE / part, tmp_path / part, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def test_the_key_knows_sources_and_tools_and_no_folder(copied: Path) -> None:
    key = sources_key("squads", TOOLS, PACKAGE)
    assert sources_key("squads", TOOLS, copied) == key
    assert sources_key("squads", TOOLS | {"llvmlite": "9"}, copied) != key
    file = copied / "rulesets" / "squads" / "rules" / "damage.py"
    text = file.read_bytes()
    file.write_bytes(text.replace(b"\n", b"\r\n"))
    assert sources_key("squads", TOOLS, copied) == key
    file.write_bytes(text + b"# changed\n")
    assert sources_key("squads", TOOLS, copied) != key


def test_an_edited_rule_makes_a_module_stale(monkeypatch: pytest.MonkeyPatch) -> None:
    """A negative control."""
    monkeypatch.setattr(build, "sources_key", lambda name, tools: "another")
    assert [each.partition(":")[0] for each in build.stale(registry.NAMES)] == list(registry.NAMES)
    assert build.main(["--check", "squads"]) == 1


def test_an_event_that_changed_makes_a_description_stale(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "describe", lambda ruleset: {**describe(ruleset), "events": []})
    assert [each for each in build.stale(["squads"]) if "description" in each]


def test_a_module_that_is_too_large_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "MOST_PACKED", 1_000)
    assert len(list(build.oversized())) == len(registry.NAMES)


def test_an_edited_file_is_noticed_at_run_time(monkeypatch: pytest.MonkeyPatch) -> None:
    artefacts.look_again()
    monkeypatch.setattr(artefacts, "sources_key", lambda *_: "another")
    assert not artefacts.is_current("squads")
    monkeypatch.undo()
    artefacts.look_again()
    assert artefacts.is_current("squads")


@pytest.mark.parametrize("name", ["chess", "squads chess"])
def test_an_unknown_ruleset_is_a_sentence(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        build.main(name.split())
    assert "there is no ruleset chess" in capsys.readouterr().err


def test_the_build_to_compare_with_is_of_another_folder_and_another_order_of_hashes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """That the bytes are the same all the same is what `python -m fracas.portable.build --check stacks` finds out."""
    seen = []

    def built(command: list[str], env: dict[str, str], check: bool) -> subprocess.CompletedProcess[bytes]:
        # Where the process that builds finds its sources.
        asked = [sys.executable, "-c", "import fracas; print(fracas.__file__)"]
        found = subprocess.run(asked, env=env, check=True, capture_output=True, text=True, cwd=ROOT / "src")
        seen.append((Path(found.stdout.strip()), env["PYTHONHASHSEED"]))
        *_, name, folder = command
        for file in (module_file(name), artefacts.layout_file(name)):
            shutil.copy(file, folder)
        with module_file(name, Path(folder)).open("ab") as module:
            module.write(changes.get(name, b""))
        return subprocess.CompletedProcess(command, 0)

    changes = {"stacks": b"x"}
    monkeypatch.setattr(build, "subprocess", SimpleNamespace(run=built))
    assert list(build.differing(["stacks"])) == ["stacks: stacks.wasm differs from a build of these sources"]
    changes.clear()
    assert list(build.differing(["stacks"])) == []
    for file, order in seen:
        assert file.parent.name == "fracas"
        assert file.parent != PACKAGE
        assert order not in ("0", "random")
