"""A delve battle told again from its events alone, with everything noted that could not have happened so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from fracas.events.protocol import Event
from fracas.rulesets.contract.types import Document
from fracas.rulesets.delve import events as kinds


@dataclass
class Soul:
    """What the events have said so far about one participant."""

    hp: int
    max_hp: int
    resource: int = 0
    max_resource: int = 0
    conditions: dict[str, int] = field(default_factory=dict)
    """Those it has, with the rounds left."""
    last_use: dict[str, int] = field(default_factory=dict)
    acted_in: int = 0


class Ledger:
    """Follows the events of one battle; `complaints` is what they contradict."""

    def __init__(self, document: Document) -> None:
        self.skills = document["skills"]
        self.options = document["options"]
        self.souls: dict[str, Soul] = {}
        for member in document["party"]:
            resource = member.get("resource") or {"max": 0, "start": 100}
            start = resource["max"] * resource["start"] // 100
            self.souls[f"1.{member['id']}"] = Soul(member["hp"], member["hp"], start, resource["max"])
        self.complaints: list[str] = []
        self.round = 0
        self.order: list[str] = []
        self.encounter = -1
        self.xp = self.gold = self.items = self.passed = self.rounds = 0
        self.outcome: kinds.Outcome | None = None
        self.odds: kinds.Odds | None = None
        self.damage = 0

    def tell(self, events: Sequence[Event]) -> Ledger:
        """Follow all events."""
        for event in events:
            self.check(self.outcome is None, event, "comes after the outcome")
            method = getattr(self, f"on_{event.NAME}", None)
            if method is not None:
                method(event)
            for name, soul in self.souls.items():
                if not (0 <= soul.hp <= soul.max_hp and 0 <= soul.resource <= soul.max_resource):
                    self.check(False, event, f"{name} is out of bounds: {soul}")
        if self.outcome is None:
            self.complaints.append("the events have no outcome")
        return self

    def check(self, holds: bool, event: Event, complaint: str) -> None:
        if not holds:
            self.complaints.append(f"{event}: {complaint}")

    def compare(self, record: Any, result: Any) -> list[str]:
        """Where the events and the battle's own state and result part."""
        members = [soul for name, soul in self.souls.items() if name.startswith("1.")]
        told = {
            "hp": [soul.hp for soul in members],
            "resource": [soul.resource for soul in members],
            "rounds": self.rounds,
            "winner": self.outcome.winner if self.outcome else None,
            "passed": self.passed,
        }
        held = {
            "hp": [int(record.participants[place].hp) for place in range(len(members))],
            "resource": [int(record.participants[place].resource) for place in range(len(members))],
            "rounds": int(result.rounds),
            "winner": int(result.winner),
            "passed": int(result.encounters_passed),
        }
        if record.journey and told["winner"] == 1:
            told |= {"xp": self.xp, "gold": self.gold, "items": self.items}
            held |= {"xp": int(result.xp), "gold": int(result.gold), "items": int(result["items"].sum())}
        return [f"{key}: told {told[key]}, held {held[key]}" for key in told if told[key] != held[key]]

    # The way.

    def on_encounter(self, event: kinds.Encounter) -> None:
        self.check(event.number > self.encounter, event, "comes too late")
        self.encounter, self.round = event.number, 0
        living = sum(name.startswith("1.") and soul.hp > 0 for name, soul in self.souls.items())
        self.check(event.members == living > 0, event, f"{living} members are alive")

    def on_encounter_end(self, event: kinds.EncounterEnd) -> None:
        self.check(event.rounds == self.round, event, f"{self.round} rounds were told")
        self.rounds += event.rounds
        self.passed += event.outcome in ("Victory", "Survived")

    def on_reward(self, event: kinds.Reward) -> None:
        self.xp += event.xp
        self.gold += event.gold

    def on_item(self, event: kinds.Item) -> None:
        self.items += 1

    def on_outcome(self, event: kinds.Outcome) -> None:
        self.outcome = event

    # The fight.

    def on_ready(self, event: kinds.Ready) -> None:
        known = self.souls.get(event.actor)
        if known is not None and event.actor.startswith("1."):
            now = (known.hp, known.max_hp, known.resource, known.max_resource)
            said = (event.hp, event.max_hp, event.resource, event.max_resource)
            self.check(now == said, event, f"a member carries over {now}")
        self.check(event.hp > 0, event, "the dead do not get ready")
        self.souls[event.actor] = Soul(event.hp, event.max_hp, event.resource, event.max_resource)

    def on_round(self, event: kinds.Round) -> None:
        self.check(event.round == self.round + 1 <= self.options["round_cap"], event, f"after round {self.round}")
        self.round, self.order = event.round, []

    def on_turn_order(self, event: kinds.TurnOrder) -> None:
        self.check(self.souls[event.actor].hp > 0, event, "the dead have no turn")
        self.order.append(event.actor)
        change = 50 * ("slowed" in self.souls[event.actor].conditions)
        change -= 25 * ("hasted" in self.souls[event.actor].conditions)
        self.check(event.change == change and event.effective == event.total + change, event, f"the change is {change}")

    def act(self, event: Any) -> Soul:
        """Somebody's turn comes, at most once a round and in the round's order."""
        soul = self.souls[event.actor]
        self.check(soul.hp > 0, event, "the dead do not act")
        self.check(soul.acted_in < self.round, event, "acts twice in a round")
        self.check(event.actor in self.order, event, "acts out of order")
        if event.actor in self.order:
            self.order = self.order[self.order.index(event.actor) + 1 :]
        soul.acted_in = self.round
        return soul

    def on_stunned(self, event: kinds.Stunned) -> None:
        self.check(self.act(event).conditions.pop("stunned", None) is not None, event, "was not stunned")

    def on_pass(self, event: kinds.Pass) -> None:
        self.check("stunned" not in self.act(event).conditions, event, "is stunned")

    def on_use(self, event: kinds.Use) -> None:
        soul, skill = self.act(event), self.skills[event.skill]
        self.check("stunned" not in soul.conditions, event, "is stunned")
        self.check(event.cost == skill["cost"] <= soul.resource, event, f"cannot pay with {soul.resource}")
        ready = soul.last_use.get(event.skill, -1000) + max(1, skill["cooldown"])
        self.check(self.round >= ready, event, f"is cooling down until round {ready}")
        soul.last_use[event.skill] = self.round
        soul.resource -= event.cost
        self.check(event.resource == soul.resource, event, f"has {soul.resource} left")

    def on_passed_over(self, event: kinds.PassedOver) -> None:
        soul, skill = self.souls[event.actor], self.skills[event.skill]
        self.check(soul.hp > 0, event, "the dead do not decide")
        if event.obstacle == "it cannot be paid":
            self.check(skill["cost"] > soul.resource == event.figure, event, f"has {soul.resource}")
        if event.obstacle == "cooling down":
            left = soul.last_use.get(event.skill, -1000) + skill["cooldown"] - self.round
            self.check(left == event.figure > 0, event, f"{left} rounds are left")

    def on_target(self, event: kinds.Target) -> None:
        self.check(self.souls[event.target].hp > 0, event, "nobody aims at the dead")
        self.check(event.roll < event.candidates, event, "the roll is too high")

    def on_odds(self, event: kinds.Odds) -> None:
        self.odds = event

    def on_attack(self, event: kinds.Attack) -> None:
        odds = self.odds
        self.check(odds is not None and self.souls[event.target].hp > 0, event, "nobody strikes the dead")
        if odds is not None:
            chance = 50 + odds.attribute - odds.against + odds.modifier - odds.penalty
            self.check(event.chance == min(max(chance, 5), 95), event, f"the odds are {chance}")
        critical, fumble = event.critical_up_to, min(100, event.critical_up_to + 91)
        verdict = "hit" if event.roll <= event.chance else "miss"
        verdict = "critical" if event.roll <= critical else "fumble" if event.roll >= fumble else verdict
        self.check(event.verdict == verdict, event, f"is a {verdict}")

    def on_damage(self, event: kinds.Damage) -> None:
        self.damage = event.damage
        self.check(event.damage >= 1, event, "is less than 1")

    def on_hit(self, event: kinds.Hit) -> None:
        soul = self.souls[event.target]
        self.check(event.damage == self.damage, event, f"was {self.damage}")
        self.check(event.lost == min(event.damage - event.absorbed, soul.hp), event, f"of {soul.hp} HP")
        self.check(not event.absorbed or "shielded" in soul.conditions, event, "there is no shield")
        self.lose(event, soul, event.lost)

    def lose(self, event: Any, soul: Soul, lost: int) -> None:
        self.check(soul.hp > 0, event, "the dead lose nothing")
        soul.hp -= lost
        self.check(event.hp == soul.hp, event, f"has {soul.hp} left")

    def on_heal(self, event: kinds.Heal) -> None:
        soul = self.souls[event.target]
        effective = event.healing // 2 if "bleeding" in soul.conditions else event.healing
        self.check(event.effective == effective, event, f"{effective} are effective")
        self.gain(event, soul, event.restored, min(effective, soul.max_hp - soul.hp))

    def gain(self, event: Any, soul: Soul, restored: int, expected: int) -> None:
        self.check(soul.hp > 0, event, "the dead are not healed")
        self.check(restored == expected, event, f"{expected} can be restored")
        soul.hp += restored
        self.check(event.hp == soul.hp, event, f"has {soul.hp} now")

    def on_condition(self, event: kinds.Condition) -> None:
        soul = self.souls[event.target]
        self.check(soul.hp > 0, event, "the dead have no conditions")
        has = event.condition in soul.conditions
        if event.effect in ("applied", "refreshed"):
            self.check(has == (event.effect == "refreshed"), event, "is applied once and refreshed then")
            soul.conditions[event.condition] = event.rounds

    def on_condition_tick(self, event: kinds.ConditionTick) -> None:
        soul = self.souls[event.target]
        left = soul.conditions.get(event.condition)
        self.check(left is not None, event, "is not there")
        if event.condition != "stunned" and left is not None:
            self.check(event.rounds == left - 1, event, f"had {left} rounds left")
        soul.conditions[event.condition] = event.rounds
        if event.condition == "regenerating":
            self.gain(event, soul, event.amount, min(event.amount, soul.max_hp - soul.hp))
        else:
            self.lose(event, soul, event.amount)

    def on_expire(self, event: kinds.Expire) -> None:
        left = self.souls[event.target].conditions.pop(event.condition, None)
        self.check(left == 0 or (left is not None and not event.by_time), event, f"has {left} rounds left")

    def on_fall(self, event: kinds.Fall) -> None:
        soul = self.souls[event.target]
        self.check(soul.hp == 0, event, f"has {soul.hp} HP")
        soul.conditions.clear()

    def on_regain(self, event: kinds.Regain) -> None:
        soul = self.souls[event.actor]
        self.check(soul.hp > 0 and event.gained > 0, event, "nobody regains nothing")
        soul.resource += event.gained
        self.check(event.resource == soul.resource, event, f"has {soul.resource} now")

    # Elsewhere.

    def on_harm(self, event: kinds.Harm) -> None:
        soul = self.souls[event.target]
        self.check(event.lost == min(event.damage, soul.hp), event, f"of {soul.hp} HP")
        self.lose(event, soul, event.lost)

    def on_restore(self, event: kinds.Restore) -> None:
        soul = self.souls[event.target]
        self.gain(event, soul, event.restored, min(event.restored, soul.max_hp - soul.hp))
        soul.resource += event.gained
        self.check(event.resource == soul.resource, event, f"has {soul.resource} now")

    def on_check(self, event: kinds.Check) -> None:
        self.check(self.souls[event.actor].hp > 0, event, "the dead try nothing")
        self.check(5 <= event.chance <= 95, event, "no check is certain")
