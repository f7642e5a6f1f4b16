"""A second implementation of stacks, written from its rule book alone.

It follows `src/fracas/rulesets/stacks/README.md` and `docs/reference/dice.md` sentence by sentence, in plain and slow
Python, and shares no code with the engine: where both agree, two readers understood the same text. `play` takes a
resolved document and returns the event rows, the tuples, who is left, and the world that takes the result in; `fight`
takes a resolved campaign. Both trust the document: what the project refuses to load is not refused here once more.
The moves are in `stacks_moves.py`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from itertools import zip_longest

from blake3 import blake3
from tests.oracle.stacks_moves import (
    TRIAL_LANES,
    Document,
    Journal,
    Move,
    Participant,
    Riposte,
    Situation,
    Tuple,
    halves,
    shipped,
)

Place = tuple[int, int]

ROLES = ("neither", "attacks", "defends", "both")
REASONS = ("undecided", "defenders_fell", "attackers_fell", "both_fell", "repelled", "turn_cap", "unopposed")
GONE, NO_NEIGHBOUR, NOBODY, ALLY = range(4)
TICKS, SLOTS, MOST_REPEATS = 65536, 8, 8
WORLD = ("map", "factions", "tiles", "stacks", "revision")

SQUARE4 = [(0, -1), (1, 0), (0, 1), (-1, 0)]
SQUARE8 = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)]
HEX_EVEN = [(0, -1), (1, -1), (1, 0), (0, 1), (-1, 0), (-1, -1)]
HEX_ODD = [(0, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0)]


class World:
    """A resolved document's map, factions, tiles and stacks."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.alliances = document["options"]["sides"] == "alliances"

    def steps(self, place: Place) -> list[Place]:
        """List what lies around a place by direction, whether it is on the map or not."""
        kind = self.document["map"]["kind"]
        hexes = HEX_ODD if place[0] % 2 else HEX_EVEN
        offsets = {"hex": hexes, "square4": SQUARE4, "square8": SQUARE8}[kind]
        return [(place[0] + dx, place[1] + dy) for dx, dy in offsets]

    def is_on_map(self, place: Place) -> bool:
        """Tell whether a place is on the map."""
        width, height = int(self.document["map"]["width"]), int(self.document["map"]["height"])
        return 0 <= place[0] < width and 0 <= place[1] < height

    def number_on(self, place: Place) -> int | None:
        """Find the stack on a place."""
        found = (number for number, stack in enumerate(self.document["stacks"]) if tuple(stack["at"]) == place)
        return next(found, None)

    def owner_of(self, place: Place) -> str | None:
        """Find the owner of a tile."""
        owner: str | None = self.document["tiles"].get(f"{place[0]},{place[1]}", {}).get("owner")
        return owner

    def allied(self, one: str, other: str) -> bool:
        """Tell whether two factions are."""
        factions = self.document["factions"]
        said = other in factions[one].get("allies", []) or one in factions[other].get("allies", [])
        return one == other or (self.alliances and said)

    def role(self, owner: str, attacker: str, party: str) -> str:
        """Say what stacks of an owner do."""
        if not self.alliances:
            return "attacks" if owner == attacker else "defends"
        with_attacker, with_party = self.allied(owner, attacker), self.allied(owner, party)
        if with_attacker:
            return "both" if with_party else "attacks"
        return "defends" if with_party else "neither"

    def party(self, attacker: str, tile: Place) -> str | int:
        """Find the defending party, or the obstacle."""
        number = self.number_on(tile)
        owners = [self.owner_of(tile), None if number is None else self.document["stacks"][number]["owner"]]
        if owners == [None, None]:
            return NOBODY
        return next((owner for owner in owners if owner and not self.allied(owner, attacker)), ALLY)

    def obstacle(self, attack: Document) -> int | None:
        """Say why an attack is not possible, if it is not."""
        stack = next((stack for stack in self.document["stacks"] if stack["id"] == attack["stack"]), None)
        if stack is None:
            return GONE
        tile: Place = (attack["tile"][0], attack["tile"][1])
        if tile not in self.steps((stack["at"][0], stack["at"][1])) or not self.is_on_map(tile):
            return NO_NEIGHBOUR
        party = self.party(stack["owner"], tile)
        return party if isinstance(party, int) else None


@dataclass(frozen=True)
class Result:
    """What an attack came to."""

    rows: list[list[int]]
    winner: int
    reason: str
    rounds: int
    tuples: list[Tuple]
    participants: dict[int, Participant]
    world: Document
    """The world that has taken the result in."""
    commit_row: list[int]


class Attack:
    """One attack: the rules as methods, in the order of the rule book."""

    def __init__(self, document: Document, stream: int, plugins: Sequence[Move]) -> None:
        self.document, self.world = document, World(document)
        self.options: Document = document["options"]
        number: int = document["attack"]["number"]
        self.tile: Place = (document["attack"]["tile"][0], document["attack"]["tile"][1])
        self.base = number * TICKS
        self.journal = Journal(document["seed"], stream, self.base)
        self.tuples: list[Tuple] = []
        self.homes: dict[int, tuple[int, int]] = {}
        self.plugins = plugins
        self.at = Situation(self.options, {}, self.adjacent(), self.journal, [])
        self.idle = self.stale = 0
        self.drew_blood = False

    def adjacent(self) -> set[tuple[int, int]]:
        """List the pairs of directions whose tiles are neighbours."""
        places = [*self.world.steps(self.tile), self.tile]
        return {
            (one, other)
            for one, place in enumerate(places)
            for other, beside in enumerate(places)
            if beside in self.world.steps(place)
        }

    # Who fights, and set-up

    def set_up(self) -> None:
        """Draw up the field."""
        stacks = self.document["stacks"]
        leader = next(n for n, stack in enumerate(stacks) if stack["id"] == self.document["attack"]["stack"])
        attacker = stacks[leader]["owner"]
        party = self.world.party(attacker, self.tile)
        assert isinstance(party, str)
        rows = []
        for direction, place in enumerate([*self.world.steps(self.tile), self.tile]):
            number = self.world.number_on(place)
            if number is None:
                continue
            stack = stacks[number]
            role = self.world.role(stack["owner"], attacker, party)
            rows.append((number, direction, ROLES.index(role), len(stack["units"])))
            if role in ("attacks", "defends"):
                for slot, unit in enumerate(stack["units"]):
                    self.join(SLOTS * direction + slot, 1 if role == "attacks" else 2, direction, unit)
                    self.homes[SLOTS * direction + slot] = (number, slot)
        known = {name for one in self.by_id() for name in one.moves}
        self.at.registry = shipped() + [move for move in self.plugins if move.name in known]
        counts = len(self.side(1)), len(self.side(2))
        self.journal.row("battle", -1, -1, leader, *counts, self.document["attack"]["number"])
        for row in rows:
            self.journal.row("stack", -1, -1, *row)
        for one in self.by_id():
            self.journal.row("ready", one.id, -1, one.side, one.health, one.full, one.initiative)

    def join(self, number: int, side: int, direction: int, unit: Document) -> None:
        """Let a unit take part."""
        health = unit["health"]
        scores = unit["attack"], unit["defence"], unit["damage"], unit["initiative"]
        current = unit.get("current")
        self.at.participants[number] = Participant(
            number, side, direction, health, health if current is None else current, *scores, list(unit["moves"])
        )

    def by_id(self) -> list[Participant]:
        """List everybody."""
        return [self.at.participants[number] for number in sorted(self.at.participants)]

    def side(self, side: int) -> list[Participant]:
        """List a side."""
        return [one for one in self.by_id() if one.side == side]

    def totals(self) -> tuple[int, int]:
        """Add up the healths of both sides."""
        first, second = (sum(one.health for one in self.side(side)) for side in (1, 2))
        return first, second

    # The battle

    def play(self) -> Result:
        """Play it from set-up to outcome."""
        self.set_up()
        self.least = self.before = self.totals()
        winner, reason, rounds = 1, "unopposed", 0
        ended = None if self.side(2) else (winner, reason)
        while ended is None:
            self.journal.tick, self.at.turn = self.base + rounds, rounds
            ended = self.play_turn()
            rounds += 1
        winner, reason = ended
        self.journal.row("outcome", -1, -1, winner, REASONS.index(reason), *self.totals())
        world, commit_row = self.commit(winner)
        rows = self.journal.rows
        return Result(rows, winner, reason, rounds, self.tuples, self.at.participants, world, commit_row)

    def order(self) -> list[Participant]:
        """Say in which order this turn is played."""
        if self.options["order"] == "id":
            return self.by_id()
        if self.options["order"] == "initiative":
            return sorted(self.by_id(), key=lambda one: (-one.initiative, one.id))
        pairs = [pair[:: -1 if self.at.turn % 2 else 1] for pair in zip_longest(self.side(1), self.side(2))]
        return [one for pair in pairs for one in pair if one is not None]

    def play_turn(self) -> tuple[int, str] | None:
        """Play a turn; who won and how, if it was the last."""
        self.drew_blood = False
        living = [sum(one.living for one in self.side(side)) for side in (1, 2)]
        self.journal.row("turn", -1, -1, self.at.turn, *living)
        for one in self.order():
            if one.living:
                self.take_turn(one)
        return self.end_turn()

    def take_turn(self, actor: Participant) -> None:
        """Let a participant choose and make its move."""
        chosen = self.choose(actor)
        if chosen is None:
            return
        target, move, value = chosen
        repeats = max(1, min(MOST_REPEATS, move.repeats(self.at, actor, target)))
        self.journal.row("choice", actor.id, target.id, self.at.code(move), *halves(value), repeats)
        self.at.dice = self.journal.open(actor.id)
        for making in range(1, repeats + 1):
            if making > 1 and not (actor.living and move.viable(self.at, actor, target)):
                return
            self.make(actor, target, move, making)

    def choose(self, actor: Participant) -> tuple[Participant, Move, float] | None:
        """Find the move that promises most."""
        sampled = self.options["valuation"] == "sampled"
        dice = self.journal.open(TRIAL_LANES + actor.id) if sampled else None
        best: tuple[Participant, Move, float] | None = None
        viable = 0
        for target in self.by_id():
            for move in self.at.registry:
                if move.name not in actor.moves or not move.viable(self.at, actor, target):
                    continue
                viable += 1
                value = move.sampled(self.at, actor, target, dice) if dice else move.value(self.at, actor, target)
                is_best = value > (best[2] if best else 0.0)
                self.journal.row("considered", actor.id, target.id, self.at.code(move), *halves(value), int(is_best))
                if is_best:
                    best = target, move, value
        if best is None:
            self.journal.row("wait", actor.id, -1, viable)
        return best

    def make(self, actor: Participant, target: Participant, move: Move, making: int) -> None:
        """Make a move once, and let it be answered."""
        made = self.generate(actor, target, move)
        for each in made:
            self.apply(each, move, making)
        if not (move.harmful and move.melee):
            return
        riposte = self.at.by_name("riposte")
        assert isinstance(riposte, Riposte)
        for each in made:
            if each.target >= 0 and riposte.answers(self.at, self.at.participants[each.target], actor, move):
                for answer in self.generate(self.at.participants[each.target], actor, riposte):
                    self.apply(answer, riposte, making)

    def generate(self, actor: Participant, target: Participant, move: Move) -> list[Tuple]:
        """Roll, and leave tuples."""
        return [Tuple(actor.id, whom, move.name, effect) for whom, effect in move.generate(self.at, actor, target)]

    def apply(self, made: Tuple, move: Move, making: int) -> None:
        """Let a tuple happen, and tell of it."""
        actor = self.at.participants[made.actor]
        target = self.at.participants[made.target] if made.target >= 0 else None
        told = [one for one in (target, actor) if one is not None]
        before = {one.id: (one.health, one.scores) for one in told}
        move.apply(actor, target, made.effect)
        actor.used[made.move] += 1
        self.tuples.append(made)
        self.journal.row("move", actor.id, made.target, self.at.code(move), made.effect, told[0].health, making)
        if target is not None:
            self.tell(target, actor, before[target.id])
            self.drew_blood |= actor.side == 1 and target.side == 2 and target.health < before[target.id][0]
        if target is not actor:
            if actor.health != before[actor.id][0]:
                self.journal.row("health", -1, actor.id, before[actor.id][0], actor.health)
            self.tell(actor, actor, before[actor.id])

    def tell(self, one: Participant, actor: Participant, before: tuple[int, tuple[int, int, int]]) -> None:
        """Tell what became of somebody by a tuple."""
        if one.scores != before[1]:
            self.journal.row("scores", -1, one.id, *one.scores)
        if before[0] > 0 and not one.living:
            self.journal.row("fall", actor.id, one.id)

    def end_turn(self) -> tuple[int, str] | None:
        """Judge a turn; who won and how, if the battle is over."""
        totals = self.totals()
        idle = totals == self.before if self.options["idle_rule"] == "anyone" else not self.drew_blood
        if self.at.turn == 0 and not self.options["first_turn_idle"]:
            idle = False
        self.idle = self.idle + 1 if idle else 0
        stale = totals[0] >= self.least[0] and totals[1] >= self.least[1]
        self.stale = self.stale + 1 if stale else 0
        self.before, self.least = totals, (min(totals[0], self.least[0]), min(totals[1], self.least[1]))
        self.journal.row("turn_end", -1, -1, self.idle, self.stale, *totals)
        stands = any(one.living for one in self.side(1)), any(one.living for one in self.side(2))
        if stands != (True, True):
            return {
                (False, False): (0, "both_fell"),
                (True, False): (1, "defenders_fell"),
                (False, True): (2, "attackers_fell"),
            }[stands]
        stale_turns = self.options["stale_turns"]
        if self.idle == self.options["idle_turns"] or (stale_turns > 0 and self.stale == stale_turns):
            return 0, "repelled"
        return (0, "turn_cap") if self.at.turn == self.options["turn_cap"] - 1 else None

    # Commit

    def commit(self, winner: int) -> tuple[Document, list[int]]:
        """Let a copy of the world take the result in; it, and the row that a campaign has of that."""
        world = deepcopy({key: self.document[key] for key in WORLD})
        removed = 0
        for one in self.by_id():
            stack, slot = self.homes[one.id]
            unit = world["stacks"][stack]["units"][slot]
            unit["current"] = one.health
            removed += not one.living
        for stack in world["stacks"]:
            stack["units"] = [unit for unit in stack["units"] if unit.get("current", unit["health"]) > 0]
            for unit in stack["units"]:
                if unit.get("current") == unit["health"]:
                    del unit["current"]
        world["stacks"] = [stack for stack in world["stacks"] if stack["units"]]
        advanced = winner == 1 and self.options["advance"] and self.advance(world)
        world["revision"] += 1
        commit_row = [self.journal.tick, 17, -1, -1, self.base // TICKS, removed, int(advanced), world["revision"]]
        return world, commit_row

    def advance(self, world: Document) -> bool:
        """Move the stack that attacked onto the tile, if it is there and the tile is free."""
        leader = next((stack for stack in world["stacks"] if stack["id"] == self.document["attack"]["stack"]), None)
        if leader is None or any(tuple(stack["at"]) == self.tile for stack in world["stacks"]):
            return False
        leader["at"] = list(self.tile)
        world["tiles"].setdefault(f"{self.tile[0]},{self.tile[1]}", {})["owner"] = leader["owner"]
        return True


def play(document: Document, stream: int = 0, plugins: Sequence[Move] = ()) -> Result:
    """Play a resolved attack."""
    return Attack(json.loads(json.dumps(document)), stream, plugins).play()


def fight(campaign: Document, stream: int = 0) -> tuple[list[list[int]], Document]:
    """Fight a resolved campaign: its rows, and the world at its end."""
    world = json.loads(json.dumps({key: campaign[key] for key in WORLD}))
    rows: list[list[int]] = []
    for number, attack in enumerate(campaign["attacks"]):
        document = {**campaign, **world, "attack": {**attack, "number": number}}
        obstacle = World(document).obstacle(attack)
        if obstacle is not None:
            rows.append([number * TICKS, 18, -1, -1, number, obstacle, 0, 0])
            continue
        result = play(document, stream)
        rows += [*result.rows, result.commit_row]
        world = result.world
    return rows, world


def fingerprint(document: Document) -> str:
    """Name the world that a result was fought on."""
    table = {key: document[key] for key in WORLD}
    text = json.dumps(table, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return blake3(text.encode()).hexdigest()
