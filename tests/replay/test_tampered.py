"""Whatever is changed in a replay is noticed, and it is said what kind of wrong it is."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.helpers.replays import fields, put, saved, tampered, with_digests, with_fingerprint
from tests.helpers.scenarios import EXAMPLES, attempt, loaded, problems_of

import fracas
from fracas.engine.scenario import compile_document
from fracas.replay.verify import narrate_replay, verify_replay
from fracas.rulesets import registry

OTHER_DIGEST = "0" * 64
SHORT = {"squads": "first-battle.toml", "delve": "stuns.toml"}


@pytest.fixture
def replay(tmp_path):
    return saved(tmp_path)


def refused(path) -> Any:
    [problem] = problems_of(verify_replay, path)
    assert problem.where.startswith(str(path))
    return problem


def at_round(document: dict[str, Any], tick: int, kind: int) -> int:
    return next(place for place, row in enumerate(document["events"]) if row[:2] == [tick, kind])


HIT, CHARGE = 10, 11


@pytest.mark.parametrize("column", range(1, 8))
def test_a_changed_number_of_an_event_is_found_with_its_tick_and_both_events(replay, column):
    document = json.loads(replay.read_text())
    place = at_round(document, 2, HIT)
    before = document["events"][place][column]
    # Another valid code or unit where the column is one, so that both events can be shown.
    other = {1: CHARGE, 2: 8 - before if before in (0, 8) else 0, 3: 8 - before if before in (0, 8) else 0}
    tampered(replay, put("events", place, column, value=other.get(column, before + 1)))
    verification = verify_replay(replay)
    assert not verification.matches
    assert verification.tick == 2
    assert f"number {place}," in verification.explanation
    assert verification.stored != verification.played
    assert verification.played == verification.battle.events[place].as_json()
    assert verification.stored["tick"] == 2


def test_a_changed_tick_of_an_event_is_found(replay):
    document = json.loads(replay.read_text())
    place = at_round(document, 2, HIT)
    tampered(replay, put("events", place, 0, value=3))
    verification = verify_replay(replay)
    assert (verification.matches, verification.tick) == (False, 2)


@pytest.mark.parametrize("value", [999, -7])
def test_a_number_that_no_name_stands_for_is_shown_as_it_is(replay, value):
    document = json.loads(replay.read_text())
    place = at_round(document, 1, HIT)
    tampered(replay, put("events", place, 1, value=999))
    verification = verify_replay(replay)
    assert verification.stored == [1, 999, *document["events"][place][2:]]
    tampered(replay, put("events", place, 1, value=HIT))
    tampered(replay, put("events", place, 3, value=value))
    verification = verify_replay(replay)
    assert not verification.matches
    assert verification.stored == [*document["events"][place][:3], value, *document["events"][place][4:]]


def test_the_first_of_several_changes_is_named(replay):
    def change(document):
        for tick in (3, 2):
            document["events"][at_round(document, tick, HIT)][4] += 1

    tampered(replay, change)
    assert verify_replay(replay).tick == 2


def test_a_missing_last_event_is_found(replay):
    tampered(replay, lambda document: document["events"].pop())
    verification = verify_replay(replay)
    assert not verification.matches
    assert verification.stored is None
    assert verification.played["kind"] == "outcome"
    assert verification.tick == verification.battle.rounds


def test_an_additional_last_event_is_found(replay):
    tampered(replay, lambda document: document["events"].append(document["events"][-1]))
    verification = verify_replay(replay)
    assert not verification.matches
    assert verification.played is None
    assert verification.stored["kind"] == "outcome"


def test_no_events_at_all_are_found(replay):
    tampered(replay, put("events", value=[]))
    verification = verify_replay(replay)
    assert (verification.matches, verification.tick) == (False, 0)
    assert verification.played["kind"] == "battle"


def test_events_with_digests_to_match_are_found_all_the_same(replay):
    def change(document):
        document["events"][at_round(document, 2, HIT)][4] += 1
        with_digests(document)

    tampered(replay, change)
    verification = verify_replay(replay)
    assert (verification.matches, verification.tick) == (False, 2)


def test_a_changed_tick_digest_is_found_with_its_tick(replay):
    tampered(replay, put("tick_digests", 2, 1, value=OTHER_DIGEST))
    verification = verify_replay(replay)
    assert (verification.matches, verification.tick) == (False, 2)
    assert verification.stored == OTHER_DIGEST
    assert verification.played == verification.battle.tick_digests[2]


@pytest.mark.parametrize(
    "change",
    [
        lambda document: document["tick_digests"].pop(),
        lambda document: document["tick_digests"].append(document["tick_digests"][-1]),
        lambda document: document["tick_digests"].append([99, OTHER_DIGEST]),
        lambda document: document["tick_digests"].clear(),
    ],
)
def test_another_list_of_tick_digests_is_found(replay, change):
    assert not verify_replay(tampered(replay, change)).matches


@pytest.mark.parametrize(
    "change",
    [
        put("digest", value=OTHER_DIGEST),
        put("result", "winner", value=0),
        put("result", "reason", value="cap_equal"),
        put("result", "rounds", value=99),
        put("event_count", value=1),
        put("profile", value="tuned"),
        put("seed", value="another"),
        put("stream", value=1),
    ],
)
def test_every_other_statement_of_a_replay_is_compared(replay, change):
    verification = verify_replay(tampered(replay, change))
    assert not verification.matches
    assert verification.stored != verification.played
    assert verification.explanation


@pytest.mark.parametrize("change", [put("seed", value="another"), put("stream", value=2**62)])
def test_other_dice_differ_from_the_first_round_on(replay, change):
    verification = verify_replay(tampered(replay, change))
    assert verification.tick == 1
    assert verification.stored["kind"] == verification.played["kind"] == "initiative"


def test_choices_that_nobody_submitted_are_found(replay):
    tampered(replay, put("choices", value=[{"round": 1}]))
    verification, problems = attempt(verify_replay, replay)
    assert problems or not verification.matches


@pytest.mark.parametrize(
    "keys",
    [
        ("sides", 0, "units", 0, "attack"),
        ("sides", 1, "units", 0, "hp"),
        ("options", "round_cap"),
        ("options", "chain", "stages", 2, "chance"),
        ("options", "formations", "aggressive", "attack"),
        ("abilities", "basic_attack", "effects", 0, "attack"),
    ],
)
def test_edited_content_does_not_match_its_fingerprint(replay, keys):
    def change(document):
        here = document["scenario"]
        for key in keys[:-1]:
            here = here[key]
        here[keys[-1]] += 1

    problem = refused(tampered(replay, change))
    assert "does not match its fingerprint" in problem.message


def test_another_fingerprint_does_not_match_the_content(replay):
    assert "fingerprint" in refused(tampered(replay, put("content_fingerprint", value=OTHER_DIGEST))).message


def test_edited_content_with_a_fingerprint_to_match_plays_another_battle(replay):
    def change(document):
        document["scenario"]["sides"][0]["units"][0]["attack"] += 30
        with_fingerprint(document)

    verification = verify_replay(tampered(replay, change))
    assert (verification.matches, verification.tick) == (False, 1)


def test_content_that_is_no_content_is_refused_even_with_a_fingerprint(replay):
    def change(document):
        document["scenario"]["sides"][0]["units"][0]["attack"] = -1
        with_fingerprint(document)

    problem = refused(tampered(replay, change))
    assert "sides.0.units.0.attack" in problem.where


@pytest.mark.parametrize("version", [0, 1, 999])
def test_rules_that_are_not_installed_are_said_to_be_so(replay, version):
    problem = refused(tampered(replay, put("rules_version", value=version)))
    assert problem.message == f"was made with version {version} of the squads rules; installed is 2"


def test_a_ruleset_that_is_not_installed_is_said_to_be_so(replay):
    problem = refused(tampered(replay, put("ruleset", value="squad")))
    assert problem.message == 'the ruleset "squad" is not installed'
    assert problem.suggestion == 'did you mean "squads"?'


@pytest.mark.parametrize("version", [1, 2])
def test_a_head_that_names_another_ruleset_than_the_scenario_is_refused(replay, version):
    def change(document):
        document.update(ruleset="relics", rules_version=version)

    problem = refused(tampered(replay, change))
    assert "its scenario has another ruleset: the file was edited" in problem.message
    assert problems_of(narrate_replay, replay) == (problem,)


def test_a_scenario_with_another_seed_than_the_head_does_not_verify_and_is_not_told(replay):
    """The fingerprint leaves the seed out."""
    verification = verify_replay(tampered(replay, put("scenario", "seed", value="another")))
    assert not verification.matches
    assert "the seed of its scenario" in verification.explanation
    [problem] = problems_of(narrate_replay, replay)
    assert "its seed is not that of its scenario" in problem.message


def test_a_forged_profile_is_refused_when_it_is_told(replay):
    [problem] = problems_of(narrate_replay, tampered(replay, put("profile", value="legacy")))
    assert "its profile or its seed" in problem.message


@pytest.mark.parametrize("part", ["factions", "owner"])
def test_a_world_that_contradicts_itself_is_refused_by_all_who_read_it(tmp_path, part):
    fracas.run(registry.get("stacks").random_scenario(1)).save(tmp_path / "attack.json")

    def change(document):
        world = document["scenario"]
        if part == "factions":
            attacker = next(each["owner"] for each in world["stacks"] if each["id"] == world["attack"]["stack"])
            for name in [name for name in world["factions"] if name != attacker]:
                del world["factions"][name]
        else:
            world["stacks"][0]["owner"] = "nobody"
        with_fingerprint(document)

    path = tampered(tmp_path / "attack.json", change)
    for read in (verify_replay, narrate_replay):
        problems = problems_of(read, path)
        assert any("there is no faction" in problem.message for problem in problems)
        assert all(problem.where.startswith(f"{path}: scenario: ") for problem in problems)


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("squads", ("sides", 0, "strategy", "abilities")),
        ("delve", ("difficulty", "check")),
        ("delve", ("difficulty", "creature_hp")),
        ("delve", ("difficulty", "creature_damage")),
    ],
)
def test_what_a_scenario_may_leave_out_is_not_missed_when_it_is_told(tmp_path, name, keys):
    """Rule books let other programs leave out what is the same in its absence."""
    fracas.run(EXAMPLES.parent / name / SHORT[name]).save(tmp_path / "battle.json")

    def change(document):
        here = document["scenario"]
        for key in keys[:-1]:
            here = here[key]
        del here[keys[-1]]
        with_fingerprint(document)

    path = tampered(tmp_path / "battle.json", change)
    assert narrate_replay(path).story("all")
    assert verify_replay(path).battle.story("all")


@pytest.mark.parametrize("name", registry.NAMES)
def test_a_resolved_document_leaves_nothing_out(name):
    for seed in range(4):
        document = fracas.load(registry.get(name).random_scenario(seed)).document
        assert compile_document(document, {}).document == document


@pytest.mark.parametrize("share", [0, 1, 2, 10, 50, 90, 99])
def test_a_truncated_file_is_refused(replay, share):
    text = replay.read_bytes()
    replay.write_bytes(text[: len(text) * share // 100])
    refused(replay)


@pytest.mark.parametrize("cut", [1, 2, 3, 5])
def test_a_file_without_its_last_characters_is_refused(replay, cut):
    text = replay.read_text().rstrip()
    replay.write_text(text[:-cut])
    refused(replay)


@pytest.mark.parametrize("key", [key for key in fields() if key not in ("decisions", "game")])
def test_a_replay_without_one_of_its_keys_is_refused(replay, key):
    refused(tampered(replay, lambda document: document.pop(key)))


def test_a_replay_with_a_key_too_many_is_refused(replay):
    refused(tampered(replay, lambda document: document.update(more=1)))


@pytest.mark.parametrize(
    "change",
    [
        put("format", value="something"),
        put("format_version", value=2),
        put("stream", value=-1),
        put("stream", value=2**63),
        put("stream", value=1.5),
        put("stream", value=True),
        put("seed", value=5),
        put("seed", value="x" * 1001),
        put("events", 3, value=[1, 2, 3]),
        put("events", 3, 4, value=2**31),
        put("events", 3, 4, value=-(2**31) - 1),
        put("events", 3, 4, value=1.5),
        put("events", 3, 4, value=None),
        put("events", 3, 4, value="1"),
        put("events", value="none"),
        put("scenario", value={}),
        put("scenario", value=[]),
        put("result", value=None),
        put("tick_digests", value=[[1]]),
        put("plugins", value=[{"name": "x"}]),
        put("rules_version", value="1"),
    ],
)
def test_a_replay_of_the_wrong_shape_is_refused(replay, change):
    refused(tampered(replay, change))


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", "3", '"x"', "not json", "[" * 20_000])
def test_what_is_no_replay_is_refused(replay, text):
    replay.write_text(text)
    refused(replay)
    assert problems_of(narrate_replay, replay)


def test_a_seed_that_is_no_text_is_refused(replay):
    text = replay.read_text().replace('"seed":"duel","stream"', '"seed":"\\ud800","stream"')
    replay.write_text(text)
    refused(replay)


def test_a_replay_of_events_and_digests_that_do_not_match_is_not_told(replay):
    tampered(replay, put("digest", value=OTHER_DIGEST))
    [problem] = problems_of(narrate_replay, replay)
    assert "do not match its digests" in problem.message


@pytest.mark.parametrize(("column", "value"), [(1, 999), (1, 0), (2, 99), (2, 5), (2, -9), (3, 99), (3, 1)], ids=str)
def test_a_forged_event_that_means_nothing_is_refused_when_it_is_told(replay, column, value):
    def change(document):
        document["events"][at_round(document, 1, HIT)][column] = value
        with_digests(document)

    tampered(replay, change)

    def tell() -> tuple[str, object]:
        battle = narrate_replay(replay)
        return battle.story("all"), battle.as_json()

    [problem] = problems_of(tell)
    assert problem.where.startswith(str(replay))


@pytest.mark.parametrize(
    "change",
    [
        put("result", "winner", value=7),
        put("result", "reason", value="cap_equal"),
        put("result", "rounds", value=99),
        put("event_count", value=1),
    ],
)
def test_a_forged_result_is_refused_when_it_is_told(replay, change):
    [problem] = problems_of(narrate_replay, tampered(replay, change))
    assert problem.where == str(replay)
    assert "the file was edited" in problem.message


def test_a_battle_without_its_end_is_not_told(replay):
    def change(document):
        document["events"].pop()
        with_digests(document)

    assert problems_of(narrate_replay, tampered(replay, change))
    assert problems_of(narrate_replay, tampered(replay, no_events))


def no_events(document):
    document["events"] = [[0, 1, -1, -1, 0, 0, 0, 0]]
    with_digests(document)


def test_an_untouched_replay_passes_all_this(replay):
    assert verify_replay(replay).matches
    assert narrate_replay(replay).digest == fracas.run(loaded()).digest
