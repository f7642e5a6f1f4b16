"""The field in the terminal: every kind of map, before and after, with those who stay out."""

from __future__ import annotations

import pytest
from tests.helpers.stacks import EXAMPLES, attack, stack, unit

import fracas
from fracas.events.styled_text import ASIDE, SIDE_1, SIDE_2
from fracas.rulesets import registry
from fracas.rulesets.stacks.narration.battlefield_drawing import draw
from fracas.rulesets.stacks.narration.labels import Participants
from fracas.rulesets.stacks.rules.events import Outcome, Turn

HEXAGONS = """\
                          ______________________
                         /         3,2          \\
  ______________________/        1 North         \\______________________
 /         2,3          \\   1 unit ██████ 9/9    /         4,3          \\
/                        \\______________________/         · Far          \\
\\       of Nobody        /        3,3 ◎         \\         1 unit         /
 \\______________________/        2 Middle        \\______________________/
 /         2,4          \\   1 unit ███░░░ 5/9    /         4,4          \\
/                        \\______________________/                        \\
\\                        /         3,4          \\                        /
 \\______________________/                        \\______________________/
                        \\                        /
                         \\______________________/
  · Far stays out: allied with neither side."""

SQUARES = """\
                         +------------------------+
                         |          0,0           |
                         |        1 North         |
                         |   1 unit ██████ 9/9    |
                         +------------------------+------------------------+
                         |         0,1 ◎          |          1,1           |
                         |        2 Middle        |                        |
                         |   1 unit ██████ 9/9    |                        |
                         +------------------------+------------------------+
                         |          0,2           |
                         |                        |
                         |                        |
                         +------------------------+
  The field ends at the edge of the map."""

NAMES = ("1 North", "2 Middle", "· Far")


def drawn(document, **healths):
    participants = Participants(fracas.load(document).document)
    return list(
        draw(
            participants, {**participants.healths, **{name.replace("__", "."): left for name, left in healths.items()}}
        )
    )


def text(lines):
    return "\n".join("".join(part for part, _ in spans).rstrip() for spans in lines)


def field(kind, place, other, *more, **values):
    stacks = [stack("north", "red", other), stack("middle", "blue", place), *more]
    return attack(
        map={"kind": kind, "width": 8, "height": 8},
        stacks=stacks,
        attack={"stack": "north", "tile": list(place)},
        **values,
    )


def test_hexagons_stand_in_columns_with_bystanders_and_owners():
    far = stack("far", "grey", (4, 3))
    document = field("hex", (3, 3), (3, 2), far, tiles={"2,3": {"owner": "nobody"}})
    document["factions"]["nobody"] = {}
    assert text(drawn(document, middle__guard=5)) == HEXAGONS


def test_squares_stand_in_rows_and_the_edge_of_the_map_is_told():
    lines = text(drawn(field("square4", (0, 1), (0, 0))))
    assert lines == "\n".join(line[25:] if not line.startswith("  The") else line for line in SQUARES.splitlines())


def test_eight_neighbours_make_nine_tiles():
    lines = text(drawn(field("square8", (2, 2), (1, 1))))
    for x in (1, 2, 3):
        for y in (1, 2, 3):
            assert f" {x},{y} " in lines


def test_each_side_has_its_role_and_bystanders_have_none():
    lines = drawn(field("hex", (3, 3), (3, 2), stack("far", "grey", (4, 3))))
    roles = {name: role for spans in lines for part, role in spans for name in NAMES if name in part}
    assert [roles[name] for name in NAMES] == [SIDE_1, SIDE_2, ASIDE]


def test_the_fallen_are_told_and_long_names_are_cut():
    document = field("hex", (3, 3), (3, 2))
    document["stacks"][0]["name"] = "A stack whose name does not fit into any tile"
    lines = text(drawn(document, middle__guard=0))
    assert "fallen" in lines
    assert "…" in lines
    assert max(map(len, lines.splitlines())) <= 80


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.toml")), ids=lambda path: path.stem)
def test_no_picture_of_an_example_is_wider_than_a_terminal(path):
    participants = Participants(fracas.load(path).document)
    lines = text(draw(participants, participants.healths)).splitlines()
    assert max(map(len, lines)) <= 80
    for standing in participants.drawn.standings:
        assert any(standing.stack.name in line for line in lines)


def test_a_battle_is_told_between_two_pictures(monkeypatch):
    monkeypatch.setenv("FRACAS_JIT", "0")
    told = fracas.run(attack()).story()
    assert told.count("1,1 ◎") == 2


def test_two_stacks_of_a_side_have_no_name_twice():
    others = [stack(name, "blue", at, "archer", "archer") for name, at in (("left", (0, 1)), ("right", (2, 1)))]
    participants = Participants(fracas.load(attack(*others)).document)
    assert [member.title for member in participants.members.values()] == [
        "1 Guard",
        "2 Archer",
        "2 Archer-2",
        "2 Archer-3",
        "2 Archer-4",
        "2 Guard",
    ]


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.toml")), ids=lambda path: path.stem)
def test_everybody_in_an_example_has_a_name_of_its_own(path):
    titles = [member.title for member in Participants(fracas.load(path).document).members.values()]
    assert len(set(titles)) == len(titles)


@pytest.fixture
def battle(monkeypatch):
    monkeypatch.setenv("FRACAS_JIT", "0")
    return fracas.run(registry.get("stacks").random_scenario(1))


def test_a_story_has_every_turn_and_every_death_once(monkeypatch):
    monkeypatch.setenv("FRACAS_JIT", "0")
    for seed in range(8):
        battle = fracas.run(registry.get("stacks").random_scenario(seed))
        for detail in ("story", "decisions", "all"):
            told = battle.story(detail)
            for event in battle.events:
                if isinstance(event, Turn):
                    assert f"Turn {event.turn} ─" in told
            falls = sum(event.NAME == "fall" for event in battle.events)
            assert told.count(" falls.") == falls
            assert isinstance(battle.events[-1], Outcome)


def test_all_detail_shows_every_roll_with_what_it_was_compared_with(battle):
    told = battle.story("all")
    for event in battle.events:
        if event.NAME == "roll":
            assert f"rolled {event.roll} of 0-{event.attack} against {event.against} of 0-{event.defence}" in told


def test_decisions_name_the_values_that_were_considered(battle):
    told = battle.story("decisions")
    assert max(len(line) for line in told.splitlines() if line.startswith("      ")) <= 80
    assert "considered " in told
    for event in battle.events:
        if event.NAME == "choice":
            assert f"worth {event.value:.3f}".rstrip("0").rstrip(".") in told


def test_the_reckoning_adds_up(battle):
    lost = {name: member.health for name, member in Participants(battle.scenario.document).members.items()}
    outcome = battle.events[-1]
    assert sum(lost.values()) >= outcome.health_1 + outcome.health_2
    assert "dealt" in battle.story()


@pytest.mark.parametrize("reason", ["repelled", "turn_cap", "unopposed"])
def test_every_ending_has_its_words(monkeypatch, reason):
    monkeypatch.setenv("FRACAS_JIT", "0")
    idle = [stack("red-one", "red", (1, 0), unit(attack=0)), stack("blue-one", "blue", (1, 1), unit(moves=[]))]
    documents = {
        "repelled": (attack(stacks=idle), "The attack is repelled in turn 2: no defender was hurt for 3 turns."),
        "turn_cap": (attack(stacks=idle, options={"turn_cap": 2}), "A draw in turn 1: no more turns are played."),
        "unopposed": (
            attack(stacks=idle[:1], tiles={"1,1": {"owner": "blue"}}),
            "Victory for 1 Red: nobody defends the tile.",
        ),
    }
    document, words = documents[reason]
    battle = fracas.run(document)
    assert battle.reason == reason
    assert words in battle.story()
