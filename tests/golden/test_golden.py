"""Golden battles: shipped examples as they played when they were kept, to the letter and to the byte.

Three kinds of files, none ever edited by hand:

    text/<ruleset>/<example>.txt        a battle told at detail `all`, or a long one as a story, with its digest
    replays/<ruleset>/<example>.json    a saved replay of every example
    ladders/<ruleset>/<example>.txt     its build against every opponent of the content, a line for each

A difference is a bug, or a change of behaviour that brings its RULES_VERSION and its changelog sentence along. Only in
the second case write the files anew, and read the diff as the effect of the change:

    FRACAS_GOLDEN=write .venv/bin/python -m pytest tests/golden
"""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.helpers.compiled import quickest
from tests.helpers.rules import bend

from fracas import load, run, verify
from fracas.engine.battle import Battle
from fracas.errors import InputError
from fracas.replay.verify import narrate_replay
from fracas.rulesets import registry
from fracas.rulesets.squads.rules.events import Hit

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples"
IS_WRITING = os.environ.get("FRACAS_GOLDEN") == "write"

# The examples that are kept as text, by ruleset: short ones that show as much as possible between them.
TEXTS: dict[str, tuple[str, ...]] = {
    "squads": ("attack-up-down", "border-clash", "custom-chain", "round-cap-draw", "stun", "taunt"),
    "delve": ("ambush-at-the-ford", "decision-and-ambush", "poison-bleed-burn", "shields-and-healing", "stuns"),
    "stacks": ("oath-at-the-well", "one-mammoth"),
    "relics": (
        "first-duel",
        "home-made-items",
        "own-statuses",
        "standard",
        "the-lamplighter",
        "thorn-knight-and-pyre",
        "winter-as-in-the-game",
    ),
    "titans": ("ada-and-bo", "forfeit", "head-profile", "striker-weaver", "submitted-choices", "sudden-death"),
}
# Long ones, kept as stories: a playthrough of each quest of delve.
STORIES: dict[str, tuple[str, ...]] = {
    "delve": ("bridge-of-hooks", "chalk-court", "drowned-abbey", "goblin-warrens", "still-foundry", "tannery-beast"),
}
# The examples whose left side is kept as it climbs the ladder.
LADDERS: dict[str, tuple[str, ...]] = {"relics": ("first-duel", "full-shelf")}
TOLD = [(ruleset, stem) for kept in (TEXTS, STORIES) for ruleset, stems in kept.items() for stem in stems]
KEPT = [(name, path.stem) for name in registry.NAMES for path in sorted((EXAMPLES / name).glob("*.toml"))]
CLIMBED = [(ruleset, stem) for ruleset, stems in LADDERS.items() for stem in stems]
LARGEST = 3 * 1024 * 1024


def text_file(ruleset: str, stem: str) -> Path:
    return HERE / "text" / ruleset / f"{stem}.txt"


def replay_file(ruleset: str, stem: str) -> Path:
    return HERE / "replays" / ruleset / f"{stem}.json"


def ladder_file(ruleset: str, stem: str) -> Path:
    return HERE / "ladders" / ruleset / f"{stem}.txt"


def played(ruleset: str, stem: str) -> Battle:
    return run(EXAMPLES / ruleset / f"{stem}.toml")


@cache
def played_once(ruleset: str, stem: str) -> Battle:
    """A battle by the rules as they are, for the tests that bend none."""
    return played(ruleset, stem)


def as_text(battle: Battle) -> str:
    """What a golden text holds."""
    scenario = battle.scenario
    name = scenario.ruleset.name
    head = f"{name}, rules version {scenario.ruleset.rules_version}: {scenario.id}"
    detail = "story" if scenario.id in STORIES.get(name, ()) else "all"
    return f"{head}\ndigest {battle.digest}\n\n{battle.story(detail)}\n"


def ladder_text(ruleset: str, stem: str, most: int | None = None) -> str:
    """What a golden ladder holds: the first battle of each match-up, or of the first ones, from either side."""
    scenario = load(EXAMPLES / ruleset / f"{stem}.toml")
    lines = [f"{ruleset}, rules version {scenario.ruleset.rules_version}: {stem} against every opponent"]
    for match in scenario.ruleset.ladder(scenario.document)[:most]:
        told = [f"{match.kind} {match.id}{'' if match.level is None else f' {match.level}'}"]
        for side, document in enumerate(match.documents):
            battle = run(document)
            outcome = "draw" if not battle.winner else "won" if battle.winner == side + 1 else "lost"
            told.append(f"{outcome} in turn {battle.rounds}, {battle.digest[:16]}")
        lines.append("; ".join(told))
    return "\n".join(lines) + "\n"


@pytest.fixture(scope="module", autouse=True)
def _written_anew() -> None:
    """Write all golden files first if that is asked for."""
    if IS_WRITING:
        for file in golden_files():
            file.unlink()
        for told in TOLD:
            text_file(*told).parent.mkdir(parents=True, exist_ok=True)
            text_file(*told).write_text(as_text(played(*told)), encoding="utf-8", newline="\n")
        for kept in KEPT:
            replay_file(*kept).parent.mkdir(parents=True, exist_ok=True)
            played(*kept).save(replay_file(*kept))
        for climbed in CLIMBED:
            ladder_file(*climbed).parent.mkdir(parents=True, exist_ok=True)
            ladder_file(*climbed).write_text(ladder_text(*climbed), encoding="utf-8", newline="\n")


def golden_files() -> list[Path]:
    """Everything that is kept."""
    folders = (HERE / "text", HERE / "replays", HERE / "ladders")
    return [file for folder in folders for file in folder.rglob("*") if file.is_file()]


@pytest.mark.parametrize(("ruleset", "stem"), TOLD, ids=[f"{ruleset}-{stem}" for ruleset, stem in TOLD])
def test_a_battle_is_told_as_it_was(ruleset: str, stem: str) -> None:
    kept = text_file(ruleset, stem).read_text(encoding="utf-8").splitlines()
    told = as_text(played_once(ruleset, stem)).splitlines()
    for number, (line, wanted) in enumerate(zip(told, kept, strict=False), 1):
        assert line == wanted, f"line {number}"
    assert len(told) == len(kept)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Battles of all examples, which bend no rule; those that are told are played plain."""
    monkeypatch.setenv("FRACAS_JIT", quickest())


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(("ruleset", "stem"), KEPT, ids=[f"{ruleset}-{stem}" for ruleset, stem in KEPT])
def test_a_replay_verifies(ruleset: str, stem: str) -> None:
    verification = verify(replay_file(ruleset, stem))
    assert verification.matches, f"{verification.explanation}: {verification.stored} {verification.played}"


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(("ruleset", "stem"), KEPT, ids=[f"{ruleset}-{stem}" for ruleset, stem in KEPT])
def test_an_example_is_still_the_battle_that_was_kept(ruleset: str, stem: str) -> None:
    """The replay brings its own content; the example and the shipped content have to give the same battle."""
    kept = narrate_replay(replay_file(ruleset, stem))
    battle = played_once(ruleset, stem)
    assert battle.scenario.document == load(kept.scenario.document).document
    assert (battle.digest, battle.winner, battle.reason, battle.rounds) == (
        kept.digest,
        kept.winner,
        kept.reason,
        kept.rounds,
    )


@pytest.mark.parametrize(("ruleset", "stem"), CLIMBED, ids=[f"{ruleset}-{stem}" for ruleset, stem in CLIMBED])
def test_a_build_climbs_its_ladder_as_it_did(ruleset: str, stem: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FRACAS_JIT", "1")  # hundreds of battles
    kept = ladder_file(ruleset, stem).read_text(encoding="utf-8").splitlines()
    assert ladder_text(ruleset, stem).splitlines() == kept


@pytest.mark.parametrize("ruleset", registry.NAMES)
def test_every_ruleset_has_golden_battles(ruleset: str) -> None:
    assert TEXTS.get(ruleset), f"{ruleset} has no golden text"
    assert [name for name, _ in KEPT if name == ruleset], f"{ruleset} has no example to keep"
    for stem in TEXTS[ruleset]:
        assert text_file(ruleset, stem).is_file()


def test_there_is_no_golden_file_without_its_example_and_none_is_missing() -> None:
    texts = {(file.parent.name, file.stem) for file in (HERE / "text").rglob("*.txt")}
    replays = {(file.parent.name, file.stem) for file in (HERE / "replays").rglob("*.json")}
    ladders = {(file.parent.name, file.stem) for file in (HERE / "ladders").rglob("*.txt")}
    assert texts == set(TOLD)
    assert replays == set(KEPT)
    assert ladders == set(CLIMBED)


def test_the_golden_files_stay_small() -> None:
    assert sum(file.stat().st_size for file in golden_files()) < LARGEST


# Negative controls: what must not pass.


def weaken(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small change of one rule: defense takes off one point more."""
    bend(monkeypatch, "defense_reduction", lambda kept: lambda *arguments: kept(*arguments) + 1)


def darken(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small change of one rule of delve: every chance to hit is one per cent less."""
    bend(monkeypatch, "calculate_hit_chance", lambda kept: lambda *arguments: kept(*arguments) - 1, "delve")


def blunt(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small change of one rule of stacks: every pair of rolls counts for one hit more."""
    bend(monkeypatch, "hits", lambda kept: lambda *arguments: kept(*arguments) + 1, "stacks")


def sharpen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small change of one rule of relics: every packet of damage is one more."""

    def harder(kept: Any) -> Any:
        return lambda battle, target, amount, *rest: kept(battle, target, amount + 1, *rest)

    bend(monkeypatch, "packet", harder, "relics")


def hasten(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small change of one rule of titans: whoever would be second acts first."""
    bend(monkeypatch, "roll_speeds", lambda kept: lambda *arguments: 1 - kept(*arguments), "titans")


CHANGES = [("squads", weaken), ("delve", darken), ("stacks", blunt), ("relics", sharpen), ("titans", hasten)]


@pytest.mark.parametrize(("ruleset", "change"), CHANGES)
def test_a_changed_rule_changes_every_golden_text(monkeypatch: pytest.MonkeyPatch, ruleset: str, change: Any) -> None:
    change(monkeypatch)
    for stem in (*TEXTS[ruleset], *STORIES.get(ruleset, ())):
        assert as_text(played(ruleset, stem)) != text_file(ruleset, stem).read_text(encoding="utf-8")


def test_a_changed_rule_changes_a_ladder(monkeypatch: pytest.MonkeyPatch) -> None:
    sharpen(monkeypatch)
    kept = ladder_file("relics", "first-duel").read_text(encoding="utf-8").splitlines()
    climbed = ladder_text("relics", "first-duel", most=4).splitlines()
    assert climbed[0] == kept[0]
    assert set(climbed[1:]).isdisjoint(kept)


def test_a_changed_rule_is_found_by_verifying_and_the_round_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    weaken(monkeypatch)
    verification = verify(replay_file("squads", "standard-5v5"))
    assert not verification.matches
    assert verification.tick == 1
    assert verification.stored["kind"] == verification.played["kind"] == "stage"
    assert verification.played["figure"] == verification.stored["figure"] + 1


def test_a_changed_rule_of_a_run_is_found_and_its_encounter_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    darken(monkeypatch)
    verification = verify(replay_file("delve", "goblin-warrens"))
    assert not verification.matches
    assert verification.tick is not None
    assert verification.battle.place(verification.tick) == "encounter 1, round 1"
    assert "in encounter 1, round 1" in verification.explanation
    assert verification.stored["kind"] == verification.played["kind"] == "attack"
    assert verification.played["chance"] == verification.stored["chance"] - 1


def edited(tmp_path: Path, change: Any) -> Path:
    """A golden replay with something changed in it."""
    document = json.loads(replay_file("squads", "stun").read_text(encoding="utf-8"))
    change(document)
    file = tmp_path / "edited.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    return file


def one_point_more(document: dict[str, Any]) -> None:
    hits = [row for row in document["events"] if row[1] == Hit.KIND and row[0] == 3]
    hits[0][6] += 1


def test_an_edited_event_is_found_and_its_round_is_named(tmp_path: Path) -> None:
    verification = verify(edited(tmp_path, one_point_more))
    assert (verification.matches, verification.tick) == (False, 3)
    assert verification.stored["lost"] == verification.played["lost"] + 1


@pytest.mark.parametrize(
    "change",
    [
        lambda document: document["events"].pop(),
        lambda document: document["events"].append(document["events"][-1]),
        lambda document: document["result"].update(winner=3 - document["result"]["winner"]),
        lambda document: document["result"].update(rounds=document["result"]["rounds"] + 1),
        lambda document: document.update(digest="0" * 64),
        lambda document: document.update(event_count=1),
        lambda document: document.update(stream=1),
        lambda document: document.update(seed="another"),
        lambda document: document["tick_digests"][2].__setitem__(1, "0" * 64),
        lambda document: document["tick_digests"].pop(),
    ],
    ids=[
        "an event less",
        "an event more",
        "winner",
        "rounds",
        "digest",
        "count",
        "stream",
        "seed",
        "a tick's digest",
        "a tick less",
    ],
)
def test_an_edited_replay_does_not_verify(tmp_path: Path, change: Any) -> None:
    assert not verify(edited(tmp_path, change)).matches


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda document: document["scenario"]["sides"][0]["units"][0].update(hp=999), "fingerprint"),
        (lambda document: document.update(rules_version=document["rules_version"] + 1), "version"),
        (lambda document: document.update(format_version=99), "format"),
        (lambda document: document.pop("events"), "events"),
        (lambda document: document.update(ruleset="squab"), "squab"),
    ],
    ids=["content", "rules version", "format version", "no events", "ruleset"],
)
def test_a_replay_that_cannot_be_checked_is_refused_not_called_different(
    tmp_path: Path, change: Any, complaint: str
) -> None:
    with pytest.raises(InputError, match=complaint):
        verify(edited(tmp_path, change))


def test_a_replay_verifies_with_other_content_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It embeds what it used: changing the shipped unit files cannot touch it."""
    monkeypatch.setattr("fracas.content.packs.shipped_folder", lambda ruleset: tmp_path)
    with pytest.raises(InputError):
        load(EXAMPLES / "squads" / "stun.toml")
    assert verify(replay_file("squads", "stun")).matches
