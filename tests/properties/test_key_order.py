"""No result depends on the order of keys: not in a scenario, not in the content, not in what was kept.

Documents pass through hands that sort keys or forget their order: a database's JSONB, `jq -S`, Go's maps. Each test
turns the keys of every table round, at every depth, and demands the same record, events, story and fingerprint.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.helpers import soak
from tests.helpers.compiled import quickest

import fracas
from fracas.content.packs import MOST_KEPT, shipped_folder
from fracas.engine.replay_file import format_of, read_replay
from fracas.engine.scenario import MOST_LOADED, Scenario, compile_document, load_scenario
from fracas.files.process_cache import Memory
from fracas.files.read import parse_json, parse_toml, read_document, read_text
from fracas.files.toml_writer import toml_text
from fracas.replay.load_battle import load_saved_battle
from fracas.replay.session_file import verify_session
from fracas.replay.verify import narrate_replay, verify_replay
from fracas.rulesets import registry
from fracas.rulesets.contract.types import SESSION_FORMAT, Source
from fracas.rulesets.relics.content.models.items import Item
from fracas.rulesets.shared.random_choices import Choices
from fracas.rulesets.stacks.analysis.scenario_generator import random_campaign

EXAMPLES = Path(__file__).parents[2] / "examples"
FILES = [(name, path) for name in registry.NAMES for path in sorted((EXAMPLES / name).glob("*.toml"))]
# The files of the content are turned round for all of them.
SAMPLE = soak.some(FILES, 25)
SEEDS = range(4)
RANDOM = [(name, seed) for name in registry.NAMES for seed in range(soak.times(2))]
# Where the rules number what stands in a table, and the module that does it.
NUMBERING = {name: f"fracas.rulesets.{name}.content.compile" for name in ("squads", "delve", "titans")}
Reorder = Callable[[list[str]], list[str]]


@pytest.fixture(autouse=True)
def plain_mode(monkeypatch: pytest.MonkeyPatch) -> None:
    """Instead of the folder's: no rule is bent here."""
    monkeypatch.setenv("FRACAS_JIT", quickest())


def reordered(value: Any, reorder: Reorder) -> Any:
    """Plain values with the keys of every table in another order."""
    if isinstance(value, dict):
        return {key: reordered(value[key], reorder) for key in reorder(list(value))}
    if isinstance(value, list):
        return [reordered(each, reorder) for each in value]
    return value


def shuffled(value: Any, text: str = "keys") -> Any:
    """The same with its keys shuffled, alike for the same text."""
    dice = Choices(text)
    return reordered(value, lambda keys: dice.some(keys, len(keys), len(keys)))


def backwards(value: Any) -> Any:
    """The same with its keys sorted the wrong way round."""
    return reordered(value, lambda keys: sorted(keys, reverse=True))


def made(scenario: Scenario) -> tuple[Any, ...]:
    """All that decides what a scenario plays, shows and is called: equal ones play the same battles."""
    books = {name: list(entries) for name, entries in scenario.compiled.books.items()}
    document = json.dumps(scenario.document)
    warnings = [problem.message for problem in scenario.warnings]
    return document, scenario.fingerprint, scenario.compiled.record.tobytes(), books, warnings


def played(scenario: Any) -> tuple[Any, ...]:
    """What a scenario's first battle comes to."""
    battle = fracas.run(scenario)
    return battle.winner, battle.rounds, battle.digest, battle.story("all"), json.dumps(battle.as_json())


def random_scenario(name: str, seed: int) -> dict[str, Any]:
    return registry.get(name).random_scenario(seed)


@pytest.mark.parametrize(("name", "seed"), RANDOM)
def test_the_order_of_a_random_scenarios_keys_means_nothing(name: str, seed: int) -> None:
    document = random_scenario(name, seed)
    plain = fracas.load(document)
    for other in (shuffled(document), backwards(document), backwards(plain.document)):
        assert made(fracas.load(other)) == made(plain)
    assert played(shuffled(document, "played")) == played(plain)


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All shipped examples, and the files that they name, with their keys turned round."""
    root = tmp_path_factory.mktemp("examples")
    for file in sorted(path for path in EXAMPLES.rglob("*") if path.suffix in (".toml", ".json")):
        turned_round(file, root / file.relative_to(EXAMPLES))
    return root


def turned_round(file: Path, place: Path) -> None:
    """Write a file with its keys turned round."""
    place.parent.mkdir(parents=True, exist_ok=True)
    text = read_text(file)
    document = parse_json(text, str(file)) if file.suffix == ".json" else parse_toml(text, str(file))
    other = backwards(document)
    place.write_text(json.dumps(other) if file.suffix == ".json" else toml_text(other))
    text = read_text(place)
    assert document == (parse_json(text, str(place)) if file.suffix == ".json" else parse_toml(text, str(place)))


@pytest.mark.parametrize(("name", "path"), SAMPLE, ids=[f"{name}-{path.stem}" for name, path in SAMPLE])
def test_the_order_of_an_examples_keys_means_nothing(examples: Path, name: str, path: Path) -> None:
    plain = load_scenario(path)
    assert made(load_scenario(examples / name / path.name)) == made(plain)
    assert made(fracas.load(backwards(plain.document))) == made(fracas.load(plain.document))


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All shipped content with its keys turned round."""
    root = tmp_path_factory.mktemp("content")
    for name in registry.NAMES:
        for file in sorted(shipped_folder(name).rglob("*.toml")):
            turned_round(file, root / name / file.relative_to(shipped_folder(name)))
    return root


@pytest.mark.parametrize("name", registry.NAMES)
def test_the_order_of_the_contents_keys_means_nothing(
    content: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    files = [path for ruleset, path in FILES if ruleset == name]
    before = [made(load_scenario(path)) for path in files]
    asked = []

    def other_folder(ruleset: str) -> Path:
        asked.append(ruleset)
        return content / ruleset

    monkeypatch.setattr("fracas.content.packs.shipped_folder", other_folder)
    assert [made(load_scenario(path)) for path in files] == before
    assert name in asked


@pytest.mark.parametrize(("name", "seed"), [(name, seed) for name, seed in RANDOM if seed < 2])
def test_a_replay_verifies_and_tells_the_same_whatever_became_of_its_keys(tmp_path: Path, name: str, seed: int) -> None:
    kept, other = tmp_path / "kept.json", tmp_path / "other.json"
    fracas.run(random_scenario(name, seed), stream=seed).save(kept)
    for turned in (backwards, lambda value: reordered(value, sorted)):
        other.write_text(json.dumps(turned(json.loads(kept.read_text()))))
        assert format_of(other) == format_of(kept) == "fracas-replay"
        assert verify_replay(other).matches
        battle = load_saved_battle(other, {})
        assert battle is not None
        assert battle.digest == read_replay(kept).digest
        assert narrate_replay(other).story("all") == narrate_replay(kept).story("all")


def test_a_replay_is_written_in_canonical_order(tmp_path: Path) -> None:
    fracas.run(shuffled(random_scenario("delve", 1))).save(tmp_path / "kept.json")
    scenario = json.loads((tmp_path / "kept.json").read_text())["scenario"]
    assert json.dumps(scenario) == json.dumps(scenario, sort_keys=True)


def test_a_duel_goes_on_and_verifies_whatever_became_of_its_keys(tmp_path: Path) -> None:
    document = read_document(EXAMPLES / "titans" / "ada-and-bo.toml")
    for player in document["players"]:
        player.pop("policy", None)
    session = fracas.DuelSession(document, "5e" * 32)
    ada, bo = session.players
    salts = {ada: ("heads", "01" * 32), bo: ("tails", "02" * 32)}
    for player, (salt, nonce) in salts.items():
        session.seal_salt(player, fracas.DuelSession.salt_seal(player, salt, nonce))
    for player, (salt, nonce) in salts.items():
        session.give_salt(player, salt, nonce)
    for _ in range(3):
        legal = [session.legal_choices(player) for player in (ada, bo)]
        session.submit(ada, legal[0][-1])
        session.submit(bo, legal[1][-1])
        session.resolve()
        for turned in (shuffled, backwards):
            session = fracas.DuelSession.resume(turned(session.as_json()))
    file = tmp_path / "duel.json"
    file.write_text(json.dumps(session.as_json(), sort_keys=True))
    assert format_of(file) == SESSION_FORMAT
    found = verify_session(file)
    assert (found.matches, found.rounds) == (True, 3), found.explanation
    resumed = fracas.DuelSession.resume(backwards(session.as_json()))
    assert json.dumps(resumed.view(ada)) == json.dumps(session.view(ada))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_world_takes_in_a_result_whatever_became_of_its_keys(seed: int) -> None:
    campaigns = registry.get("stacks").campaign
    assert campaigns is not None
    campaign = random_campaign(seed)
    worlds = []
    for document in (campaign, backwards(campaign)):
        resolved = campaigns.resolve_campaign(document, Source("campaign")).document
        fight = campaigns.start(resolved)
        following = fight.next_battle()
        if isinstance(following, dict):
            scenario = fracas.load(following)
            battle = fracas.run(scenario)
            committing = campaigns.start(backwards(scenario.document), backwards(fight.world()))
            assert battle.rows is not None
            committing.commit(scenario.document, battle.rows, scenario.compiled, "world")
            worlds.append((json.dumps(committing.world()), committing.world_text()))
        worlds.append((json.dumps(fight.world()), fight.world_text()))
    assert worlds[: len(worlds) // 2] == worlds[len(worlds) // 2 :]


@pytest.mark.parametrize("path", sorted((EXAMPLES / "relics").glob("*.toml")), ids=lambda path: path.stem)
def test_a_share_code_is_the_same_for_every_order_of_keys(path: Path) -> None:
    document = read_document(path)
    assert fracas.share_codes(backwards(document)) == fracas.share_codes(document)


def test_an_items_text_is_the_same_for_every_order_of_keys() -> None:
    ruleset = registry.get("relics")
    triggers = {"turn_start": [["gain_armor", 1]], "battle_start": [["gain_armor", 2]], "on_hit": [["heal", 1]]}
    texts = []
    for turned in (triggers, backwards(triggers), shuffled(triggers)):
        item = Item.model_validate({"id": "lamp", "triggers": turned})
        texts.append(list(ruleset.describe_entry(item)))
    assert texts[0] == texts[1] == texts[2]
    assert texts[0][0].startswith("Battle start")


# Negative controls: what the tests above have to find.


def as_written(document: Any, *_: Any) -> Any:
    """What the programs would do without a canonical order."""
    return document


@pytest.fixture
def apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that was loaded before is taken up here, and nothing that is loaded here is taken up later."""
    monkeypatch.setattr("fracas.engine.scenario._scenario_cache", Memory(MOST_LOADED))
    for memory in ("_packs", "_libraries"):
        monkeypatch.setattr(f"fracas.content.packs.{memory}", Memory(MOST_KEPT))
    for memory in ("_known", "_seen"):
        monkeypatch.setattr(f"fracas.content.part_cache.{memory}", Memory(MOST_KEPT))
    monkeypatch.setattr("fracas.content.part_cache._made_of", {})


@pytest.mark.usefixtures("apart")
@pytest.mark.parametrize("name", NUMBERING)
def test_numbers_that_go_by_the_order_of_keys_are_found(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    modules = ("content.validate", "content.part_cache", "rulesets.contract.types", "engine.scenario")
    for module in modules:
        monkeypatch.setattr(f"fracas.{module}.canonical", as_written)
    for module in modules[:2]:
        monkeypatch.setattr(f"fracas.{module}.canonical_around", as_written)
    documents = [fracas.load(random_scenario(name, seed)).document for seed in SEEDS]

    def digests(turned: Reorder) -> list[str]:
        found = (compile_document(reordered(document, turned), {}) for document in documents)
        return [fracas.run(each).digest for each in found]

    assert digests(lambda keys: keys[::-1]) == digests(lambda keys: keys)
    monkeypatch.setattr(f"{NUMBERING[name]}.sorted", list, raising=False)
    monkeypatch.setattr(
        "fracas.rulesets.delve.content.fights.sorted", lambda names, key=None: list(names), raising=False
    )
    assert digests(lambda keys: keys[::-1]) != digests(lambda keys: keys)


@pytest.mark.usefixtures("apart")
def test_a_document_that_keeps_the_order_it_was_written_in_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    document = random_scenario("delve", 1)
    monkeypatch.setattr("fracas.engine.scenario.canonical", as_written)
    monkeypatch.setattr("fracas.rulesets.contract.types.canonical", backwards)
    monkeypatch.setattr("fracas.content.part_cache.canonical", as_written)
    for each in ("canonical", "canonical_around"):
        monkeypatch.setattr(f"fracas.content.validate.{each}", as_written)
    other = fracas.load(document)
    monkeypatch.undo()
    # What was loaded under the fault must not be remembered.
    monkeypatch.setattr("fracas.engine.scenario._scenario_cache", Memory(MOST_LOADED))
    assert made(other) != made(fracas.load(document))
