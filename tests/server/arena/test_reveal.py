"""A hidden strategy shows in no byte: two strategies that act alike look the same."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from tests.helpers.arena import league

from fracas.kernel.event_protocol import STORY
from fracas.server.arena.entries import check_entry
from fracas.server.arena.legs import public_events, public_outcome
from fracas.server.arena.match_player import Combatant, Rules, leg_battle

# Per ruleset two entries that do the same for different reasons, and an opponent.
ALIKE: dict[str, tuple[Any, Any, Any]] = {
    "squads": (
        {"units": ["scout", "apprentice_wizard"], "strategy": {"target_priority": ["lowest_hp"]}},
        {
            "units": ["scout", "apprentice_wizard"],
            "strategy": {
                "target_priority": ["tanks", "lowest_hp"],
                "abilities": {"Fireball": {"when": "round >= 1"}},
            },
        },
        {"units": ["bronze_knight", "scout"]},
    ),
    "delve": (
        {"members": [{"hero": "vanguard_2", "queue": ["strike"]}]},
        {
            "members": [
                {
                    "hero": "vanguard_2",
                    "queue": [
                        {"skill": "cleave", "when": "enemy_count_gte_3"},
                        {"skill": "strike", "when": "round < 2", "target": "highest_hp"},
                        "strike",
                    ],
                }
            ]
        },
        {"members": [{"hero": "warden_2"}]},
    ),
    "titans": (
        {"titan": "gale", "policy": [{"do": "attack"}]},
        {"titan": "gale", "policy": [{"when": "self.charge > 100", "do": "rest"}, {"do": "attack", "chance": 100}]},
        {"titan": "kestrel", "policy": "duelist"},
    ),
}


def fought(ruleset: str, entry: Any, opponent: Any, leg: int):
    rules = Rules(league(ruleset=ruleset, price={}), "none")
    combatants = [
        Combatant(code, found.document, found.digest)
        for code, found in (
            (code, check_entry(rules.league, document)) for code, document in (("e1", entry), ("e2", opponent))
        )
    ]
    return leg_battle(rules, combatants[0], combatants[1], leg, "seed")


@pytest.mark.parametrize("leg", [0, 1])
@pytest.mark.parametrize("ruleset", ALIKE)
def test_hidden_strategies_with_equal_actions_look_the_same(ruleset: str, leg: int):
    one, other, opponent = ALIKE[ruleset]
    battles = [fought(ruleset, entry, opponent, leg) for entry in (one, other)]
    hidden = {leg + 1}
    shown = [msgspec.json.encode(public_events(battle, hidden)) for battle in battles]
    whole = [msgspec.json.encode([event.as_json() for event in battle.events]) for battle in battles]
    assert whole[0] != whole[1], "the reasons should differ, or the test shows nothing"
    assert shown[0] == shown[1]
    assert battles[0].story(STORY) == battles[1].story(STORY)
    assert public_outcome(battles[0], hidden) == public_outcome(battles[1], hidden)
    assert "digest" not in public_outcome(battles[0], hidden)
    assert public_events(battles[0], ()) == [event.as_json() for event in battles[0].events]


def test_only_the_hidden_side_loses_its_reasons():
    one, _, opponent = ALIKE["titans"]
    battle = fought("titans", one, opponent, 0)
    choices = [event for event in public_events(battle, {1}) if event["kind"] == "choice"]
    assert {event["actor"]: "why" in event for event in choices} == {"e1": False, "e2": True}
