"""A second implementation of relics, written from its rule book alone.

It follows `src/fracas/rulesets/relics/README.md` and the dice and conditions of the core specification sentence by
sentence, in plain and slow Python, and shares no code with the engine: where both agree, two readers understood the
same text. Where the engine keeps an agenda, this is recursive. `play` takes a resolved document and returns the event
rows. It trusts the document: what the project refuses to load is not refused here once more.
"""

from __future__ import annotations

from dataclasses import dataclass

from tests.oracle.relics_build import PLACE, TIER, Document, Fighter, codes
from tests.oracle.relics_changes import SOURCE, Doer, Due, running
from tests.oracle.relics_effects import CUT, REASON, Effects, OverError

STEP = codes("pre battle_start")
FIRST = codes("speed tie_breaker roll")
SKIP = codes("stunned cannot_attack")
SHOWN = ("hp", "attack", "armor", "speed")
MOST_STRIKES, MOST_ON_HIT, RIPTIDE = 16, 16, 5
PRE_LANE, TABLE = 0xFF00, 0xFFFF


@dataclass(frozen=True)
class Result:
    """What a battle came to."""

    rows: list[list[int]]
    winner: int
    reason: int
    rounds: int


class Battle(Effects):
    """The order of play."""

    def __init__(self, document: Document, stream: int) -> None:
        super().__init__(document, stream)
        self.can_draw = self.options["tie_breaker"] == "random" or any(
            may_draw(effect.data) or any(may_draw(op) for op in effect.data["do"])
            for fighter in self.fighters
            for effect in fighter.effects
        )

    def play(self) -> Result:
        """Play it from start to end."""
        try:
            self.set_up()
            one = self.first()
            while True:
                self.take_turn(one)
                if self.turn == self.options["turn_cap"]:
                    self.reason = REASON["turn_cap"]
                    break
                one = self.other(one)
        except OverError:
            pass
        winner = {REASON["right_fell"]: 1, REASON["left_fell"]: 2}.get(self.reason, 0)
        self.row("outcome", None, None, winner, self.reason, *self.hp())
        return Result(self.rows, winner, self.reason, self.turn)

    def hp(self) -> list[int]:
        """Give the HP of both."""
        return [fighter.quantity["hp"] for fighter in self.fighters]

    # Set-up.

    def set_up(self) -> None:
        """Show both fighters, then run what comes before the first turn."""
        numbers = (self.options["turn_cap"], self.options["fatigue_start"], int(not self.can_draw))
        self.row("battle", None, None, *numbers)
        for fighter in self.fighters:
            self.show(fighter)
        if self.options["allow_pre_phase"]:
            for fighter in reversed(self.fighters):
                self.set_up_step("pre", fighter, PRE_LANE + fighter.number)
            self.death_check()
        for fighter in self.fighters:
            self.set_up_step("battle_start", fighter, fighter.number)
        self.death_check()

    def show(self, fighter: Fighter) -> None:
        """Write down a fighter with all that it wears."""
        quantity = fighter.quantity
        self.row("fighter", fighter, None, *[quantity[name] for name in SHOWN])
        trait = fighter.pieces[0]
        speaking = {each.piece for each in fighter.effects} | {each.piece for each in fighter.modifiers}
        for piece in fighter.pieces:
            if (piece is not trait and piece.place != "status") or piece in speaking:
                self.row("piece_worn", fighter, None, piece.number, PLACE[piece.place], TIER[piece.tier])
        for name, code in self.codes.items():
            shown = name in SHOWN or (name == "hp_max" and quantity["hp_max"] == quantity["hp"])
            if quantity[name] and not shown:
                self.row("has", fighter, None, code, quantity[name])

    def set_up_step(self, name: str, fighter: Fighter, lane: int) -> None:
        """Run a fighter's effects of a step."""
        self.begin_step(lane)
        self.row("step", fighter, None, STEP[name])
        self.come_up(Due(fighter, name))

    def begin_step(self, lane: int) -> None:
        """Begin a step of the dice and of the runs."""
        self.address = (self.turn, lane)
        self.steps_runs, self.runs_cut = 0, False

    def first(self) -> Fighter:
        """Find who acts first."""
        speeds = [fighter.quantity["speed"] for fighter in self.fighters]
        reason = "speed"
        if speeds[0] != speeds[1]:
            number = int(speeds[1] > speeds[0])
        elif self.options["tie_breaker"] == "random":
            self.address, reason = (0, TABLE), "roll"
            number = self.roll("first", None, 2, -1)
        else:
            number, reason = int(self.options["tie_breaker"] == "right_first"), "tie_breaker"
        self.row("first", self.fighters[number], None, FIRST[reason], *speeds)
        return self.fighters[number]

    # A turn.

    def take_turn(self, one: Fighter) -> None:
        """Play a turn."""
        self.turn += 1
        self.active, self.strikes, self.strikes_over = one, 0, False
        self.begin_step(one.number)
        for fighter in self.fighters:
            for effect in fighter.effects:
                effect.runs_in_turn = 0
        one.own_turn += 1
        one.extra_now, one.extra_next = one.extra_next, 0
        self.row("turn", one, None, self.turn, one.own_turn, *self.hp())
        self.turn_start(one)
        self.strike_step(one)
        self.strikes_over = True
        self.row("turn_end", one, None, self.strikes)
        self.turn_end(one)

    def turn_start(self, one: Fighter) -> None:
        """Play the start of a turn."""
        fatigue = self.turn - self.options["fatigue_start"]
        self.work_off(self.loss(Doer(None, SOURCE["fatigue"]), one, "hp", fatigue))
        poison = one.quantity["poison"]
        if poison > 0:
            doer = Doer(None, SOURCE["poison"])
            if one.quantity["armor"] == 0:
                _, lost, due = self.packet(doer, one, poison, armor_first=False)
                self.work_off(due + self.ticked(one, "poison", lost))
            self.work_off(self.loss(doer, one, "poison", 1))
        acid = min(one.quantity["acid"], one.quantity["armor"])
        if acid > 0:
            due = self.loss(Doer(None, SOURCE["acid"]), one, "armor", acid)
            self.work_off(due + self.ticked(one, "acid", acid))
        for effect in one.answering("countdown"):
            if running(effect):
                effect.to_go -= 1
                effect.due = effect.to_go == 0
        self.come_up(Due(one, "countdown"))
        if one.own_turn == 1:
            self.come_up(Due(one, "first_turn"))
        self.come_up(Due(one, "every_n_turns"))
        self.come_up(Due(one, "turn_start"))
        self.death_check()

    def ticked(self, one: Fighter, status: str, changed: int) -> list[Due]:
        """List what answers a status that did something at its time."""
        return [Due(one, "status_ticked", changed, status)] if changed > 0 else []

    def turn_end(self, one: Fighter) -> None:
        """Play the end of a turn."""
        by_rule = Doer(None, SOURCE["turn_end"])
        for fighter in self.fighters:
            gone = fighter.reflected if self.options["thorns_clear"] == "fired" else fighter.struck
            if gone and not self.holding(fighter, "thorns_kept"):
                self.work_off(self.loss(by_rule, fighter, "thorns", fighter.quantity["thorns"]))
        for fighter in self.fighters:
            fighter.struck = fighter.reflected = False
        for fighter in [one] if self.options["freeze_decay"] == "own_turn" else self.fighters:
            self.work_off(self.loss(by_rule, fighter, "freeze", 1))
        if one.quantity["riptide"] > 0:
            doer = Doer(None, SOURCE["riptide"])
            absorbed, lost, due = self.packet(doer, one, RIPTIDE, self.options["riptide_route"] == "armor")
            self.work_off(due + self.ticked(one, "riptide", absorbed + lost))
            self.work_off(self.loss(doer, one, "riptide", 1))
        regen = one.quantity["regen"]
        if regen > 0:
            doer = Doer(None, SOURCE["regen"])
            healed, due = self.heal(doer, one, regen)
            self.work_off(due + self.ticked(one, "regen", healed))
            self.work_off(self.loss(doer, one, "regen", 1))
        self.come_up(Due(one, "turn_end"))
        if one.own_turn % 2 == (self.options["cadence_parity"] == "odd"):
            self.come_up(Due(one, "every_other_turn"))
        self.write(by_rule, one, "temp_attack", 0)
        self.death_check()

    # Strikes.

    def strike_step(self, one: Fighter) -> None:
        """Make as many attempts at a strike as there are."""
        base = 1 + one.extra_always + self.summed(one, "strikes")
        attempts = 0
        while attempts < base + one.extra_now:
            if attempts == MOST_STRIKES:
                self.row("cut", one, None, CUT["strikes"], -1, -1, 0)
                return
            attempts += 1
            self.striking = True
            goes_on = self.attempt(one)
            self.striking = False
            if not goes_on:
                return

    def attempt(self, one: Fighter) -> bool:
        """Try to make a strike; whether there may be another."""
        if self.holding(one, "cannot_attack"):
            self.row("skip", one, None, SKIP["cannot_attack"], one.quantity["stun"])
            return False
        if one.quantity["stun"] > 0:
            left = one.quantity["stun"] - 1
            self.row("skip", one, None, SKIP["stunned"], left)
            self.work_off(self.loss(Doer(None, SOURCE["stun"]), one, "stun", 1))
            self.come_up(Due(one, "strike_skipped", left))
        else:
            self.strike(one, self.other(one))
        self.striking = False
        self.death_check()
        return True

    def strike(self, one: Fighter, other: Fighter) -> None:
        """Make a strike, with all that answers it."""
        self.strikes += 1
        part = self.attack_part(one, other)
        one.strikes_made += 1
        self.thresholds_wait = True
        armor_first = not self.holding(one, "ignores_armor")
        absorbed, lost, due = self.packet(Doer(one, SOURCE["strike"]), other, part, armor_first)
        self.work_off(due)
        for _ in range(min(MOST_ON_HIT, 1 + max(0, self.summed(one, "on_hit_runs")))):
            self.come_up(Due(one, "on_hit", absorbed + lost))
        self.come_up(Due(one, "every_n_strikes", one.strikes_made))
        self.come_up(Due(other, "on_struck", absorbed + lost))
        thorns = other.quantity["thorns"]
        if thorns > 0:
            other.reflected = True
            self.work_off(self.packet(Doer(other, SOURCE["thorns"]), one, thorns, active=False)[2])
        self.thresholds_wait = False
        waiting = [(fighter, fighter.crossed) for fighter in (other, one)]
        for fighter, crossed in waiting:
            fighter.crossed = set()
            self.work_off(self.of_thresholds(fighter, crossed))

    def attack_part(self, one: Fighter, other: Fighter) -> int:
        """Find what a strike is worth before damage meets anything."""
        attack, temporary = one.quantity["attack"], one.quantity["temp_attack"]
        bonus, percent = self.summed(one, "attack"), self.summed(one, "attack_pct")
        self.row("attack", one, None, attack, temporary, bonus, percent)
        before = max(0, attack + temporary + bonus) * (100 + max(-100, percent)) // 100
        cold = one if self.options["freeze_side"] == "attacker" else other
        frozen = cold.quantity["freeze"] > 0
        part = before // 2 if frozen else before
        self.row("strike", one, other, self.strikes, before, part, int(frozen))
        return part


def may_draw(data: Document) -> bool:
    """Tell whether an effect or an op is one that can draw."""
    chance = data.get("chance")
    picks = "random" in [data.get(key) for key in ("target", "status", "from", "which")]
    return picks or (chance is not None and 0 < chance < 100)


def play(document: Document, stream: int) -> Result:
    """Play a resolved document, and return the rows and the result."""
    return Battle(document, stream).play()
