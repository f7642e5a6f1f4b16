"""The interpreter under Node: whatever a battle's events say is in its frames, and the last one is the result."""

from __future__ import annotations

import json
import re

import pytest
from tests.helpers import soak
from tests.helpers.javascript import output_of
from tests.helpers.player import framed

import fracas
from fracas.content.packs import examples_folder
from fracas.rulesets import registry
from fracas.rulesets.delve.rules import events as delve
from fracas.rulesets.squads.rules import events as squads
from fracas.web.modules import FOLDER
from fracas.web.stage_setup import stage_setup

SHOWN = {"hurt", "heal", "shield", "gain"}


@pytest.fixture(scope="module", params=registry.NAMES)
def examples(request, tmp_path_factory):
    """Examples of a ruleset, in a soak all, and the frames of each."""
    every = sorted((examples_folder() / request.param).glob("*.toml"))
    paths = soak.some(every, min(8, len(every)))
    battles = [fracas.run(fracas.load(path)) for path in paths]
    return list(zip(battles, framed(battles, tmp_path_factory.mktemp("frames")), strict=True))


def test_the_last_frame_of_an_example_is_its_result(examples):
    for battle, told in examples:
        assert told["hp"] == [max(0, hp) for hp in battle.hp_left], battle
        assert told["winner"] == battle.winner, battle
        assert told["kinds"][-1] == "end", battle


def test_frames_follow_each_other_and_hold_every_event_once(examples):
    for battle, told in examples:
        held = [place for first, last in told["spans"] for place in range(first, last + 1)]
        assert held == list(range(len(battle.events)))
        assert told["starts"] == sorted(told["starts"])
        assert told["found"] == list(range(len(told["spans"])))


def test_words_are_filled_in_and_amounts_are_there(examples):
    for _, told in examples:
        texts = [*told["titles"], *(each["words"] for each in told["effects"])]
        texts += [step for each in told["effects"] for step in each["why"]]
        assert not [text for text in texts if "{" in text or "undefined" in text or text.startswith("nobody")]
        assert all(each["on"] is not None for each in told["effects"])
        assert all(each["amount"] is not None for each in told["effects"] if each["look"] in SHOWN)


def test_the_cause_of_a_fall_is_about_the_side_whose_odds_fell(examples):
    """What harms it or helps the other side, wherever there is such a thing in the round."""
    found = 0
    for _, told in examples:
        for at in told["causes"]:
            for side, cause in zip((1, 2), at["causes"], strict=True):
                fits = [
                    event
                    for look, on, event in at["seen"]
                    if look in ({"hurt", "fall"} if on == side else {"heal", "shield"})
                ]
                assert not fits or {event for _, _, event in cause} <= set(fits), (side, cause)
                found += bool(fits) and len(cause) > 1
    assert found > 0


def test_a_cause_is_an_act_with_those_whom_it_met_and_growing_restores_nothing():
    """Two hits of one act weigh more than the heaviest single one; of many two are named, hits on one are summed."""
    script = f"""
    import {{ causeOf, restoredBy }} from '{(FOLDER / "odds.js").as_uri()}';
    const units = new Map([1, 2, 3, 4].map(place => [place, {{ side: place < 4 ? 1 : 2 }}]));
    const hurt = (on, amount, by = 4) => ({{ look: 'hurt', on, by, amount, also: 0, of: 100 }});
    const frame = (title, effects) => ({{ kind: 'action', title, actor: 4, units, effects }});
    const nameOf = place => 'abcd'[place - 1];
    const of = frames => causeOf(frames, 1, nameOf);
    console.log(JSON.stringify([
      of([frame('Cut', [hurt(1, 18)]), frame('Arc', [hurt(1, 14), hurt(2, 12)])]),
      of([frame('Arc', [hurt(1, 5), hurt(1, 6), hurt(2, 7), hurt(3, 1)])]),
      of([frame('Cut', [hurt(4, 90, 1), hurt(1, 3), {{ look: 'fall', on: 1, by: 4, amount: null }}])]),
      [[5, 8, 10], [5, 10, 10], [4, 12, 8], [3, 3, 0]].map(([amount, left, max]) =>
        restoredBy({{ on: 1, amount, left }}, new Map([[1, {{ present: true, gauges: {{ max }} }}]]))),
    ]));
    """
    told = json.loads(output_of(["--input-type=module", "--eval", script]))
    assert told[:3] == ["d, Arc: a −14, b −12", "d, Arc: b −7, a −11 and 1 more", "d, Cut: a falls"]
    assert told[3] == [5, 5, 0, 0]


def test_rounds_of_cooldowns_are_those_that_the_events_tell(examples):
    """A unit that passes something over because it cools down has it on its card, with the rounds left."""
    checked = 0
    for battle, told in examples:
        assert battle.rows is not None
        skills = stage_setup(battle.scenario).get("books", {}).get("skill", [])
        for (first, last), before in zip(told["spans"][1:], told["cooling"], strict=False):
            for place in range(first, last + 1):
                event, actor = battle.events[place], int(battle.rows[place, 2])
                if isinstance(event, delve.PassedOver) and event.obstacle == "cooling down":
                    skill = skills[battle.scenario.compiled.books["skill"].index(event.skill)]
                    assert [actor, skill, event.figure] in before, (battle, place)
                    checked += 1
                if isinstance(event, squads.Choice):
                    cooling = [name for number, name, _ in before if number == actor]
                    assert event.ability not in cooling, (battle, place)
                    if event.class_ability == "cooling down":
                        assert cooling, (battle, place)
                        checked += 1
    assert (checked > 50) == (examples[0][0].scenario.ruleset.name in ("squads", "delve"))


def test_a_hit_says_who_whom_how_much_and_why(tmp_path):
    battle = fracas.run(fracas.load(examples_folder() / "squads" / "standard-5v5.toml"))
    (told,) = framed([battle], tmp_path)
    first = next(each for each in told["effects"] if each["look"] == "hurt")
    assert (first["by"], first["on"], first["amount"]) == (9, 2, 49)
    assert first["why"] == [
        "aimed by mages",
        "power 45: attack 45, defence 0, HP 0",
        "class advantage 120 %: 45 → 54",
        "defense 5: 54 → 49",
    ]
    assert told["titles"][first["frame"]] == "Piercing Shaft"
    criticals = [each for each in told["effects"] if each["critical"]]
    rolls = [event for event in battle.events if isinstance(event, squads.Roll) and event.roll <= event.chance]
    assert len(criticals) == len(rolls) > 0


def test_equal_names_on_both_sides_are_two_fighters(tmp_path):
    document = fracas.load(examples_folder() / "relics" / "first-duel.toml").document
    document["right"] = {**document["left"]}
    battle = fracas.run(fracas.load(document))
    (told,) = framed([battle], tmp_path)
    assert told["hp"] == [max(0, hp) for hp in battle.hp_left]


def test_the_story_tells_every_hit_in_order_and_adds_them_up(examples):
    """A line for each effect that is seen, each at its event; then what everybody dealt and took."""
    for battle, told in examples:
        places = [event for event, text in told["story"] if text.strip()]
        assert [place for place in places if place >= 0] == sorted(place for place in places if place >= 0)
        texts = [text for _, text in told["story"]]
        assert not [text for text in texts if "undefined" in text or "NaN" in text or "{" in text]
        hurts = [each for each in told["effects"] if each["look"] == "hurt"]
        lines = dict(zip((event for event, _ in told["story"]), texts, strict=True))
        for each in hurts:
            lost = f"−{each['amount']:.1f}".removesuffix(".0")
            assert any(lost in text for event, text in told["story"] if event == each["event"]), (battle, lines)
        sums = [text for text in texts if "dealt" in text and "taken" in text]
        assert len(sums) == 1
        names = battle.scenario.ruleset.side_names(battle.scenario.document)
        ending = f"Victory for {names[battle.winner - 1]}" if battle.winner else "A draw"
        assert any(text.startswith(ending) for text in texts)


def test_the_totals_of_a_story_are_those_of_the_terminal(tmp_path):
    """Of a squads battle: what each unit dealt, healed and took, as `fracas run` prints it."""
    battle = fracas.run(fracas.load(examples_folder() / "squads" / "standard-5v5.toml"))
    (told,) = framed([battle], tmp_path)

    def sums(lines):
        start = next(at for at, line in enumerate(lines) if "dealt" in line and "taken" in line)
        heads = lines[start].split()
        rows = [re.findall(r" (\d+)(?= |$)", line[len("  1 Name") :]) for line in lines[start + 1 : start + 11]]
        return [(row[heads.index("dealt")], row[heads.index("taken")]) for row in rows]

    assert sums([text for _, text in told["story"]]) == sums([line.text for line in battle.lines()])
