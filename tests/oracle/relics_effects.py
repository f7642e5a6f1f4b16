"""The effects of relics, their ops and the death check, written from its rule book alone, and recursive as it reads."""

from __future__ import annotations

from collections.abc import Iterator

from tests.oracle.relics_build import LARGEST, STATUSES, TRIGGER, Document, Effect, Fighter, Piece, codes
from tests.oracle.relics_changes import Changes, Doer, Due, running

CUT = codes("reentry depth runs strikes")
MOMENT = codes("now next_turn every_turn")
REASON = codes("undecided right_fell left_fell both_fell turn_cap")
DEEPEST, MOST_RUNS = 32, 1000

# What the seed's names say about the ops that they are short for.
SHORT: dict[str, Document] = {
    "gain_armor": {"op": "gain", "what": "armor"},
    "gain_thorns": {"op": "gain", "what": "thorns"},
    "gain_freeze": {"op": "gain", "what": "freeze"},
    "gain_speed": {"op": "gain", "what": "speed"},
    "gain_atk": {"op": "gain", "what": "attack"},
    "onhit_gain_armor": {"op": "gain", "what": "armor"},
    "onhit_gain_thorns": {"op": "gain", "what": "thorns"},
    "temporary_attack": {"op": "gain", "what": "temp_attack"},
    "give": {"op": "gain"},
    "remove": {"op": "lose"},
    "lose_hp": {"op": "lose", "what": "hp"},
    "onhit_remove_enemy_armor": {"op": "lose", "what": "armor", "amount": "all", "target": "enemy"},
    "enemy_hp_minus": {"op": "hp_minus"},
    "self_hp_plus": {"op": "heal"},
    "if_have_armor_heal": {"op": "heal", "implied": "have_armor"},
    "if_wounded_heal": {"op": "heal", "implied": "wounded"},
    "onhit_extra_damage": {"op": "extra_damage"},
    "enemy_hp_to_enemy_armor_pct": {"op": "corrode"},
}
AT_ENEMY = ("halve", "deal", "pierce", "hp_minus", "execute", "delay", "steal", "corrode", "extra_damage")


class OverError(Exception):
    """The battle is over."""


class Effects(Changes):
    """What effects do, and the death check that may come in the midst of it."""

    steps_runs = 0
    runs_cut = checking = strikes_over = False
    reason = 0

    # Consequences.

    def work_off(self, due: list[Due], depth: int = 1, marked: bool = False) -> None:
        """Look for deaths if that is done at once, then work off what is due, depth-first."""
        if self.options["death_check"] == "at_once":
            self.death_check(depth)
        for each in due:
            self.come_up(each, depth, marked)

    def come_up(self, due: Due, depth: int = 1, marked: bool = False) -> None:
        """Look at a fighter's effects of a trigger, one after the other."""
        for effect in due.fighter.answering(due.trigger):
            if self.fits(effect, due):
                self.try_effect(effect, due.fighter, due.payload, depth, marked)

    def fits(self, effect: Effect, due: Due) -> bool:
        """Tell whether an effect answers what came up; a countdown that is looked at is no longer due."""
        was_due, effect.due = effect.due, False
        n = effect.data.get("n") or 0
        match due.trigger:
            case "countdown" if not was_due:
                return False
            case "every_n_turns" if due.fighter.own_turn % n:
                return False
            case "every_n_strikes" if due.fighter.strikes_made % n:
                return False
        of = effect.data.get("of")
        return due.fighter.has_phase(effect) and (of is None or of == due.of)

    def try_effect(self, effect: Effect, owner: Fighter, payload: int, depth: int, marked: bool) -> None:
        """Run an effect that its trigger has reached, if limits, guards, its condition and its chance let it."""
        data = effect.data
        limits = ((data.get("per_turn"), effect.runs_in_turn), (data.get("per_battle"), effect.runs))
        if any(limit is not None and runs >= limit for limit, runs in limits):
            return
        guard = "reentry" if effect.running else "depth" if depth > DEEPEST else ""
        guard = guard or ("runs" if self.steps_runs >= MOST_RUNS else "")
        if guard:
            self.cut(guard, effect, owner, depth)
            return
        number = effect.piece.number
        if not owner.wakes(effect) or not self.holds(data, owner, effect.piece, payload):
            return
        if not self.succeeds(data.get("chance"), owner, number):
            return
        effect.runs += 1
        effect.runs_in_turn += 1
        self.steps_runs += 1
        self.row("trigger", owner, None, TRIGGER[effect.trigger], number, payload, depth)
        doer = Doer(owner, number, effect.piece, marked or effect.trigger == "on_damaged")
        effect.running = True
        for op in data["do"]:
            if not self.take(op, doer, payload, depth):
                break
        effect.running = False

    def cut(self, guard: str, effect: Effect, owner: Fighter, depth: int) -> None:
        """Tell of a guard that drops a run, if it has not been told."""
        if guard == "runs":
            told, self.runs_cut = self.runs_cut, True
        else:
            told, effect.cut = effect.cut, True
        if not told:
            self.row("cut", owner, None, CUT[guard], TRIGGER[effect.trigger], effect.piece.number, depth)

    # Ops.

    def take(self, op: Document, doer: Doer, payload: int, depth: int) -> bool:
        """Take an op as often as it says; whether the effect goes on."""
        owner, piece = belonging(doer)
        op = {**op, **SHORT.get(op["op"], {})}
        conditions = [{"if": op.pop("implied", None)}, op]
        if not all(self.holds(each, owner, piece, payload) for each in conditions):
            return True
        if not self.succeeds(op.get("chance"), owner, piece.number):
            return True
        for _ in range(op.get("repeat") or 1):
            for target_word in targets(op):
                for status_word in STATUSES if op.get("status") == "each" else (op.get("status"),):
                    target = self.target(target_word, doer)
                    due = self.perform({**op, "status": status_word}, doer, target, payload)
                    if due is None:
                        return False
                    self.follow(op, due, doer, depth + 1)
        return True

    def follow(self, op: Document, due: list[Due], doer: Doer, depth: int) -> None:
        """Work off what a performance made due, or what it looks at once more."""
        self.work_off(due, depth, doer.marked)
        if op["op"] == "retrigger":
            owner, piece = belonging(doer)
            for effect in self.again(op, owner, piece):
                self.try_effect(effect, owner, 0, depth, doer.marked)

    def target(self, word: str, doer: Doer) -> Fighter:
        """Find whom an op is for."""
        owner, _ = belonging(doer)
        if word == "random":
            word = ("self", "enemy")[self.roll("target", owner, 2, doer.source)]
        return owner if word == "self" else self.other(owner)

    def perform(self, op: Document, doer: Doer, target: Fighter, payload: int) -> list[Due] | None:
        """Perform an op once; what is due, or nothing at all if a price cannot be paid."""
        owner, piece = belonging(doer)
        name = op.get("what") or op.get("status") or op.get("stat") or ""
        given = op.get("amount", 0)
        match op["op"]:
            case "gain":
                return self.growth(doer, target, self.status(name, doer), self.amount(given, doer, payload), True)
            case "lose":
                name = self.status(name, doer, target)
                by = everything(target, name) if given == "all" else self.amount(given, doer, payload)
                return self.loss(doer, target, name, by) if name else []
            case "spend":
                return self.spend(doer, name, given, payload)
            case "steal":
                by = everything(target, name)
                by = by if given == "all" else min(by, self.amount(given, doer, payload))
                return self.transfer(doer, target, name, owner, name, by)
            case "move":
                to = owner if (op.get("to") or "enemy") == "self" else self.other(owner)
                giver = self.other(to)
                name = self.status(name, doer, giver)
                if not name:
                    return []
                by = giver.quantity[name]
                by = by if given == "all" else min(by, self.amount(given, doer, payload))
                return self.transfer(doer, giver, name, to, name, by)
            case "convert":
                return self.convert(op, doer, target, payload)
            case "corrode":
                by = max(0, target.quantity["hp"]) * op["percent"] // 100
                receiver = owner if self.options["corroded_bone_receiver"] == "owner" else target
                return self.transfer(doer, target, "hp", receiver, "armor", by)
            case "count" | "set_counter":
                number = self.amount(given, doer, payload)
                self.set_counter(doer, piece.counter + number if op["op"] == "count" else number)
                return []
            case "retrigger":
                return []
            case "set" | "double" | "halve" | "restore":
                return self.change_stat(op, doer, target)
            case "extra_strikes":
                return self.extra_strikes(op.get("when") or "now", doer, target, self.amount(given, doer, payload))
            case "hasten" | "delay" | "reset_countdowns":
                return self.change_countdowns(op["op"], doer, target, self.amount(given, doer, payload))
        return self.hurt_or_heal(op, doer, target, self.amount(given, doer, payload))

    def hurt_or_heal(self, op: Document, doer: Doer, target: Fighter, amount: int) -> list[Due]:
        """Perform an op that is about HP."""
        hp = target.quantity["hp"]
        match op["op"]:
            case "heal":
                return self.heal(doer, target, amount)[1]
            case "heal_full":
                return self.heal(doer, target, max(0, target.quantity["hp_max"] - hp), modified=False)[1]
            case "deal":
                return self.packet(doer, target, amount)[2]
            case "pierce":
                return self.packet(doer, target, amount, armor_first=False)[2]
            case "extra_damage":
                armor_first = self.options["onhit_damage_route"] == "armor"
                return self.packet(doer, target, amount, armor_first)[2]
            case "hp_minus":
                return self.packet(doer, target, amount, self.options.get("hp_minus_route") == "armor")[2]
            case "execute":
                return self.loss(doer, target, "hp", hp) if 0 < hp <= amount else []
        raise ValueError(f"no such op: {op}")

    def change_stat(self, op: Document, doer: Doer, target: Fighter) -> list[Due]:
        """Perform an op that makes a stat something else."""
        name = op["stat"]
        value = target.quantity["hp_max" if name == "health" else name]
        match op["op"]:
            case "set":
                wanted = max(1, op["amount"]) if name == "health" else op["amount"]
                return self.growth(doer, target, name, wanted - value) + self.loss(doer, target, name, value - wanted)
            case "double":
                return self.growth(doer, target, name, value)
            case "halve":
                return self.loss(doer, target, name, value - value // 2) if value > 0 else []
        return self.growth(doer, target, name, target.base[name] - value)

    def amount(self, given: int | Document, doer: Doer, payload: int) -> int:
        """Find an amount."""
        owner, piece = belonging(doer)
        return self.counted(given, owner, piece, payload)

    def status(self, name: str, doer: Doer, having: Fighter | None = None) -> str:
        """Find a status; at random it is one of those that somebody has, or nothing."""
        if name != "random":
            return name
        candidates = [status for status in STATUSES if having is None or having.quantity[status] > 0]
        if len(candidates) < 2:
            return candidates[0] if candidates else ""
        owner, _ = belonging(doer)
        return candidates[self.roll("status", owner, len(candidates), doer.source)]

    def transfer(self, doer: Doer, giver: Fighter, lost: str, taker: Fighter, gained: str, by: int) -> list[Due]:
        """Let one fighter lose something and one gain as much; both are made before what is due."""
        if by <= 0:
            return []
        due = self.loss(doer, giver, lost, by)
        if gained == "hp":
            return due + self.heal(doer, taker, by, modified=False)[1]
        return due + self.growth(doer, taker, gained, by)

    def convert(self, op: Document, doer: Doer, target: Fighter, payload: int) -> list[Due]:
        """Make something of something else."""
        lost = self.status(op["from"], doer, target)
        if not lost or lost == op["to"]:
            return []
        by = everything(target, lost) if op["amount"] == "all" else self.amount(op["amount"], doer, payload)
        return self.transfer(doer, target, lost, target, op["to"], min(by, max(0, target.quantity[lost])))

    def spend(self, doer: Doer, name: str, given: int | str | Document, payload: int) -> list[Due] | None:
        """Pay a price, or find that it cannot be paid."""
        owner, piece = belonging(doer)
        there = owner.quantity[name]
        if isinstance(given, str):
            price = max(1, everything(owner, name))
            payable = everything(owner, name) >= 1
        else:
            price = self.counted(given, owner, piece, payload)
            payable = price == 0 or (there > price if name == "hp" else there >= price)
        if not payable:
            self.row("unpaid", owner, None, self.codes[name], price, there, doer.source)
            return None
        return self.loss(doer, owner, name, price)

    def extra_strikes(self, moment: str, doer: Doer, target: Fighter, strikes: int) -> list[Due]:
        """Add strikes to this turn, the next or every turn."""
        if strikes <= 0:
            return []
        if moment == "now" and (self.active is not target or self.strikes_over):
            moment = "next_turn"
        match moment:
            case "now":
                target.extra_now += strikes
            case "next_turn":
                target.extra_next += strikes
            case _:
                target.extra_always += strikes
        self.row("extra_strikes", doer.fighter, target, MOMENT[moment], strikes, doer.source)
        return []

    def change_countdowns(self, verb: str, doer: Doer, target: Fighter, by: int) -> list[Due]:
        """Hasten, delay or begin anew all countdowns of a fighter."""
        for effect in target.answering("countdown"):
            before = effect.to_go
            match verb:
                case "hasten" if running(effect):
                    effect.to_go = max(0, before - by)
                    effect.due = effect.due or effect.to_go == 0
                case "delay" if running(effect):
                    effect.to_go = min(LARGEST, before + by)
                case "reset_countdowns":
                    effect.to_go, effect.due = effect.data["n"], False
            if effect.to_go != before:
                numbers = (effect.piece.number, effect.to_go - before, effect.to_go, doer.source)
                self.row("countdown", doer.fighter, target, *numbers)
        return [Due(target, "countdown")] if verb == "hasten" else []

    def set_counter(self, doer: Doer, value: int) -> None:
        """Change the counter of the op's piece."""
        owner, piece = belonging(doer)
        before, piece.counter = piece.counter, max(0, min(value, LARGEST))
        if piece.counter != before:
            self.row("counter", owner, None, piece.number, piece.counter - before, piece.counter)

    def again(self, op: Document, owner: Fighter, piece: Piece) -> list[Effect]:
        """List the effects of other pieces that run once more, in firing order."""
        effects = [effect for effect in owner.answering(op["trigger"]) if owner.has_phase(effect)]
        tagged = owner.tagged(op["tag"]) if op.get("tag") else owner.pieces
        others = [each for each in tagged if each is not piece and each.place != "status"]
        pieces = {effect.piece for effect in effects if effect.piece in others}
        candidates = sorted(pieces, key=lambda one: one.number)
        match op.get("which") or "all":
            case "random" if len(candidates) > 1:
                candidates = [candidates[self.roll("effect", owner, len(candidates), piece.number)]]
            case "left" | "right" as side:
                step = -1 if side == "left" else 1
                near = [one for one in candidates if one.number == piece.number + step and one.place == "item"]
                candidates = near if piece.place == "item" else []
        return [effect for effect in effects if effect.piece in candidates]

    # The death check.

    def death_check(self, depth: int = 1) -> None:
        """Look for the fallen, let them rise if they can, and end the battle if they cannot."""
        fallen = self.fallen()
        if not fallen or self.checking:
            return
        self.checking = True
        for fighter in fallen:
            self.row("fall", None, fighter, fighter.quantity["hp"])
        if len(fallen) == 1:
            self.come_up(Due(self.other(fallen[0]), "on_kill", -fallen[0].quantity["hp"]), depth)
        risen = [fighter for fighter in self.fallen() if fighter.phase <= len(fighter.phases)]
        for fighter in risen:
            fighter.enter_phase()
            numbers = [fighter.quantity[name] for name in ("hp", "attack", "armor")]
            self.row("phase_begins", None, fighter, fighter.phase, *numbers)
        left = self.fallen()
        if left:
            self.reason = REASON[
                "both_fell" if len(left) == 2 else "left_fell" if left[0].number == 0 else "right_fell"
            ]
            raise OverError
        self.checking = False
        for fighter, phase in [(fighter, fighter.phase) for fighter in risen]:
            for effect in fighter.answering("battle_start"):
                if effect.phase == phase == fighter.phase:
                    self.try_effect(effect, fighter, 0, depth, False)

    def fallen(self) -> list[Fighter]:
        """List those at 0 HP or below."""
        return [fighter for fighter in self.fighters if fighter.quantity["hp"] <= 0]


def belonging(doer: Doer) -> tuple[Fighter, Piece]:
    """Give the owner and the piece of an op."""
    if doer.fighter is None or doer.piece is None:
        raise ValueError("an op belongs to a piece")
    return doer.fighter, doer.piece


def targets(op: Document) -> Iterator[str]:
    """List the targets of an op as it says them."""
    name = op.get("target") or ("enemy" if op["op"] in AT_ENEMY else "self")
    yield from ("self", "enemy") if name == "both" else (name,)


def everything(fighter: Fighter, name: str) -> int:
    """Find how much all of something is."""
    if name == "health":
        return fighter.quantity["hp_max"] - 1
    return max(0, fighter.quantity[name] - (name == "hp")) if name else 0
