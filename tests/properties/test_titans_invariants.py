"""What holds in every duel, tried on random ones; and for each check a fault that it must find."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.helpers.rules import Rule, bend
from tests.helpers.soak import times
from tests.helpers.titans_fights import Fight

from fracas import load
from fracas.files.read import read_document
from fracas.rulesets import registry
from fracas.rulesets.titans import events as kinds
from fracas.rulesets.titans.rules.constants import ACTIONS, MAX_CHARGE, REASONS

RULESET = registry.get("titans")
EXAMPLES = sorted((Path(__file__).parents[2] / "examples" / "titans").glob("*.toml"))
RANDOM_SCENARIOS = times(30)
PORTION = 10
FORFEITS = ("forfeit", "both_forfeit")


class Ledger:
    """A duel told again from its events alone, by the rule book; whatever does not fit becomes a complaint."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.names = [player["name"] for player in document["players"]]
        self.full = {player["name"]: player["titan"]["hp"] for player in document["players"]}
        self.owned = {player["name"]: player["titan"]["abilities"] for player in document["players"]}
        self.abilities = document["abilities"]
        self.cap = document["options"]["round_cap"]
        self.sudden_death = document["options"]["sudden_death"]
        self.hp = dict(self.full)
        self.charge = dict.fromkeys(self.names, 0)
        self.shield = dict.fromkeys(self.names, 0.0)
        self.choices: dict[str, tuple[str, str | None]] = {}
        self.acted: list[str] = []
        self.speeds: dict[str, float] = {}
        self.is_over = False
        self.complaints: list[str] = []

    def tell(self, events: Any) -> list[str]:
        """Every complaint about these events."""
        for event in events:
            self.take(event)
        return self.complaints

    def expect(self, what: str, holds: bool) -> None:
        """Complain unless something holds."""
        if not holds:
            self.complaints.append(what)

    def take(self, event: Any) -> None:
        """Follow one event."""
        where = f"round {event.tick}, {event.NAME}"
        match event:
            case kinds.Round():
                self.expect(f"{where}: after the end", not self.is_over)
                self.expect(f"{where}: beyond the cap", event.tick <= self.cap)
                self.compare(where, event)
                self.choices, self.acted, self.speeds = {}, [], {}
            case kinds.Choice():
                self.choices[event.actor] = (event.action, event.ability)
                owned = event.ability in self.owned[event.actor]
                self.expect(f"{where}: ability not owned", owned or event.action != ACTIONS[-1])
                affordable = event.ability is None or self.cost(event.ability) <= self.charge[event.actor]
                self.expect(f"{where}: cannot be paid for", affordable)
            case kinds.Speed():
                self.expect(f"{where}: out of range", 0.0 <= event.roll <= event.speed)
                self.speeds[event.actor] = event.roll
            case kinds.Act() | kinds.Skipped():
                self.act(where, event)
            case kinds.Damage():
                self.damage(where, event)
            case kinds.Heal():
                healing = 0 < self.sudden_death <= event.tick and event.amount
                self.expect(f"{where}: heals in sudden death", not healing)
                self.expect(f"{where}: HP", event.before == self.hp[event.actor] <= event.hp <= self.full[event.actor])
                self.hp[event.actor] = event.hp
            case kinds.Shield():
                self.expect(f"{where}: amount", event.shield == self.shield[event.actor] + event.amount)
                self.shield[event.actor] = event.shield
            case kinds.Charge():
                self.expect(f"{where}: before", event.before == self.charge[event.target])
                self.charge[event.target] = event.charge
            case kinds.Pay():
                self.charge[event.actor] -= event.cost
                self.expect(f"{where}: charge", event.charge == self.charge[event.actor])
                self.expect(f"{where}: cost", event.cost == self.cost(event.ability))
            case kinds.RoundEnd():
                self.compare(where, event)
                self.shield = dict.fromkeys(self.names, 0.0)
            case kinds.Fall():
                self.expect(f"{where}: still stands", self.hp[event.target] == 0)
                self.is_over = True
            case kinds.Outcome():
                self.outcome(where, event)
        for name in self.names:
            self.expect(f"{where}: HP out of range", 0 <= self.hp[name] <= self.full[name])
            self.expect(f"{where}: charge out of range", 0 <= self.charge[name] <= MAX_CHARGE)
            self.expect(f"{where}: shield below 0", self.shield[name] >= 0.0)

    def cost(self, ability: str) -> int:
        """What an ability costs."""
        cost: int = self.abilities[ability]["cost"]
        return cost

    def compare(self, where: str, event: Any) -> None:
        """What an event says of both titans is what the events before it made of them."""
        told = (event.hp_1, event.hp_2, event.charge_1, event.charge_2)
        first, second = self.names
        known = (self.hp[first], self.hp[second], self.charge[first], self.charge[second])
        self.expect(f"{where}: says {told}, is {known}", told == known)

    def act(self, where: str, event: Any) -> None:
        """Both act once, the quicker one first; what is done is what was chosen."""
        first, second = self.names
        quicker = first if self.speeds[first] >= self.speeds[second] else second
        self.expect(f"{where}: acts twice", event.actor not in self.acted)
        self.expect(f"{where}: out of turn", bool(self.acted) or event.actor == quicker)
        self.expect(f"{where}: another action", (event.action, event.ability) == self.choices[event.actor])
        if isinstance(event, kinds.Act):
            self.expect(f"{where}: after the end", not self.is_over)
            self.expect(f"{where}: place", event.place == len(self.acted) + 1)
        self.acted.append(event.actor)

    def damage(self, where: str, event: Any) -> None:
        """Damage meets the shield first, and HP only fall."""
        shield = self.shield[event.target]
        self.expect(f"{where}: absorbs more than there is", 0.0 <= event.absorbed <= shield)
        self.expect(f"{where}: HP", event.before == self.hp[event.target] >= event.hp)
        self.expect(f"{where}: hurts behind a shield", event.absorbed == shield or event.hp == event.before)
        self.shield[event.target] = shield - event.absorbed
        self.hp[event.target] = event.hp

    def outcome(self, where: str, event: Any) -> None:
        """The outcome is what the HP say."""
        first, second = (self.hp[name] for name in self.names)
        self.expect(f"{where}: HP", (event.hp_1, event.hp_2) == (first, second))
        self.expect(f"{where}: both fell", bool(first or second))
        if event.reason == "knock_out":
            self.expect(f"{where}: winner", event.winner == (1 if second == 0 else 2) and not (first and second))
        elif event.reason not in FORFEITS:
            shares = first * self.full[self.names[1]], second * self.full[self.names[0]]
            wanted = 0 if shares[0] == shares[1] else 1 if shares[0] > shares[1] else 2
            self.expect(f"{where}: winner at the cap", event.winner == wanted and event.tick == self.cap)
        self.is_over = True


def complaints(document: dict[str, Any], stream: int = 0) -> list[str]:
    """Everything that is wrong with a duel, as far as its events and its last state tell."""
    fight = Fight(load(document).document)
    result = fight.play(stream)
    ledger = Ledger(fight.document)
    found = ledger.tell(fight.events())
    found += [f"fault {result.fault}"] if result.fault else []
    for one, name in zip(fight.record.titans, ledger.names, strict=True):
        if (one.hp, one.charge) != (ledger.hp[name], ledger.charge[name]):
            found.append(f"{name} ends with {one.hp} HP and {one.charge} charge, its events say otherwise")
    return found


def crafted() -> dict[str, Any]:
    """What random duels seldom come to: two blows on one shield, and charge that is taken before it is spent."""
    guard = [{"type": "shield", "amount": 9}]
    sap = [{"type": "charge", "amount": -100, "on": "opponent"}]
    blows = [{"type": "damage", "amount": 5}, {"type": "damage", "amount": 5}]
    abilities = {
        "guard": {"id": "guard", "name": "Guard", "cost": 0, "effects": guard},
        "sap": {"id": "sap", "name": "Sap", "cost": 0, "effects": sap},
        "jab": {"id": "jab", "name": "Jab", "cost": 40, "effects": blows},
    }
    stats = {"attack": 2, "defense": 9, "speed": 8, "stamina": 5}
    titan = {"name": "Twin", "hp": 90, **stats, "abilities": ["guard", "sap", "jab"]}
    players = [{"name": name, "titan": titan, "policy": "random"} for name in ("Ada", "Bo")]
    return {"ruleset": "titans", "id": "crafted", "abilities": abilities, "players": players}


def scenario(number: int) -> dict[str, Any]:
    """Number 0 is crafted, number 1 is a forfeit, the others are random."""
    if number < 2:
        return crafted() if number == 0 else read_document(EXAMPLES[0].parent / "forfeit.toml")
    return RULESET.random_scenario(number)


@pytest.mark.parametrize("first", range(0, RANDOM_SCENARIOS, PORTION))
def test_nothing_is_wrong_with_any_random_duel(first: int) -> None:
    for number in range(first, first + PORTION):
        assert not complaints(scenario(number), stream=number), f"random scenario {number}"


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_nothing_is_wrong_with_the_examples(path: Path) -> None:
    assert not complaints(load(path).document)


def test_the_duels_tried_here_show_all_there_is() -> None:
    """Checks on duels in which nothing happens would say nothing."""
    seen: Counter[str] = Counter()
    for number in range(RANDOM_SCENARIOS):
        fight = Fight(load(scenario(number)).document)
        fight.play(number)
        seen[f"reason {REASONS[int(fight.record.reason)]}"] += 1
        for event in fight.events():
            seen[event.NAME] += 1
            for key in ("action", "why", "source", "obstacle"):
                if hasattr(event, key):
                    seen[f"{key} {getattr(event, key)}"] += 1
    books = RULESET.codebooks
    wanted = [entry.NAME for entry in RULESET.protocol.kinds.values()]
    wanted += [f"{book} {name}" for book in ("action", "why", "source", "obstacle") for name in books[book]]
    wanted += [f"reason {name}" for name in ("knock_out", "cap_hp", "cap_equal", "forfeit")]
    # Random duels have no network: tests/envs/agents plays those.
    assert [name for name in wanted if not seen[name]] == ["why a trained policy"]


# Planted faults. Each bends one rule; the checks above must complain.


def forgets_the_shield(kept: Rule) -> Rule:
    def strike(battle: Any, one: Any, other: Any, damage: float, log: Any) -> int:
        before = other.shield
        lost = kept(battle, one, other, damage, log)
        other.shield = before
        return int(lost)

    return strike


def hurts_in_silence(kept: Rule) -> Rule:
    def end_round(battle: Any, log: Any) -> None:
        battle.titans[0].hp = max(1, int(battle.titans[0].hp) - 1)
        kept(battle, log)

    return end_round


def pays_nothing(kept: Rule) -> Rule:
    def use_ability(battle: Any, one: Any, choice: int, log: Any) -> None:
        before = int(one.charge)
        kept(battle, one, choice, log)
        one.charge = before

    return use_ability


def holds_no_charge(kept: Rule) -> Rule:
    return lambda charge: charge


def takes_what_it_likes(kept: Rule) -> Rule:
    return lambda one, choice: choice >= 0 and choice < 3 + one.ability_count


def lets_the_slower_act_first(kept: Rule) -> Rule:
    return lambda battle, log: 1 - kept(battle, log)


def heals_beyond_the_maximum(kept: Rule) -> Rule:
    def heal(battle: Any, one: Any, amount: float, log: Any) -> None:
        most = int(one.max_hp)
        one.max_hp = most + 7
        kept(battle, one, amount + 7.0, log)
        one.max_hp = most

    return heal


def heals_to_the_last(kept: Rule) -> Rule:
    return lambda battle: False


def forgets_the_cap(kept: Rule) -> Rule:
    def judge_shares(battle: Any, one: Any, other: Any) -> None:
        if battle.tick > battle.options.round_cap + 1:
            kept(battle, one, other)

    return judge_shares


def judges_by_hp_alone(kept: Rule) -> Rule:
    def judge_shares(battle: Any, one: Any, other: Any) -> None:
        kept(battle, one, other)
        battle.winner = 1 if one.hp > other.hp else 2

    return judge_shares


FAULTS: dict[str, tuple[str, Callable[[Rule], Rule]]] = {
    "shields last": ("strike", forgets_the_shield),
    "HP are lost in silence": ("end_round", hurts_in_silence),
    "abilities are free": ("use_ability", pays_nothing),
    "charge has no bounds": ("within_charge", holds_no_charge),
    "anything is legal": ("is_legal", takes_what_it_likes),
    "the slower acts first": ("roll_speeds", lets_the_slower_act_first),
    "HP grow without end": ("heal", heals_beyond_the_maximum),
    "sudden death is none": ("is_sudden_death", heals_to_the_last),
    "the cap is none": ("judge_shares", forgets_the_cap),
    "shares do not count": ("judge_shares", judges_by_hp_alone),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_the_rules_is_found(monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    name, change = FAULTS[fault]
    bend(monkeypatch, name, change, "titans")
    for number in range(RANDOM_SCENARIOS):
        if complaints(scenario(number), stream=number):
            return
    pytest.fail(f"nobody notices that {fault}")
