"""A relics battle in words: every event kind is told, the figures add up, and a story fits into a terminal."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest
from tests.helpers.relics_fights import document

import fracas
from fracas.content.packs import examples_folder
from fracas.kernel.event_protocol import DETAILS, STORY, Event
from fracas.rulesets import registry
from fracas.rulesets.relics.narration.labels import Participants
from fracas.rulesets.relics.narration.story import Narrator
from fracas.rulesets.relics.rules import events as kinds
from fracas.rulesets.relics.rules.constants import RULE_SOURCES
from fracas.rulesets.relics.rules.events import PROTOCOL

RANDOM = 24
WIDTH = 80
SHIPPED = sorted((examples_folder() / "relics").glob("*.toml"))


@cache
def battle_of(number: int) -> fracas.Battle:
    return fracas.run(registry.get("relics").random_scenario(number))


def lines_of(number: int, detail: str) -> list[str]:
    return [line.text for line in battle_of(number).lines(detail)]


# Every kind of event, as it is told.


def participants() -> Participants:
    found: dict[str, Any] = document(
        {"stats": {"armor": 3}, "weapon": {"id": "saw", "name": "Saw"}, "items": [{"id": "cap", "name": "Cap"}]},
        {"stats": {}, "phases": [{"name": "Bob on fire", "stats": {"health": 9}}]},
    )
    found["left"]["name"], found["right"]["name"] = "Ann", "Bob"
    sources = [""] * 64 + list(RULE_SOURCES)
    sources[1], sources[6] = "Saw", "Cap"
    return Participants(found, {"source": sources})


SET_UP: list[Event] = [
    kinds.Battle(0, 500, 40, True),
    kinds.Fighter(0, "Ann", 20, 4, 3, 1),
    kinds.PieceWorn(0, "Ann", "Saw", "weapon", "normal"),
    kinds.PieceWorn(0, "Ann", "Cap", "item", "golden"),
    kinds.Has(0, "Ann", "hp_max", 25),
    kinds.Fighter(0, "Bob", 12, 2, 0, 1),
    kinds.Has(0, "Bob", "poison", 2),
]
TOLD = [
    (kinds.Step(0, "Bob", "pre"), ["Before the battle, 2 Bob"]),
    (kinds.Step(0, "Ann", "battle_start"), ["Battle start, 1 Ann"]),
    (kinds.First(0, "Bob", "speed", 1, 4), ["2 Bob acts first: SPEED 4 against 1."]),
    (kinds.First(0, "Ann", "roll", 1, 1), ["1 Ann acts first: SPEED 1 each, by a roll."]),
    (kinds.Turn(3, "Bob", 3, 2, 20, 12), ["", "Turn 3 " + "─" * 67 + " 2 Bob", "1 Ann ████████░░ 20/25  ATK 4  ARMOR 3",
        "2 Bob ██████████ 12/12  ATK 2  ARMOR 0  Poison 2"]),
    (kinds.Trigger(3, "Ann", "on_damaged", "Cap", 5, 2), ["On damaged: Cap (ARMOR and HP lost: 5)"]),
    (kinds.Roll(3, "Ann", "chance", 51, 50, "Cap"), ["Cap: 50% chance, rolled 51 of 1-100: fails"]),
    (kinds.Roll(3, "Ann", "target", 1, 2, "Cap"), ["Cap picks a target: rolled 1 of 0-1, the enemy"]),
    (kinds.Roll(3, "Ann", "status", 2, 7, "Cap"), ["Cap picks a status: rolled 2 of 0-6"]),
    (kinds.Roll(0, None, "first", 0, 2, None), ["Who acts first: rolled 0 of 0-1, the left"]),
    (kinds.Attack(3, "Ann", 4, 0, 0, 0), []),
    (kinds.Strike(3, "Ann", "Bob", 1, 4, 2, True), ["1 Ann strikes with Saw: 2, halved by Freeze"]),
    (kinds.Strike(3, "Bob", "Ann", 1, 4, 4, False), ["2 Bob strikes: 4"]),
    (kinds.Skip(3, "Ann", "stunned", 2), ["1 Ann is stunned and skips a strike; stun left: 2."]),
    (kinds.Skip(3, "Ann", "cannot_attack", 0), ["1 Ann cannot attack."]),
    (kinds.Modified(3, "Bob", "damage_taken_pct", -50, 9, 4), ["2 Bob: damage taken -50%: 9 → 4"]),
    (kinds.Modified(3, "Bob", "healing", 2, 3, 5), ["2 Bob: healing +2: 3 → 5"]),
    (kinds.Damage(3, "Bob", "Ann", "strike", 3, 2, 18), ["1 Ann: 5 damage by the strike, ARMOR 3 → 0, HP 20 → 18"]),
    (kinds.Damage(3, "Ann", "Bob", "Cap", 0, 0, 12), ["2 Bob: 0 damage by Cap"]),
    (kinds.Damage(3, None, "Bob", "poison", 0, 2, 10), ["2 Bob: 2 damage by Poison, HP 12 → 10"]),
    (kinds.Heal(3, "Ann", "Ann", "Cap", 2, 1, 22), ["1 Ann: healed 2 by Cap, HP 20 → 22, 1 excess"]),
    (kinds.Change(3, "Ann", "Ann", "thorns", 2, 5, "Cap"), ["1 Ann: Thorns 3 → 5 by Cap"]),
    (kinds.Change(3, None, "Bob", "freeze", -1, 0, "turn_end"), ["2 Bob: Freeze 1 → 0 by the end of the turn"]),
    (kinds.Change(3, None, "Bob", "hp", -3, 9, "fatigue"), ["2 Bob: HP 12 → 9 by fatigue"]),
    (kinds.Immune(3, "Ann", "Bob", "stun", 2, "Cap"), ["2 Bob: immune to 2 Stun by Cap"]),
    (kinds.Mark(3, "Bob", "exposed"), ["2 Bob is Exposed."]),
    (kinds.Mark(3, "Bob", "wounded"), ["2 Bob is Wounded."]),
    (kinds.Unpaid(3, "Ann", "hp", 8, 8, "Cap"), ["1 Ann: cannot pay 8 HP for Cap, has 8"]),
    (kinds.ExtraStrikes(3, "Ann", "Ann", "next_turn", 1, "Cap"), ["1 Ann: 1 more strike in the next turn by Cap"]),
    (kinds.ExtraStrikes(3, "Ann", "Bob", "now", 2, "Cap"), ["2 Bob: 2 more strikes in this turn by Cap"]),
    (kinds.Counter(3, "Ann", "Cap", 2, 3), ["1 Ann: counter of Cap 1 → 3"]),
    (kinds.Countdown(3, "Bob", "Ann", "Cap", -1, 2, "Cap"), ["1 Ann: countdown of Cap 3 → 2 by Cap"]),
    (kinds.Cut(3, "Ann", "reentry", "on_heal", "Cap", 4),
        ["Cut: 1 Ann: Cap (On heal) would trigger itself and is dropped."]),
    (kinds.Cut(3, "Ann", "depth", "on_heal", "Cap", 33),
        ["Cut: 1 Ann: Cap (On heal) would run at depth 33 and is dropped."]),
    (kinds.Cut(3, "Ann", "runs", "on_heal", "Cap", 4),
        ["Cut: 1 Ann: 1,000 effects have run in this step; Cap (On heal) and all that", "follow are dropped."]),
    (kinds.Cut(3, "Ann", "strikes", None, None, 0), ["Cut: 1 Ann: more than 16 strikes in one turn are dropped."]),
    (kinds.Fall(3, "Bob", -4), ["2 Bob falls with -4 HP."]),
    (kinds.Fall(3, "Bob", 0), ["2 Bob falls."]),
    (kinds.PhaseBegins(3, "Bob", 2, 9, 1, 0), ["2 Bob gets up again as Bob on fire: 9 HP, ATK 1, ARMOR 0."]),
    (kinds.TurnEnd(3, "Ann", 1), ["End of the turn, 1 strike made"]),
    (kinds.Outcome(3, 1, "right_fell", 20, 0), ["", "Victory for 1 Ann in turn 3: 2 Bob has fallen."]),
    (kinds.Outcome(3, 0, "both_fell", 0, 0), ["", "A draw in turn 3: both have fallen."]),
    (kinds.Outcome(0, 2, "left_fell", 0, 9), ["", "Victory for 2 Bob before the first turn: 1 Ann has fallen."]),
]  # fmt: skip
OPENING = [
    "1 Ann against 2 Bob",
    "",
    "Before the first turn " + "─" * 58,
    "  1 Ann ████████░░ 20/25  ATK 4  ARMOR 3  SPEED 1",
    "    wears Saw, Cap (golden)",
    "  2 Bob ██████████ 12/12  ATK 2  ARMOR 0  SPEED 1  Poison 2",
    "",
]


def told_alone(event: Event, detail: str = "all") -> list[str]:
    """The lines of one event after the set-up."""
    narrator = Narrator(participants(), detail)
    begun = list(narrator.tell(SET_UP))
    assert not begun
    return [line.text for line in narrator.tell([event])]


@pytest.mark.parametrize(("event", "wanted"), TOLD, ids=[type(event).__name__ for event, _ in TOLD])
def test_an_event_is_told(event: Event, wanted: list[str]) -> None:
    lines = told_alone(event)
    assert lines[: len(OPENING)] == OPENING
    assert [line.strip() for line in lines[len(OPENING) :]] == wanted


def test_the_table_has_every_kind() -> None:
    assert {type(event) for event, _ in TOLD} | {type(event) for event in SET_UP} == set(PROTOCOL.kinds.values())


@pytest.mark.parametrize(("event", "wanted"), TOLD, ids=[type(event).__name__ for event, _ in TOLD])
def test_what_belongs_to_more_detail_is_not_in_a_story(event: Event, wanted: list[str]) -> None:
    if event.DETAIL != STORY:
        assert told_alone(event, "story") == [line for line in OPENING if "wears" not in line]
    for line in told_alone(event, "decisions")[len(OPENING) :]:
        assert event.DETAIL != "all", line


def test_a_strike_shows_what_its_attack_part_is_made_of() -> None:
    narrator = Narrator(participants(), "all")
    list(narrator.tell(SET_UP))
    attack = kinds.Attack(3, "Ann", 4, 2, -1, 50)
    lines = [line.text for line in narrator.tell([attack, kinds.Strike(3, "Ann", "Bob", 1, 7, 3, True)])]
    assert lines[-1] == "  1 Ann strikes with Saw: ATK 4 + 2 temporary - 1 bonus = 5, +50% = 7, halved by Freeze = 3"


STRUCK = "  1 Saw strikes → 2 Bob"
WIDE = STRUCK + " " * 23


@pytest.mark.parametrize(
    ("attack", "before", "part", "whom", "wanted"),
    [
        ((4, 0, 0, 0), 4, 4, 5, [f"{STRUCK}  -4 ARMOR"]),
        ((4, 2, 0, 0), 6, 6, 5, [f"{STRUCK}  -6 ARMOR (4 ATK + 2)"]),
        ((4, 0, 0, 0), 4, 2, 5, [f"{STRUCK}  -2 ARMOR (4 ATK, halved to 2 by Freeze)"]),
        ((-2, 0, 0, 0), 0, 0, 5, [f"{STRUCK}  no damage (-2 ATK)"]),
        ((4, 2, -1, 50), 7, 3, 28, [
            f"{WIDE}  -3 ARMOR",
            f"{' ' * len(WIDE)}  (4 ATK + 2 - 1, +50% to 7,",
            f"{' ' * len(WIDE)}  halved to 3 by Freeze)",
        ]),
    ],
)  # fmt: skip
def test_a_strike_of_a_story_shows_what_it_is_made_of_unless_that_is_atk(
    attack: tuple[int, int, int, int], before: int, part: int, whom: int, wanted: list[str]
) -> None:
    events = [
        kinds.Attack(3, "Ann", *attack),
        kinds.Strike(3, "Ann", "Bob", 1, before, part, part < before),
        kinds.Damage(3, "Ann", "Bob", "strike", part, 0, 12),
        kinds.Outcome(3, 1, "right_fell", 20, 0),
    ]
    narrator = Narrator(participants(), "story")
    narrator.columns.whom = whom
    lines = [line.text for line in narrator.tell([*SET_UP, *events])]
    assert lines[6:-2] == wanted


def test_what_one_piece_does_to_one_fighter_is_one_line_of_a_story() -> None:
    events = [
        kinds.Strike(3, "Ann", "Bob", 1, 4, 4, False),
        kinds.Damage(3, "Ann", "Bob", "strike", 3, 1, 11),
        kinds.Damage(3, "Ann", "Bob", "Saw", 0, 2, 9),
        kinds.Change(3, "Ann", "Ann", "armor", 2, 5, "Cap"),
        kinds.Change(3, "Ann", "Ann", "thorns", 1, 1, "Cap"),
        kinds.Change(3, None, "Bob", "freeze", -1, 0, "turn_end"),
        kinds.Damage(3, None, "Bob", "poison", 0, 2, 7),
        kinds.Outcome(3, 1, "right_fell", 20, 0),
    ]
    narrator = Narrator(participants(), "story")
    lines = [line.text for line in narrator.tell([*SET_UP, *events])]
    assert lines[6:9] == [
        "  1 Saw strikes → 2 Bob  -3 ARMOR, -3 HP",
        "  1 Cap                  +2 ARMOR, +1 Thorns",
        "  Poison        → 2 Bob  -2 HP",
    ]


# Real battles.


@pytest.mark.parametrize("number", range(RANDOM))
def test_a_story_fits_into_a_terminal(number: int) -> None:
    assert [line for line in lines_of(number, "story") if len(line) > WIDTH] == []


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_an_example_fits_into_a_terminal(path: Any) -> None:
    assert [line.text for line in fracas.run(path).lines("story") if len(line.text) > WIDTH] == []


STRIKE = re.compile(
    r"ATK (-?\d+)(?: ([+-]) (\d+) temporary)?(?: ([+-]) (\d+) bonus)?(?: = (-?\d+))?(?:, at least 0)?"
    r"(?:, ([+-]\d+)%(?:, at least -100%)? = (\d+))?(?:, halved by Freeze = (\d+))?$"
)


def recomputed(text: str) -> int:
    """The ATK part of a strike as somebody with a pencil would find it; every sum on the way must be right."""
    found = STRIKE.search(text)
    assert found, text
    attack, sign_1, temporary, sign_2, bonus, total, percent, before, part = found.groups()
    value = int(attack) + int(f"{sign_1 or ''}{temporary or 0}") + int(f"{sign_2 or ''}{bonus or 0}")
    assert total is None or int(total) == value
    value = max(0, value)
    if percent is not None:
        value = value * (100 + max(int(percent), -100)) // 100
        assert int(before) == value
    if part is not None:
        value //= 2
        assert int(part) == value
    return value


def test_every_strike_can_be_recomputed_from_its_line() -> None:
    checked = 0
    for number in range(RANDOM):
        strikes = [event for event in battle_of(number).events if isinstance(event, kinds.Strike)]
        lines = [line for line in lines_of(number, "all") if re.match(r"  [12] .* strikes(:| with )", line)]
        assert len(lines) == len(strikes)
        for event, line in zip(strikes, lines, strict=True):
            assert recomputed(line) == event.part, line
            checked += 1
    assert checked > 50
    with pytest.raises(AssertionError):
        recomputed("1 Ann strikes: ATK 4 + 2 temporary = 7")


FIGURE = re.compile(r"(ARMOR|HP|ATK|SPEED|full HP|temporary ATK|[A-Z][a-z]+) (-?\d+) → (-?\d+)")


def broken_chains(lines: list[str]) -> list[str]:
    """The lines in which something was another number than it had become before."""
    now: dict[tuple[str, str], str] = {}
    wrong = []
    for line in lines:
        about = re.match(r" +([12] [^:]+): ", line)
        if about is None or "gets up again" in line or "countdown of" in line or "counter of" in line:
            # Phases begin with values of their own.
            now = {} if "gets up again" in line else now
            continue
        for name, before, after in FIGURE.findall(line):
            if now.get((about[1], name), before) != before:
                wrong.append(line)
            now[about[1], name] = after
    return wrong


def test_what_was_is_what_it_had_become() -> None:
    told = 0
    for number in range(RANDOM):
        lines = lines_of(number, "all")
        told += sum(" → " in line for line in lines)
        assert broken_chains(lines) == [], number
    assert told > 300


def test_a_change_that_is_left_out_is_noticed() -> None:
    """A negative control: without one of the lines the chain is broken."""
    lines = ["  1 Ann: Thorns 0 → 2 by Cap", "  1 Ann: Thorns 2 → 3 by Cap", "  1 Ann: Thorns 3 → 0 by Cap"]
    assert broken_chains(lines) == []
    assert broken_chains([lines[0], lines[2]]) == [lines[2]]


def test_turns_begin_with_how_both_stand() -> None:
    for number in range(RANDOM):
        turns = [event for event in battle_of(number).events if isinstance(event, kinds.Turn)]
        lines = lines_of(number, "story")
        heads = [place for place, line in enumerate(lines) if re.match(r"Turn \d+ ─", line)]
        assert len(heads) == len(turns)
        for event, place in zip(turns, heads, strict=True):
            shown = [
                int(match[1])
                for line in lines[place + 1 : place + 6]
                if (match := re.search(r"(-?\d+)/\d+  ATK", line))
            ]
            assert shown[:2] == [event.hp_1, event.hp_2]


def test_an_item_that_sets_itself_off_is_seen_in_the_story() -> None:
    looping = {
        "id": "ouroboros",
        "name": "Ouroboros",
        "triggers": {"armor_gained": [["gain_armor", 1]], "battle_start": [["gain_armor", 1]]},
    }
    story = fracas.run({"ruleset": "relics", "left": {"items": [looping]}, "right": {}}).story("story")
    assert "  Cut: 1 Left: Ouroboros (Armor gained) would trigger itself and is dropped." in story.splitlines()


def test_a_trigger_is_told_with_its_number_if_there_is_only_one() -> None:
    every_2, every_4 = ({"n": number, "do": [["gain_armor", 1]]} for number in (2, 4))
    drum = {"id": "drum", "name": "Drum", "triggers": {"every_n_turns": [every_2]}}
    gong = {"id": "gong", "name": "Gong", "triggers": {"every_n_turns": [every_2, every_4]}}
    options = {"turn_cap": 4}
    battle = fracas.run({"ruleset": "relics", "options": options, "left": {"items": [drum, gong]}, "right": {}})
    lines = [line.text.strip() for line in battle.lines("decisions")]
    assert "Every 2 turns: Drum" in lines
    assert "Every n turns: Gong" in lines


def test_more_detail_tells_more() -> None:
    for number in range(RANDOM):
        counts = [len(lines_of(number, detail)) for detail in DETAILS]
        assert counts[1] <= counts[2]
