"""A delve battle as a story: what each detail tells, that it fits on a page, and that its arithmetic is right."""

from __future__ import annotations

import random
import re
from functools import cache
from typing import Any

import numpy as np
import pytest
from tests.helpers import sums
from tests.helpers.delve_scenarios import creature, duel, played, run, run_that_ends
from tests.helpers.scenarios import problems_of
from tests.helpers.soak import times

import fracas
from fracas.events.styled_text import ROLES
from fracas.rulesets import registry
from fracas.rulesets.delve.narration.labels import short

DELVE = registry.get("delve")
RANDOM = range(24)
DETAILS = ("story", "decisions", "all")


@cache
def random_battle(number: int) -> fracas.Battle:
    return fracas.run(DELVE.random_scenario(number))


def battles() -> list[fracas.Battle]:
    return [played(), played(duel()), *(random_battle(number) for number in RANDOM)]


def events(battle: fracas.Battle, *kinds: str) -> list[Any]:
    return [event for event in battle.events if event.NAME in kinds]


def count(battle: fracas.Battle, *kinds: str) -> int:
    return len(events(battle, *kinds))


# Every detail.


@pytest.mark.parametrize("number", RANDOM)
def test_any_battle_is_told_in_three_details_in_its_order(number):
    battle = random_battle(number)
    order = DELVE.tick_labels(battle.scenario.document).order
    lengths = []
    for detail in DETAILS:
        lines = battle.lines(detail)
        lengths.append(len(lines))
        assert [order(line.tick) for line in lines] == sorted(order(line.tick) for line in lines)
        assert {role for line in lines for _, role in line.spans} <= set(ROLES)
    assert lengths == sorted(lengths)


def test_a_story_tells_every_roll_with_its_target_number():
    for battle in battles():
        told = battle.story()
        for event in events(battle, "attack", "check", "loot_roll", "flee"):
            sign = "≤" if event.roll <= event.chance else ">"
            assert f"{event.roll}{sign}{event.chance}" in told


def test_every_decision_is_told_with_its_slot_and_why_those_above_were_passed_over():
    for battle in battles():
        lines = [line.text for line in battle.lines("decisions")]
        assert sum(" uses slot " in line for line in lines) == count(battle, "use")
        reasons = ("its condition does not hold: ", "it cannot be paid: ", "cooling down, ", "nobody is hurt")
        passed = [line for line in lines if re.match(r"      \d+ ", line) and any(reason in line for reason in reasons)]
        assert len(passed) == count(battle, "passed_over")
        assert sum(" aims at " in line for line in lines) == count(battle, "target")


def test_a_story_leaves_reasons_and_arithmetic_out():
    story = played().story()
    assert not re.search(r"uses slot|aims at|condition does not hold|to hit|initiative of", story)


def test_a_newcomers_fight_takes_few_lines_a_round():
    for battle in (played(), played(duel())):
        lines = [line.text for line in battle.lines()]
        fights = count(battle, "attack", "heal", "condition_tick", "stunned", "pass", "phase", "rout")
        assert len(lines) <= fights + 3 * battle.rounds + 60


def test_no_line_of_a_fight_is_wider_than_a_terminal():
    for battle in (played(), played(duel())):
        for detail in ("story", "decisions"):
            wide = [line.text for line in battle.lines(detail) if len(line.text) > 80]
            assert [line for line in wide if "→" in line] == []


# Arithmetic.


@pytest.mark.parametrize("number", [None, *RANDOM])
def test_all_arithmetic_can_be_checked_by_hand(number):
    battle = played() if number is None else random_battle(number)
    lines = [line.text.strip() for line in battle.lines("all")]
    assert sum(sums.check_to_hit(line) for line in lines) == count(battle, "attack")
    damages = [value for line in lines if (value := sums.damage(line)) is not None]
    assert damages == [event.lost for event in events(battle, "hit")]
    healings = [value for line in lines if (value := sums.healing(line)) is not None]
    assert healings == [event.restored for event in events(battle, "heal")]
    initiatives = [sums.total(found["sum"]) for line in lines if (found := sums.INITIATIVE.search(line))]
    assert initiatives == [event.total for event in events(battle, "initiative")]
    checks = [sums.chance(found["sum"]) for line in lines if (found := sums.CHECK.match(line))]
    assert checks == [event.chance for event in events(battle, "check")]
    flights = [sums.chance(found["sum"]) for line in lines if (found := sums.FLEE.match(line))]
    assert flights == [event.chance for event in events(battle, "flee")]


@pytest.mark.parametrize(
    "line",
    [
        "to hit 50 + 30 might - 30 speed = 51; rolled 40: hit (critical to 6, fumble from 97)",
        "to hit 50 + 30 might - 30 speed = 50; rolled 51: hit (critical to 6, fumble from 97)",
        "to hit 50 + 90 might - 30 speed = 110, at least 95; rolled 40: hit (critical to 6, fumble from 97)",
        "to hit 50 + 90 might - 30 speed = 110; rolled 40: hit (critical to 6, fumble from 97)",
        "damage 9 of 3 to 8 + 3 might = 12",
        "damage 5 of 3 to 8 + 3 might = 9",
        "damage 5 of 3 to 8 + 3 might = 8, 120% by difficulty = 10",
        "damage 5 of 3 to 8 + 3 might = 8, doubled = 8",
        "damage 5 of 3 to 8 + 3 might = 8, at least 1",
        "healing 5 of 3 to 8 + 3 presence = 8, halved by bleeding = 5",
    ],
)
def test_wrong_arithmetic_is_found(line):
    check = {"to": sums.check_to_hit, "damage": sums.damage, "healing": sums.healing}[line.split()[0]]
    with pytest.raises(AssertionError):
        check(line)


def test_changed_events_show_in_the_arithmetic():
    """A negative control: one point more of damage, and the line says what does not fit."""
    battle = played(duel())
    rows = np.array(battle.rows)
    first = next(event for event in events(battle, "damage") if event.armor)
    rows[battle.events.index(first), 5] += 1
    changed = DELVE.protocol.decode(rows, battle.scenario.compiled.books)
    lines = DELVE.narrate(changed, battle.scenario.compiled, battle.scenario.document, "all")
    with pytest.raises(AssertionError):
        [sums.damage(line.text) for line in lines]


# Encounters, names, beginning and end.


def test_every_encounter_has_a_heading_with_its_number_and_type():
    battle = played()
    told = battle.story()
    for event in events(battle, "encounter"):
        name = battle.scenario.document["quest"]["encounters"][event.number]["name"]
        assert re.search(rf"^Encounter {event.number}: {name} ═+ {event.type}$", told, re.MULTILINE)


def test_rounds_of_a_run_are_told_as_places_that_replay_takes():
    battle = played()
    told = set(re.findall(r"^Round (\d+\.\d+) ", battle.story(), re.MULTILINE))
    places = DELVE.tick_labels(battle.scenario.document)
    rounds = {event.tick for event in battle.events if event.NAME == "round"}
    assert {places.read(place) for place in told} == rounds
    assert re.findall(r"^Round (\d+) ", played(duel()).story(), re.MULTILINE)[0] == "1"


def test_an_ambush_is_told_before_its_fight():
    told = played().story()
    assert told.index("It was a lure.") < told.index("An ambush!") < told.index("Round 2.1")


def test_the_loot_stands_at_the_end_of_a_run_that_comes_home():
    battle = run_that_ends("completed")
    spoils = events(battle, "spoils")[0]
    _, _, home = battle.story().partition("Brought home\n")
    assert f"{spoils.xp} XP, {spoils.gold} gold, {spoils.items} item" in home
    assert len(re.findall(r"\((?:encounter \d+|chest)\)", home)) == spoils.items
    assert "(chest)" in home


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("completed", "The Burrow is complete."),
        ("party_wipe", "and lost everything it found"),
        ("fled", "is abandoned: the party fled from encounter"),
    ],
)
def test_the_end_says_what_became_of_the_run(reason, words):
    battle = run_that_ends(reason)
    assert words in battle.story()
    assert ("Brought home, nothing" in battle.story()) == (reason == "party_wipe")


def test_those_of_the_same_name_are_told_apart():
    same = [creature("rat", name="Rat"), creature("rat", name="Rat"), creature("mouse", name="Kael")]
    told = played(duel(enemies=same)).story()
    for name in ("Rat", "Rat-2", "Kael 2"):
        assert f" {name} " in told


def test_a_long_name_is_told_once_and_then_short():
    boss = creature("queen", name="Skreeta, Queen of All the Lower Burrows", hp=60)
    story = played(duel(enemies=[boss])).story()
    assert story.count("Queen of All the Lower Burrows") == 1
    assert story.count("Skreeta") > 3


def test_what_was_done_is_summed_up_from_the_events():
    battle = played(duel())
    _, _, table = battle.story().partition("kills\n")
    hits = events(battle, "hit")
    ticks = [event for event in events(battle, "condition_tick") if event.condition != "regenerating"]
    for name, title in (("1.kael", "Kael"), ("2.king", "King")):
        dealt = sum(hit.lost for hit in hits if hit.actor == name) + sum(t.amount for t in ticks if t.actor == name)
        taken = sum(hit.lost for hit in hits if hit.target == name) + sum(t.amount for t in ticks if t.target == name)
        [row] = re.findall(rf"^  {title} +(\d+) +\d+ +(\d+)", table, re.MULTILINE)
        assert row == (str(dealt), str(taken))


def test_an_item_without_room_for_its_bonuses_has_them_below():
    names = {"rare": {"id": "rare", "bonuses": 6, "tiers": {"grand": 1}}}
    weights = {"spear": {"template": "spear", "weight": 1, "rarity_weights": {"rare": 1}}}
    tables = {"pockets": {"id": "pockets", "rows": [weights["spear"]]}}
    battle = played(run(rarities=names, loot_tables=tables))
    assert max(len(line.text) for line in battle.lines()) <= 81


# Replays that somebody has edited.


def forged(battle: fracas.Battle, number: int) -> Any:
    """The events of a battle with some of them changed, dropped or swapped; None if they stand for nothing."""
    chance, rows = random.Random(number), np.array(battle.rows)
    for _ in range(chance.randint(1, 6)):
        place, other = chance.randrange(len(rows)), chance.randrange(len(rows))
        kind = chance.choice(("change", "change", "drop", "swap"))
        if kind == "change":
            rows[place, chance.randrange(8)] = chance.choice((-1, 0, 1, 2, 5, 40, 70_000, 2**31 - 1))
        elif kind == "drop":
            rows = np.delete(rows, min(place, len(rows) - 1), 0)
        else:
            rows[[place, min(other, len(rows) - 1)]] = rows[[min(other, len(rows) - 1), place]]
    try:
        return DELVE.protocol.decode(rows, battle.scenario.compiled.books)
    except LookupError:
        return None


def test_events_that_no_battle_has_are_told_all_the_same_or_refused():
    told = refused = 0
    for document in (run(), duel()):
        battle = played(document)
        for number in range(times(60)):
            edited = forged(battle, number)
            if edited is None:
                continue
            for detail in DETAILS:
                DELVE.narrate(edited, battle.scenario.compiled, battle.scenario.document, detail)
            told += 1
            refused += bool(problems_of(DELVE.chronicle, edited, battle.scenario.document))
    assert told > 40
    assert refused > 20


def test_an_ambush_that_is_beaten_after_a_failed_check_leaves_nobody_standing():
    document = run()
    fork = {"name": "climb", "check": "luck", "difficulty": 100, "failure": {"ambush": [creature("rat", hp=5)]}}
    document["quest"]["encounters"] = [{"type": "decision", "name": "The fork", "options": [fork]}]
    ends = []
    for stream in range(8):
        battle = fracas.run(fracas.load(document), stream=stream)
        [ended] = events(battle, "encounter_end")
        if ended.outcome == "Survived" and ended.rounds:
            ends += re.findall(r"They come through.*", battle.story())
    assert ends
    assert not any("still standing" in end for end in ends)


def test_a_fight_that_is_only_survived_leaves_its_enemies_standing():
    document = run(options={"round_cap": 1})
    document["quest"]["encounters"] = document["quest"]["encounters"][1:2]
    document["quest"]["encounters"][0]["enemies"] = [creature("wall", hp=900)]
    assert "They come through after 1 round, the enemies still standing." in played(document).story()


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("Goblin Bulwark", "Goblin Bulwark"),
        ("Skreeta, Queen of the Warrens", "Skreeta"),
        ("The King Under Chalk", "King"),
        ("The Still Foreman", "Still Foreman"),
        ("Knight of the Crypt", "Knight"),
        ("Eluned the Elder", "Eluned"),
        ("Drowned Brother-2", "Drowned Brother-2"),
        ("The", "The"),
    ],
)
def test_names_are_shortened_to_a_column(name, title):
    assert short(name) == title
