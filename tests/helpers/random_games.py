# ruff: noqa: E501 -- lines of the games that it writes
"""Writes small games at random: fields, lists, State, events, choices and rules, one text for each number.

The rules mean nothing. They use what authors use, and every number that they store stays below a thousand.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

SHAPES = ("rounds", "both", "turns", "take_turn", "advance")
MOST = 997


def random_game(number: int) -> str:
    """The text of game `number`; its name is `random_N`."""
    return "\n".join(_Writer(number).lines()) + "\n"


class _Writer:
    def __init__(self, number: int) -> None:
        self.number = number
        self.dice = Random(number)
        self.shape = SHAPES[number % len(SHAPES)]
        self.has_units = self.shape in ("turns", "take_turn") or bool(self.dice.randrange(2))
        self.capacity = self.dice.randint(1, 4)
        self.moods = self.dice.randint(2, 4)
        # Given fields and State of who acts, and of the battle and the options.
        self.given = [f"g{place}" for place in range(self.dice.randint(1, 4))]
        self.flags = [f"f{place}" for place in range(self.dice.randint(0, 2))]
        self.lists = [f"l{place}" for place in range(self.dice.randint(0, 2))]
        self.states = [f"s{place}" for place in range(self.dice.randint(1, 4))]
        self.piles = [f"p{place}" for place in range(self.dice.randint(0, 2))]
        self.options = [f"o{place}" for place in range(self.dice.randint(1, 3))]
        self.lengths = {name: self.dice.randint(1, 5) for name in (*self.lists, *self.piles)}
        self.has_gear = bool(self.dice.randrange(2))
        self.of_battle = bool(self.dice.randrange(2))
        self.has_triggers = self.has_units and bool(self.dice.randrange(2))

    @property
    def who(self) -> str:
        return "Member" if self.has_units else "Player"

    def lines(self) -> Iterator[str]:
        yield f'"""Random {self.number}: a game of shape {self.shape} that nobody wrote."""'
        yield ""
        yield "from enum import IntEnum"
        yield ""
        yield "from fracas.kit import Battle, Content, Game, Log, Options, Side, Unit, ask, ask_both, below, chance, chosen, count"
        yield "from fracas.kit import d100, draw, event, hidden, later, next_round, number, open_dice, percent, rule, state, up_to, win"
        yield ""
        yield from self.enum("Mood", [f"MOOD_{each}" for each in range(self.moods)])
        yield from self.enum("Do", ["WAIT", "POKE", "PUSH"][: self.dice.randint(2, 3)])
        yield from self.enum("End", ["DOWN", "BOTH"], 1)
        if self.has_triggers:
            yield from self.enum("Trigger", ["ECHO"], 1)
        if self.has_gear:
            yield 'class Gear(Content, kind="gears"):'
            yield f"    power: int = number(0, {self.dice.randint(1, 30)})"
            yield f"    luck: int = percent(default={self.dice.randint(0, 100)})"
            yield ""
        yield "class Rules(Options):"
        for each in self.options:
            low, high = self.bounds()
            yield f"    {each}: int = number({low}, {high}, default={self.dice.randint(low, high)})"
        yield ""
        if self.has_units:
            yield 'class Member(Unit, kind="members"):'
            yield from self.fields()
            yield ""
        yield "class Player(Side):"
        if self.has_units:
            yield f"    units: list[Member] = up_to({self.capacity}, least=1)"
            yield '    units_count: int = count("units")'
            if self.shape == "both":
                yield "    choice: Do = chosen()"
        else:
            yield from self.fields()
            if self.shape == "both":
                yield "    choice: Do = chosen()"
        yield "    score: int = state(shown=True)"
        yield ""
        yield "class Fight(Battle[Player, Rules]):"
        yield "    heat: int = state(shown=True)" if self.of_battle else "    pass"
        yield ""
        yield from self.events()
        yield from self.rules()
        extra = ", targets=3, untargeted=(Do.WAIT,)" if self.shape == "advance" else ""
        yield f'game = Game("random_{self.number}", version=1, battle=Fight, reasons=End{extra})'

    def enum(self, name: str, members: list[str], first: int = 0) -> Iterator[str]:
        yield f"class {name}(IntEnum):"
        for place, each in enumerate(members):
            yield f"    {each} = {first + place}"
        yield ""

    def bounds(self) -> tuple[int, int]:
        low = self.dice.choice([-20, 0, 1, 5])
        return low, low + self.dice.choice([0, 1, 9, 60])

    def fields(self) -> Iterator[str]:
        """Given fields, then State."""
        yield f"    health: int = number(1, {self.dice.randint(5, 60)})"
        yield "    mood: Mood"
        for each in self.given:
            low, high = self.bounds()
            yield f"    {each}: int = number({low}, {high})"
        for each in self.flags:
            yield f"    {each}: bool"
        for each in self.lists:
            yield f"    {each}: list[int] = up_to({self.lengths[each]}, low=0, high={self.dice.randint(1, 99)})"
            yield f'    {each}_count: int = count("{each}")'
        if self.has_gear:
            yield "    gear: Gear"
            yield '    held: Gear = state(starts="gear")'
        yield '    hp: int = state(starts="health", of="health")'
        for each in self.states:
            yield f"    {each}: int = {self.dice.choice(['state()', 'state(shown=True)', 'hidden()'])}"
        for each in self.piles:
            kind = self.dice.choice(["state", "hidden"])
            yield f"    {each}: list[int] = {kind}(capacity={self.lengths[each]})"

    def events(self) -> Iterator[str]:
        yield '@event("{actor} hits {target} for {damage}: {hp} left")'
        yield f"def hits(actor: {self.who}, target: {self.who}, damage: int, hp: int) -> None: ..."
        yield ""
        yield '@event("{actor} feels {mood} at {value:point|points}", detail="all")'
        yield f"def feels(actor: {self.who}, mood: Mood, value: int, sure: bool) -> None: ..."
        yield ""
        if self.of_battle:
            yield '@event("It is {heat} degrees")'
            yield "def warms(heat: int) -> None: ..."
            yield ""

    # -- rules -------------------------------------------------------------------------------------------------------

    def value(self, me: str, depth: int = 2) -> str:
        """An expression of what a rule may read, small enough to be multiplied."""
        kinds = ["const", "given", "state", "option", "tick"]
        if depth:
            kinds += ["sum", "difference", "product", "quotient", "rest", "least", "most", "size", "choice", "dice"]
        if self.has_gear:
            kinds.append("gear")
        if self.lists:
            kinds.append("list")
        if self.piles:
            kinds.append("pile")
        if self.flags:
            kinds.append("flag")
        one = lambda: self.value(me, depth - 1)  # noqa: E731
        match self.dice.choice(kinds):
            case "const":
                return str(self.dice.randint(0, 20))
            case "given":
                return f"{me}.{self.dice.choice(self.given)}"
            case "state":
                return f"{me}.{self.dice.choice([*self.states, 'hp'])}"
            case "option":
                return f"battle.options.{self.dice.choice(self.options)}"
            case "tick":
                return "battle.tick"
            case "gear":
                return f"{me}.{self.dice.choice(['gear', 'held'])}.{self.dice.choice(['power', 'luck'])}"
            case "list":
                name = self.dice.choice(self.lists)
                return f"{me}.{name}[{self.place(me, self.lengths[name])}]"
            case "pile":
                name = self.dice.choice(self.piles)
                return f"{me}.{name}[{self.place(me, self.lengths[name])}]"
            case "flag":
                return f"(1 if {me}.{self.dice.choice(self.flags)} else 0)"
            case "sum":
                return f"({one()} + {one()})"
            case "difference":
                return f"({one()} - {one()})"
            case "product":
                return f"({one()} * {one()})"
            case "quotient":
                return f"({one()} // max({one()}, 1))"
            case "rest":
                return f"({one()} % {self.dice.randint(1, 50)})"
            case "least":
                return f"min({one()}, {one()})"
            case "most":
                return f"max({one()}, {one()})"
            case "size":
                return f"abs({one()})"
            case "choice":
                return f"({one()} if {self.test(me)} else {one()})"
        return f"below(battle, {self.dice.randint(1, 9)})"

    def place(self, me: str, length: int) -> str:
        return f"abs({me}.{self.dice.choice([*self.given, *self.states])}) % {length}"

    def test(self, me: str) -> str:
        """A condition."""
        match self.dice.randrange(4):
            case 0:
                return f"{me}.mood == Mood.MOOD_{self.dice.randrange(self.moods)}"
            case 1:
                return f"chance(battle, {self.dice.randint(0, 100)})"
            case 2:
                return f"{self.value(me, 0)} < {self.value(me, 0)} or {self.value(me, 0)} == {self.dice.randint(0, 9)}"
        return f"{self.value(me, 1)} >= {self.value(me, 0)}"

    def statements(self, me: str, depth: int = 2) -> Iterator[str]:
        for _ in range(self.dice.randint(1, 3)):
            match self.dice.randrange(7 if depth else 4):
                case 0:
                    yield f"{me}.{self.dice.choice(self.states)} = {self.value(me)} % {MOST}"
                case 1:
                    yield f"battle.sides[{self.side(me)}].score += {self.value(me)} % 3"
                case 2 if self.piles:
                    name = self.dice.choice(self.piles)
                    yield f"{me}.{name}[{self.place(me, self.lengths[name])}] = {self.value(me)} % {MOST}"
                case 3:
                    value = self.value(me)
                    yield f"feels(battle, log, {me}, {me}.mood, {value}, {self.test(me)})"
                case 4:
                    yield f"if {self.test(me)}:"
                    yield from (f"    {line}" for line in self.statements(me, depth - 1))
                    yield "else:"
                    yield from (f"    {line}" for line in self.statements(me, depth - 1))
                case 5 if self.lists:
                    name = self.dice.choice(self.lists)
                    yield f"for k in range({me}.{name}_count):"
                    yield f"    {me}.{self.dice.choice(self.states)} = (k + {me}.{name}[k] * {self.value(me, 0)}) % {MOST}"
                case 6:
                    yield f"match {me}.mood:"
                    yield f"    case Mood.MOOD_{self.dice.randrange(self.moods)}:"
                    yield from (f"        {line}" for line in self.statements(me, depth - 1))
                case _:
                    yield f"{me}.{self.dice.choice(self.states)} += 1"

    def side(self, me: str) -> str:
        return f"{me}.side" if self.has_units else f"{me}.number"

    def rule(self, name: str, parameters: str, returns: str, lines: Iterator[str] | list[str]) -> Iterator[str]:
        yield "@rule"
        yield f"def {name}(battle: Fight, {parameters}) -> {returns}:"
        yield from (f"    {line}" for line in lines)
        yield ""

    def rules(self) -> Iterator[str]:
        who = self.who
        # The dice of the author's own address, once a round in games whose round is one rule.
        if self.has_units:
            enemy = [
                "for enemy in battle.sides[1 - me.side].units[: battle.sides[1 - me.side].units_count]:",
                "    if enemy.hp > 0:",
                "        return enemy.number",
                "return battle.sides[1 - me.side].units[0].number",
            ]
            yield from self.rule("target_of", "me: Member", "int", enemy)
            look = f"battle.sides[number // {self.capacity}].units[number % {self.capacity}]"
            hit = [*self.statements("me", 1), f"number = target_of(battle, me)\nenemy = {look}"]
        else:
            hit = [*self.statements("me", 1), "enemy = battle.sides[1 - me.number]"]
        hit += [
            f"damage = 1 + abs({self.value('me')}) % 7",
            "enemy.hp = max(enemy.hp - damage, 0)",
            "hits(battle, log, me, enemy, damage, enemy.hp)",
        ]
        if self.has_triggers:
            hit.append("later(battle, enemy, Trigger.ECHO, me)")
        if self.of_battle:
            hit += [f"battle.heat = (battle.heat + {self.value('me')}) % {MOST}", "warms(battle, log, battle.heat)"]
        hit.append("judge(battle)")
        yield from self.rule(
            "hit", f"me: {who}, log: Log | None", "None", [line for each in hit for line in each.split("\n")]
        )
        yield from self.rule("think", f"me: {who}, log: Log | None", "None", self.statements("me"))
        yield "@rule"
        yield "def stands(side: Player) -> bool:"
        if self.has_units:
            yield "    for unit in side.units[: side.units_count]:\n        if unit.hp > 0:\n            return True\n    return False"
        else:
            yield "    return side.hp > 0"
        yield ""
        yield "@rule"
        yield "def judge(battle: Fight) -> None:"
        yield "    first, second = stands(battle.sides[0]), stands(battle.sides[1])"
        yield "    if not first and not second:\n        draw(battle, End.BOTH)"
        yield "    elif not first or not second:\n        win(battle, 0 if first else 1, End.DOWN)"
        yield ""
        if self.has_triggers:
            yield from self.rule(
                "happen",
                "me: Member, what: Trigger, target: Member, log: Log | None",
                "None",
                [*self.statements("me", 0), f"target.{self.states[0]} = (target.{self.states[0]} + what) % {MOST}"],
            )
        yield from getattr(self, f"play_{self.shape}")()

    def each_member(self, call: str) -> list[str]:
        if self.has_units:
            return [
                "for side in battle.sides:",
                "    for me in side.units[: side.units_count]:",
                "        if me.hp > 0 and battle.reason == 0:",
                f"            {call}",
            ]
        return ["for me in battle.sides:", "    if battle.reason == 0:", f"        {call}"]

    def play_rounds(self) -> Iterator[str]:
        lines = [*self.each_member("think(battle, me, log)"), *self.each_member("hit(battle, me, log)")]
        if self.dice.randrange(2):
            lines += ["open_dice(battle, 5)", "battle.sides[0].score += d100(battle, 30) <= 30"]
        yield from self.rule("play_round", "log: Log | None", "None", lines)

    def play_both(self) -> Iterator[str]:
        yield from self.rule(
            "legal",
            "me: Player, choice: Do",
            "bool",
            [f"return choice == Do.WAIT or me.score % {self.dice.randint(2, 4)} != 1"],
        )
        yield from self.rule(
            "choose",
            "me: Player",
            "Do",
            ["if legal(battle, me, Do.POKE) and chance(battle, 70):", "    return Do.POKE", "return Do.WAIT"],
        )
        lines = [
            "for side in battle.sides:",
            "    if side.choice != Do.WAIT:",
            f"        side.score += {self.dice.randint(1, 3)}",
        ]
        yield from self.rule(
            "play_round", "log: Log | None", "None", [*lines, *self.each_member("hit(battle, me, log)")]
        )

    def play_turns(self) -> Iterator[str]:
        yield from self.initiative()
        legal = [
            "if choice == Do.WAIT:",
            "    return target.number == me.number",
            "return target.side != me.side and target.hp > 0",
        ]
        yield from self.rule("legal", "me: Member, choice: Do, target: Member", "bool", legal)
        act = [
            "if choice == Do.WAIT:",
            "    feels(battle, log, me, me.mood, 0, False)",
            "    think(battle, me, log)",
            "else:",
            "    hit(battle, me, log)",
        ]
        yield from self.rule("act", "me: Member, choice: Do, target: Member, log: Log | None", "None", act)
        if self.dice.randrange(2):
            choose = [
                "if chance(battle, 60):",
                "    number = target_of(battle, me)",
                f"    if battle.sides[number // {self.capacity}].units[number % {self.capacity}].hp > 0:",
                "        return Do.POKE, number",
                "return Do.WAIT, me.number",
            ]
            yield from self.rule("choose", "me: Member", "tuple[Do, int]", choose)
        if self.dice.randrange(2):
            yield from self.rule("end_round", "log: Log | None", "None", self.each_member("think(battle, me, log)"))

    def initiative(self) -> Iterator[str]:
        yield from self.rule("initiative", "me: Member", "int", [f"return me.{self.dice.choice([*self.given, 'hp'])}"])

    def play_take_turn(self) -> Iterator[str]:
        yield from self.initiative()
        yield from self.rule(
            "take_turn", "me: Member, log: Log | None", "None", ["think(battle, me, log)", "hit(battle, me, log)"]
        )

    def play_advance(self) -> Iterator[str]:
        lines = ["if next_round(battle):", "    side = battle.tick % 2", "    ask(battle, battle.sides[side])"]
        if self.dice.randrange(2):
            lines = ["if next_round(battle):", "    ask_both(battle)"]
        yield from self.rule("advance", "log: Log | None", "None", lines)
        yield from self.rule(
            "legal",
            "me: Player, choice: Do, place: int",
            "bool",
            ["return choice == Do.WAIT or (place + me.score) % 3 == 0"],
        )
        first = "me.units[place % me.units_count]" if self.has_units else "me"
        act = ["me.score += 1", "if choice != Do.WAIT:", f"    one = {first}", "    hit(battle, one, log)"]
        yield from self.rule("act", "me: Player, choice: Do, place: int, log: Log | None", "None", act)
        choose = [
            "for place in range(3):",
            "    if legal(battle, me, Do.POKE, place):",
            "        return Do.POKE, place",
            "return Do.WAIT, 0",
        ]
        yield from self.rule("choose", "me: Player", "tuple[Do, int]", choose)
