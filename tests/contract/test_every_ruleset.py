"""What every ruleset in the registry has to have. A new one that lacks something fails here."""

from __future__ import annotations

import importlib
import inspect
import json
import random
import re
import tomllib
from collections import Counter
from collections.abc import Sequence
from dataclasses import FrozenInstanceError, fields
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.helpers import soak

import fracas
from fracas import Battle, Scenario, load, run, simulate
from fracas.conditions import check_names
from fracas.conditions.markdown import vocabulary_table
from fracas.engine.campaign import load_campaign, run_campaign
from fracas.errors import InputError
from fracas.events.markdown import code_table, event_table
from fracas.events.tick_labels import EncounterPlaces, TurnPlaces
from fracas.files.read import read_document
from fracas.kernel.event_log import COLUMNS
from fracas.kernel.event_protocol import DETAILS
from fracas.kit import Game
from fracas.rulesets import registry
from fracas.rulesets.contract.ruleset import Ruleset
from fracas.rulesets.contract.types import Finding, Source
from fracas.rulesets.stacks.analysis.scenario_generator import random_campaign

ROOT = Path(__file__).parents[2]
PACKAGE = Path(fracas.__file__).parent
GOLDEN = ROOT / "tests" / "golden"
STANDARD_FILES = (
    "README.md",
    "ruleset.py",
    "template.toml",
    "rules/constants.py",
    "rules/state.py",
    "rules/events.py",
    "rules/entry_points.py",
    "rules/state_enumeration.py",
    "content/models",
    "content/library.py",
    "content/compile.py",
    "content/vocabulary.py",
    "content/lint",
    "narration/story.py",
    "narration/summary.py",
    "analysis/lab_hooks.py",
    "analysis/decision_points.py",
    "analysis/search_space.py",
    "analysis/scenario_generator.py",
)
# A ruleset made with the kit declares the rest in its module.
DECLARED_FILES = ("README.md", "ruleset.py")
RESULT_FIELDS = ("winner", "reason", "rounds", "fault", "blocks_drawn", "hp_left", "units_left")
RANDOM_SCENARIOS = 30
RANDOM_CAMPAIGNS = 4


def example_files(name: str) -> list[Path]:
    return sorted((ROOT / "examples" / name).glob("*.toml"))


RULESETS = pytest.mark.parametrize("name", registry.NAMES)
EXAMPLES = pytest.mark.parametrize(
    ("name", "path"),
    [(name, path) for name in registry.NAMES for path in example_files(name)],
    ids=[f"{name}-{path.stem}" for name in registry.NAMES for path in example_files(name)],
)


# A spread sample of the examples, in a soak all, for what other tests look at too.


def sampled(name: str) -> Sequence[Path]:
    """A few examples of a ruleset; in a soak all."""
    files = example_files(name)
    return soak.some(files, min(4, len(files)))


SAMPLES = pytest.mark.parametrize(
    ("name", "path"),
    [pytest.param(name, path, id=f"{name}-{path.stem}") for name in registry.NAMES for path in sampled(name)],
)


def ruleset_of(name: str) -> Ruleset:
    return registry.get(name)


@cache
def loaded(path: Path) -> Scenario:
    return load(path)


@cache
def battle_of(path: Path) -> Battle:
    return run(loaded(path))


def test_there_are_rulesets_and_each_goes_by_its_name() -> None:
    assert registry.NAMES
    assert [ruleset_of(name).name for name in registry.NAMES] == list(registry.NAMES)


def test_an_unknown_ruleset_is_refused_with_the_nearest_name() -> None:
    for name in registry.NAMES:
        with pytest.raises(InputError, match=name):
            registry.get(name[:-1])


def is_there(place: Path) -> bool:
    """A large module may have become a room of the same name."""
    return place.is_file() or (place / "__init__.py").is_file() or place.with_suffix(".py").is_file()


@RULESETS
def test_the_standard_files_are_there(name: str) -> None:
    folder = PACKAGE / "rulesets" / name
    wanted = DECLARED_FILES if isinstance(ruleset_of(name), Game) else STANDARD_FILES
    assert [file for file in wanted if not is_there(folder / file)] == []


@RULESETS
def test_it_is_introduced_in_a_few_words(name: str) -> None:
    ruleset = ruleset_of(name)
    assert ruleset.title
    assert ruleset.summary
    assert "\n" not in ruleset.summary


@RULESETS
def test_its_rules_have_a_version(name: str) -> None:
    version = ruleset_of(name).rules_version
    assert type(version) is int
    assert version >= 1
    if not isinstance(ruleset_of(name), Game):
        constants = importlib.import_module(f"fracas.rulesets.{name}.rules.constants")
        assert version == constants.RULES_VERSION


@RULESETS
def test_its_vocabulary_is_sound(name: str) -> None:
    check_names(ruleset_of(name).vocabulary)


# The rule book.


def readme(name: str) -> str:
    return (PACKAGE / "rulesets" / name / "README.md").read_text(encoding="utf-8")


def generated_sections(text: str) -> dict[str, str]:
    """The generated sections of a page, by name."""
    found = re.findall(r"<!-- generated: ([\w ]+) -->\n(.*?)\n<!-- end -->", text, re.DOTALL)
    return dict(found)


def wanted_sections(ruleset: Ruleset) -> dict[str, str]:
    """What the generated sections of a rule book have to hold."""
    return {
        "vocabulary": vocabulary_table(ruleset.vocabulary),
        "events": f"{event_table(ruleset.protocol)}\n\n{code_table(ruleset.codebooks)}",
    }


@RULESETS
def test_the_generated_sections_of_its_rule_book_are_up_to_date(name: str) -> None:
    wanted = wanted_sections(ruleset_of(name))
    found = generated_sections(readme(name))
    assert {section: found.get(section) for section in wanted} == wanted


@RULESETS
def test_an_outdated_section_is_found(name: str) -> None:
    """A negative control: one word of one table is another."""
    text = readme(name)
    outdated = text.replace("| fact | is |", "| fact | was |", 1)
    assert outdated != text
    assert generated_sections(outdated)["vocabulary"] != wanted_sections(ruleset_of(name))["vocabulary"]
    assert generated_sections(outdated)["events"] == wanted_sections(ruleset_of(name))["events"]


@RULESETS
def test_events_cannot_be_changed_and_hold_nothing_but_their_fields(name: str) -> None:
    for declared in ruleset_of(name).protocol.kinds.values():
        event = declared(0, *(0 for _ in fields(declared)[1:]))  # whatever the fields stand for
        assert not hasattr(event, "__dict__")
        with pytest.raises(FrozenInstanceError):
            event.tick = 1  # type: ignore[misc]  # what is tried here


@RULESETS
def test_every_event_kind_is_documented_with_its_columns(name: str) -> None:
    text, protocol = readme(name), ruleset_of(name).protocol
    for kind, declared in protocol.kinds.items():
        (line,) = re.findall(rf"^\| {kind} \| `{declared.NAME}` \|.*$", text, re.MULTILINE)
        assert (declared.__doc__ or "").strip().splitlines()[0].replace("|", "\\|") in line
        for plan in protocol.plan(kind):
            assert plan.name in line
            assert plan.doc or COLUMNS[plan.column] == plan.name, f"{declared.NAME}.{plan.name} has no description"
        assert declared.DETAIL in DETAILS


@RULESETS
def test_every_rule_option_is_documented(name: str) -> None:
    text = readme(name)
    (path, *_) = example_files(name)
    for option in loaded(path).document.get("options", {}):
        assert option in text


@RULESETS
def test_its_rule_book_has_the_sections_an_implementer_looks_for(name: str) -> None:
    headings = set(re.findall(r"^##+ (.+)$", readme(name), re.MULTILINE))
    assert {"State", "Dice", "Set-up", "Order of play", "Event rows", "Deviations"} <= headings


# Events.


@cache
def random_documents(name: str) -> list[dict[str, Any]]:
    return [ruleset_of(name).random_scenario(number) for number in range(RANDOM_SCENARIOS)]


@cache
def random_battles(name: str) -> list[Battle]:
    """Random battles, compiled: tests/modes compares both modes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FRACAS_JIT", "1")
        return [run(document) for document in random_documents(name)]


def occurring(name: str) -> Counter[int]:
    """How often each kind occurs in the golden replays and in random battles."""
    seen: Counter[int] = Counter()
    for file in sorted((GOLDEN / "replays" / name).glob("*.json")):
        seen.update(row[1] for row in json.loads(file.read_bytes())["events"])
    for battle in random_battles(name):
        assert battle.rows is not None
        seen.update(battle.rows[:, 1].tolist())
    return seen


@RULESETS
def test_every_event_kind_occurs_in_a_golden_or_random_battle_and_no_other_does(name: str) -> None:
    ruleset = ruleset_of(name)
    assert set(occurring(name)) == set(ruleset.protocol.kinds) - ruleset.rare_event_kinds


@RULESETS
def test_rare_event_kinds_are_those_of_campaigns_and_plug_ins_alone(name: str) -> None:
    """A kind that no lone battle writes must come from somewhere: its rulesets have campaigns or plug-ins."""
    ruleset = ruleset_of(name)
    written: set[int] = set()
    for number in range(RANDOM_CAMPAIGNS):
        if ruleset.campaign is not None:
            campaign = random_campaign(number)
            written |= set(run_campaign(load_campaign(campaign)).rows[:, 1].tolist())
    assert written <= set(ruleset.protocol.kinds)
    missing = ruleset.rare_event_kinds - written
    assert not missing or ruleset.kernels.plugin is not None
    assert len(missing) <= 1


@RULESETS
def test_the_documented_codes_are_those_of_battles(name: str) -> None:
    """The code tables of the rule book name the numbers as the books of a compiled battle do."""
    (path, *_) = example_files(name)
    books = loaded(path).compiled.books
    for book, words in ruleset_of(name).codebooks.items():
        used = list(books[book])
        assert used[: len(words)] == list(words), book


@RULESETS
def test_reasons_are_told_by_name(name: str) -> None:
    ruleset = ruleset_of(name)
    assert len(set(ruleset.reasons)) == len(ruleset.reasons)
    assert {battle_of(path).reason for path in example_files(name)} <= set(ruleset.reasons)


# Kernels.


@RULESETS
def test_its_entry_point_has_the_shape_that_players_call(name: str) -> None:
    kernels = ruleset_of(name).kernels
    parameters = list(inspect.signature(kernels.play_many).parameters)
    assert parameters == ["battles", "first_stream", "results", "logs", "plugins"]
    assert set(RESULT_FIELDS) <= set(kernels.result_type.names or ())
    assert kernels.log_type["rows"].shape[1] == len(COLUMNS)
    assert kernels.log_type["rows"].base == np.int32
    assert not hasattr(kernels.play_many, "py_func"), "the entry point is compiled on import"


@RULESETS
def test_its_default_profile_is_one(name: str) -> None:
    ruleset = ruleset_of(name)
    assert ruleset.default_profile in ruleset.read_library(None, ()).of("profiles")


@RULESETS
def test_its_model_of_what_is_resolved_exports_a_schema(name: str) -> None:
    # Those of files: tests/replay/test_json_schema.py.
    assert ruleset_of(name).models.resolved.model_json_schema()["type"] == "object"


# Examples and content.


@RULESETS
def test_it_has_examples(name: str) -> None:
    assert example_files(name)


@RULESETS
def test_its_examples_load_without_a_warning(name: str) -> None:
    scenarios = {path.stem: loaded(path) for path in example_files(name)}
    assert {scenario.ruleset for scenario in scenarios.values()} == {ruleset_of(name)}
    assert {stem: scenario.id for stem, scenario in scenarios.items()} == {stem: stem for stem in scenarios}
    assert {stem: scenario.warnings for stem, scenario in scenarios.items() if scenario.warnings} == {}


@RULESETS
def test_its_examples_say_what_they_show(name: str) -> None:
    assert [path for path in example_files(name) if not path.read_text(encoding="utf-8").startswith("# ")] == []


@EXAMPLES
def test_an_example_runs_and_is_told_in_three_details(name: str, path: Path) -> None:
    battle = battle_of(path)
    story, decisions, everything = ([line.text for line in battle.lines(detail)] for detail in DETAILS)
    assert 0 < len(story) <= len(decisions) <= len(everything)
    assert battle.digest == run(loaded(path)).digest
    assert list(battle.tick_digests) == sorted({event.tick for event in battle.events})


@EXAMPLES
def test_its_rounds_and_places_are_those_of_its_events(name: str, path: Path) -> None:
    battle, ruleset = battle_of(path), ruleset_of(name)
    places = ruleset.tick_labels(battle.scenario.document)
    assert ruleset.count_rounds(battle.events) == battle.rounds
    orders = [places.order(event.tick) for event in battle.events]
    assert orders == sorted(orders), "events go back in the order of play"
    assert places.order(battle.events[0].tick) == 0
    encounter, number = places.decision(places.first_round)
    assert (encounter is None) == (not isinstance(places, EncounterPlaces))
    assert number == (0 if isinstance(places, TurnPlaces) else 1)
    for tick in battle.tick_digests:
        assert battle.place(tick)


@RULESETS
def test_the_sides_of_its_examples_have_names_that_differ(name: str) -> None:
    names = {path.stem: ruleset_of(name).side_names(loaded(path).document) for path in example_files(name)}
    assert {stem: sides for stem, sides in names.items() if not all(sides) or len(set(sides)) != 2} == {}


@EXAMPLES
def test_what_it_measures_are_fields_of_its_results(name: str, path: Path) -> None:
    scenario, ruleset, battle = loaded(path), ruleset_of(name), battle_of(path)
    rows = np.zeros(3, ruleset.kernels.result_type)
    # Every number of every row another one, so that equal values come from the same place.
    numbers = rows.view(np.int64)
    numbers[:] = np.arange(1, len(numbers) + 1)
    measures = ruleset.measures(scenario.compiled, scenario.document)
    assert len({measure.name for measure in measures}) == len(measures)
    columns: dict[str, Any] = {}
    for measure in measures:
        for column, values in measure.columns(rows):
            assert len(values) == 3
            assert np.array_equal(columns.setdefault(column, values), values), f"{column} is two things"
    results = simulate(scenario, n=1)
    assert (results.tally.rounds, results.wins[0]) == (battle.rounds, int(battle.winner == 1))
    assert bool(results.statistics) == bool(measures)
    assert set(results.titles) == set(results.statistics)


@SAMPLES
def test_its_chronicle_is_plain_data_and_stands_in_the_document(name: str, path: Path) -> None:
    battle = battle_of(path)
    document = battle.as_json()
    assert ("chronicle" in document) == (battle.chronicle is not None)
    assert json.loads(json.dumps(document)) == document


@SAMPLES
def test_an_example_can_be_linted(name: str, path: Path) -> None:
    findings = ruleset_of(name).lint(read_document(path), Source(str(path), path.parent))
    assert all(isinstance(finding, Finding) for finding in findings)
    assert all(finding.rule and finding.where and finding.message for finding in findings)


@RULESETS
def test_the_shipped_content_is_sound_and_has_no_finding(name: str) -> None:
    ruleset = ruleset_of(name)
    for profile in ruleset.read_library(None, ()).of("profiles"):
        ruleset.read_library(profile, ())
    assert not ruleset.lint_content()


@RULESETS
def test_it_has_a_benchmark_that_is_an_example(name: str) -> None:
    benchmarks = ruleset_of(name).benchmarks
    assert benchmarks
    stems = {path.stem for path in example_files(name)}
    assert set(benchmarks) <= stems


@RULESETS
def test_its_template_is_a_valid_scenario(name: str) -> None:
    text = ruleset_of(name).template()
    document = tomllib.loads(text)
    assert document["ruleset"] == name
    scenario = load(document, strict=True)
    assert run(scenario).rounds > 0
    assert text.count("#") > 5, "a template is a commented scenario"


@RULESETS
def test_its_template_pack_is_content_and_a_scenario_that_uses_it(name: str) -> None:
    files = ruleset_of(name).template_pack()
    assert set(files) == {"pack.toml", "scenarios/first.toml"}
    assert tomllib.loads(files["scenarios/first.toml"])["ruleset"] == name
    assert "ruleset" not in tomllib.loads(files["pack.toml"])


# Random scenarios.


@RULESETS
def test_its_random_scenarios_are_the_same_for_the_same_number(name: str) -> None:
    ruleset = ruleset_of(name)
    again = {number: ruleset.random_scenario(number) for number in reversed(range(0, RANDOM_SCENARIOS, 3))}
    assert {number: random_documents(name)[number] for number in again} == again


@RULESETS
def test_its_random_scenarios_differ_are_valid_and_end(name: str) -> None:
    assert {document["ruleset"] for document in random_documents(name)} == {name}
    assert len({battle.digest for battle in random_battles(name)}) == RANDOM_SCENARIOS


@RULESETS
def test_what_is_resolved_resolves_to_itself_and_compiles_the_same(name: str) -> None:
    ruleset, source = ruleset_of(name), Source("test")
    documents = soak.some(random_documents(name), 12)
    random_ones = [ruleset.resolve(document, source).document for document in documents]
    for once in [*random_ones, *(loaded(path).document for path in sampled(name))]:
        again = ruleset.resolve(once, source).document
        assert again == once, once["id"]
        assert np.array_equal(ruleset.compile(again, {}).record, ruleset.compile(once, {}).record)


@RULESETS
def test_random_scenarios_take_no_notice_of_other_generators(name: str) -> None:
    before = random.getstate()
    first = ruleset_of(name).random_scenario(7)
    assert random.getstate() == before
    random.seed(2)
    assert ruleset_of(name).random_scenario(7) == first
