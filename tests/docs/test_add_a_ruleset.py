"""The page on adding a ruleset gives a whole one, made with the kit: its files pass the contract tests."""

from __future__ import annotations

import inspect
import sys
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scripts.pages import ROOT, blocks_of
from tests.contract import test_every_ruleset as contract

import fracas.rulesets
from fracas import load, run
from fracas.content import packs
from fracas.kernel import identity, jit
from fracas.kernel.snapshots import as_words, mutable_spans
from fracas.lab.exact.state_enumeration import ONE, enumerate_states
from fracas.rulesets import registry

PAGE = ROOT / "docs/how-to/add-a-ruleset.md"
NAME = "coins"
FILES = {block.value: block.text for block in blocks_of(PAGE.read_text(encoding="utf-8")) if block.mark == "file"}
EXAMPLE = f"examples/{NAME}/first-game.toml"


def checks() -> list[Callable[..., None]]:
    """The contract tests: what each takes are a ruleset's name and the path of an example."""
    found = [value for name, value in vars(contract).items() if name.startswith("test_")]
    return [check for check in found if set(inspect.signature(check).parameters) <= {"name", "path"}]


def forget() -> None:
    """Drop the toy's modules and kernels, so that no other test finds them."""
    toy = f"fracas.rulesets.{NAME}"
    if f"{toy}.ruleset" in sys.modules:
        identity.forget(sys.modules[f"{toy}.ruleset"].RULESET.identity)
    for module in [name for name in sys.modules if name.startswith(toy)]:
        del sys.modules[module]
    jit._kernels[:] = [kernel for kernel in jit._kernels if not kernel.__module__.startswith(toy)]
    vars(fracas.rulesets).pop(NAME, None)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with the files of the page, where the ruleset of the page is registered."""
    folder = tmp_path_factory.mktemp("project")
    for name, text in FILES.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    package = folder / "src" / "fracas"
    shipped = packs.shipped_folder

    def shipped_folder(ruleset: str) -> Path:
        return package / "data" / NAME if ruleset == NAME else shipped(ruleset)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fracas.rulesets, "__path__", [*fracas.rulesets.__path__, str(package / "rulesets")])
        patch.setattr(registry, "NAMES", (*registry.NAMES, NAME))
        patch.setattr(packs, "shipped_folder", shipped_folder)
        patch.setattr(contract, "ROOT", folder)
        patch.setattr(contract, "GOLDEN", folder / "tests" / "golden")
        patch.setattr(contract, "PACKAGE", package)
        # The key of compiled code is made of files in the installed package, and the toy is not there.
        patch.setenv("FRACAS_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        patch.setenv("FRACAS_JIT", "0")
        yield folder
    forget()


@pytest.mark.parametrize("check", checks(), ids=lambda check: check.__name__)
def test_the_ruleset_of_the_page_passes_the_contract_tests(check: Callable[..., None], project: Path) -> None:
    parameters = inspect.signature(check).parameters
    arguments: dict[str, Any] = {"name": NAME, "path": project / EXAMPLE}
    check(**{name: arguments[name] for name in parameters})


def test_the_contract_tests_are_found() -> None:
    """A negative control: without them the test above says nothing."""
    names = {check.__name__ for check in checks()}
    assert len(names) > 30
    assert {"test_the_standard_files_are_there", "test_an_example_runs_and_is_told_in_three_details"} <= names


def test_a_missing_file_is_noticed(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contract, "DECLARED_FILES", (*contract.DECLARED_FILES, "rules/mint.py"))
    with pytest.raises(AssertionError, match=r"mint\.py"):
        contract.test_the_standard_files_are_there(NAME)


def test_its_code_is_kept_under_the_hash_of_its_rules(project: Path) -> None:
    """Otherwise an edit of its rules would be played by code that was compiled before."""
    ruleset = registry.get(NAME)
    assert ruleset.rules_hash
    for entry in (ruleset.kernels.play_many, ruleset.kernels.resume_many, ruleset.kernels.enumerate_step):
        assert entry is not None
        assert jit.identity_of(entry) == ruleset.identity


def test_the_page_has_no_file_that_the_tree_has() -> None:
    assert not [name for name in FILES if (ROOT / name).exists()]


def test_compiled_it_plays_as_it_plays_plain(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scenario = load(project / EXAMPLE)
    plain = [run(scenario, stream=stream) for stream in range(5)]
    monkeypatch.setenv("FRACAS_JIT", "1")
    native = [run(scenario, stream=stream) for stream in range(5)]
    assert [battle.digest for battle in native] == [battle.digest for battle in plain]
    assert len({battle.digest for battle in plain}) > 1


def test_exact_odds_follow_its_steps(project: Path) -> None:
    """Two fair coins, first to one head: a round decides in three of four cases, and both sides are equally likely."""
    side = {"coin": "fair"}
    document = {"ruleset": NAME, "options": {"heads": 1, "round_cap": 2}, "sides": [side, side]}
    ways = enumerate_states(load(document))
    assert ways.is_complete
    chances: Counter[str] = Counter()
    for (winner, reason, _), chance in ways.endings.items():
        chances[f"{winner} {registry.get(NAME).reasons[reason]}"] += chance
    assert {name: chance / ONE for name, chance in chances.items()} == pytest.approx(
        {"1 heads": 5 / 16, "2 heads": 5 / 16, "0 both": 5 / 16, "0 round_cap": 1 / 16}
    )


def test_a_game_can_be_played_on_from_each_round(project: Path) -> None:
    scenario = load(project / EXAMPLE)
    kernels = scenario.ruleset.kernels
    points = scenario.ruleset.analysis.decision_points(scenario.compiled, scenario.document, 0)
    assert [point.tick for point in points] == list(range(1, run(scenario).rounds + 1))
    records, results = scenario.compiled.record.copy(), np.zeros(1, kernels.result_type)
    spans = mutable_spans(records.dtype, kernels.constant_fields)
    assert kernels.resume_many is not None
    for point in points:
        place = np.array(point.resume_at, np.int64)
        kernels.resume_many(records, as_words(records), point.snapshot, spans, 0, results, place, None)
        assert results[0]["rounds"] == run(scenario).rounds


def test_every_other_coin_of_the_content_is_a_swap(project: Path) -> None:
    scenario = load(project / EXAMPLE)
    (swap,) = scenario.ruleset.swaps(scenario.document, 1)
    assert (swap.place, swap.removed, swap.added) == ("sides.0.coin", "Fair coin", "Loaded coin")
    assert load(swap.document).document == swap.document


def test_the_story_on_the_page_is_that_of_the_example(project: Path) -> None:
    story = run(load(project / EXAMPLE)).story()
    assert textwrap.indent(story, "   ") in PAGE.read_text(encoding="utf-8")
