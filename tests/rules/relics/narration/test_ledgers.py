"""The ledger after a relics battle: who brought what, in sums that agree with what the battle itself counted."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from tests.helpers.chronicles import ledgers_of

import fracas
from fracas.content.packs import examples_folder
from fracas.engine.player import make_player
from fracas.rulesets import registry
from fracas.rulesets.relics.narration.labels import Participants
from fracas.rulesets.relics.narration.ledgers import ITSELF, REGEN, THORNS, Ledger, ledgers
from fracas.rulesets.relics.narration.summary import summary_lines
from fracas.rulesets.relics.rules import events as kinds

RANDOM = 30
SUMS = ("dealt", "absorbed", "healed")
SHIPPED = [f"example {path.name}" for path in sorted((examples_folder() / "relics").glob("*.toml"))]


@cache
def played(which: int | str) -> tuple[Any, list[Any], Participants]:
    """A battle's result row, events and participants."""
    if isinstance(which, int):
        scenario = fracas.load(registry.get("relics").random_scenario(which))
    else:
        scenario = fracas.load(examples_folder() / "relics" / which.partition(" ")[2])
    player = make_player(scenario, logged=True, battles=1)
    (result,) = player.play(0, 1)
    books = scenario.compiled.books
    return result, scenario.ruleset.protocol.decode(player.rows(), books), Participants(scenario.document, books)


def sums_of(books: tuple[Ledger, ...]) -> list[list[int]]:
    return [[ledger.total(figure) for ledger in books] for figure in SUMS]


@pytest.mark.parametrize("which", [*range(RANDOM), *SHIPPED])
def test_the_sums_of_the_pieces_are_those_of_the_fighters(which: int | str) -> None:
    result, events, participants = played(which)
    assert sums_of(ledgers(events, participants)) == [result[figure].tolist() for figure in SUMS]


@pytest.mark.parametrize("which", [*range(RANDOM), *SHIPPED])
def test_every_run_is_in_an_account(which: int | str) -> None:
    _, events, participants = played(which)
    runs = [
        sum(isinstance(each, kinds.Trigger) and each.actor == name for each in events) for name in participants.names
    ]
    assert [ledger.total("runs") for ledger in ledgers(events, participants)] == runs


def test_an_event_that_is_left_out_is_missed() -> None:
    """A negative control: each kind of sum notices that an event is missing."""
    noticed: set[str] = set()
    for number in range(RANDOM):
        result, events, participants = played(number)
        for place, event in enumerate(events):
            if isinstance(event, kinds.Damage | kinds.Heal) and len(noticed) < len(SUMS):
                short = sums_of(ledgers([*events[:place], *events[place + 1 :]], participants))
                noticed |= {figure for figure, sums in zip(SUMS, short, strict=True) if sums != result[figure].tolist()}
    assert noticed == set(SUMS)


# By hand.

CAP = {"id": "cap", "name": "Cap", "stats": {"armor": 2}}
COAT = {"id": "coat", "name": "Coat", "tier": "golden", "stats": {"armor": 3}}
STONE = {"id": "stone", "name": "Stone", "stats": {"armor": -1}, "triggers": {"battle_start": [["gain_armor", 5]]}}
SPIKES = {"id": "spikes", "name": "Spikes", "triggers": {"battle_start": [["gain_thorns", 4]]}}
SALVE = {"id": "salve", "name": "Salve", "triggers": {"battle_start": [["give", "regen", 2, "self"]]}}
CLUB = {"id": "club", "name": "Club", "bucket": "weapons", "stats": {"attack": 6}}


def fought(left: dict[str, Any], right: dict[str, Any], turn_cap: int) -> tuple[Ledger, ...]:
    options = {"turn_cap": turn_cap, "fatigue_start": 500}
    battle = fracas.run({"ruleset": "relics", "options": options, "left": left, "right": right})
    return ledgers(battle.events, Participants(battle.scenario.document, battle.scenario.compiled.books))


def test_armor_is_used_up_in_the_order_in_which_it_came() -> None:
    left = {"stats": {"armor": 1, "attack": 0, "speed": 0}, "items": [CAP, COAT, STONE]}
    right = {"stats": {"attack": 4, "speed": 1}, "weapon": CLUB}
    own, other = fought(left, right, 1)
    # 1 + 2 + 6 - 1 of its own, of which the last is missing, and 5 more; a strike of 10 takes the oldest.
    assert {name: account.absorbed for name, account in own.accounts.items()} == {
        ITSELF: 1,
        "Cap": 2,
        "Coat": 5,
        "Stone": 2,
    }
    assert own.accounts["Stone"].own == {"armor": 5}
    assert other.accounts["Club"].dealt == 10


def test_thorns_and_regen_have_accounts_of_their_own() -> None:
    left = {"stats": {"health": 20, "attack": 0, "speed": 0}, "items": [SPIKES, SALVE]}
    own, other = fought(left, {"stats": {"attack": 4, "speed": 1}}, 2)
    assert own.accounts[THORNS].dealt == 4
    assert own.accounts[REGEN].healed == 2
    assert own.accounts["Spikes"].own == {"thorns": 4}
    assert own.accounts["Spikes"].runs == 1
    # Bare hands are the fighter's own.
    assert other.accounts[ITSELF].dealt == 4


def test_two_of_a_name_have_an_account_each() -> None:
    (own, _) = fought({"items": [SPIKES, {**SPIKES, "tier": "golden"}]}, {}, 1)
    given = {name: account.own for name, account in own.accounts.items() if account.own}
    assert sorted(each["thorns"] for each in given.values()) == [4, 8]


def test_what_comes_from_nobody_is_lost_and_nobody_dealt_it() -> None:
    venom = {"id": "venom", "name": "Venom", "triggers": {"battle_start": [["give", "poison", 3, "enemy"]]}}
    acid = {"id": "acid", "name": "Acid", "triggers": {"battle_start": [["deal", 2, "self"]]}}
    left = {"stats": {"attack": 0, "speed": 0}, "items": [venom]}
    own, other = fought(left, {"stats": {"attack": 0, "speed": 1}, "items": [acid]}, 1)
    assert other.losses == {"Acid": 2, "poison": 3}
    assert own.accounts["Venom"].enemy == {"poison": 3}
    assert (own.total("dealt"), other.total("dealt")) == (0, 0)


def test_the_ledger_as_it_is_shown() -> None:
    left = {"name": "Ann", "stats": {"attack": 0, "speed": 0, "armor": 1}, "items": [CAP, SPIKES]}
    right = {"name": "Bob", "stats": {"attack": 0, "speed": 1}, "weapon": CLUB}
    battle = fracas.run({"ruleset": "relics", "options": {"turn_cap": 1}, "left": left, "right": right})
    participants = Participants(battle.scenario.document, battle.scenario.compiled.books)
    assert ["".join(text for text, _ in spans).rstrip() for spans in summary_lines(battle.events, participants)] == [
        "",
        "1 Ann       runs  dealt  absorbed  healed  changed",
        "  (itself)     0      0         1       0",
        "  Cap          0      0         2       0",
        "  Spikes       1      0         0       0  +4 Thorns",
        "  (Thorns)     0      4         0       0",
        "  dealt 4, absorbed 3, healed 0",
        "",
        "2 Bob    runs  dealt  absorbed  healed  changed",
        "  Club      0      6         0       0",
        "  dealt 6, absorbed 0, healed 0",
    ]


def test_programs_have_the_same_ledgers() -> None:
    battle = fracas.run(examples_folder() / "relics" / "standard.toml")
    books = ledgers(battle.events, Participants(battle.scenario.document, battle.scenario.compiled.books))
    for told, book in zip((ledgers_of(battle).left, ledgers_of(battle).right), books, strict=True):
        assert [piece.piece for piece in told.pieces] == list(book.accounts)
        assert [(piece.runs, piece.dealt, piece.absorbed, piece.healed) for piece in told.pieces] == [
            (each.runs, each.dealt, each.absorbed, each.healed) for each in book.accounts.values()
        ]
        assert [dict(piece.own) for piece in told.pieces] == [each.own for each in book.accounts.values()]
        assert [dict(piece.enemy) for piece in told.pieces] == [each.enemy for each in book.accounts.values()]
        assert dict(told.lost) == book.losses
        assert [told.dealt, told.absorbed, told.healed] == [book.total(figure) for figure in SUMS]
    document = battle.as_json()["chronicle"]
    assert document["left"]["fighter"] == battle.scenario.document["left"]["name"]
    assert document["left"]["pieces"][1]["piece"] == "Bell Flail"
