"""One small skirmish in each shape of play, as authors declare it. `kit_by_hand.py` has the same battles by hand."""

COMMON = '''"""Skirmish: four a side, and whoever acts strikes the weakest enemy or rests."""

from enum import IntEnum

from fracas.kit import *


class Do(IntEnum):
    STRIKE = 0
    REST = 1


class End(IntEnum):
    FALLEN = 1


class Fighter(Unit, kind="fighters"):
    health: int = number(1, 200)
    attack: int = number(1, 60)
    armor: int = number(0, 30, default=0)
    speed: int = number(1, 20)
    critical: int = percent(default=0)
    hp: int = state(starts="health", of="health")
    rests: int = state()


class Team(Side):
    units: list[Fighter] = up_to(4, least=1)
    units_count: int = count("units")
    STANCE


class Rules(Options):
    pass


class Skirmish(Battle[Team, Rules]):
    NEXT


fighter_at = unit_at(Fighter)


@event("{actor} strikes {target} for {damage}: {hp} left")
def strikes(actor: Fighter, target: Fighter, damage: int, hp: int) -> None:
    """A fighter is hurt."""


@event("{actor} rests: {hp}")
def rest(actor: Fighter, hp: int) -> None:
    """A fighter regains hp."""


@rule
def weakest(battle: Skirmish, me: Fighter) -> int:
    found, least = -1, 0
    team = battle.sides[1 - me.side]
    for unit in team.units[: team.units_count]:
        if unit.hp > 0 and (found < 0 or unit.hp < least):
            found, least = unit.number, unit.hp
    return found


@rule
def wants_rest(me: Fighter) -> bool:
    return me.rests == 0 and me.hp * 3 < me.health


@rule
def strike(battle: Skirmish, me: Fighter, target: Fighter, power: int, log: Log | None) -> None:
    if chance(battle, me.critical):
        power += power // 2
    damage = max(power - target.armor, 1)
    target.hp = max(target.hp - damage, 0)
    strikes(battle, log, me, target, damage, target.hp)
    if target.hp == 0 and not stands(battle.sides[target.side]):
        win(battle, me.side, End.FALLEN)


@rule
def recover(battle: Skirmish, me: Fighter, log: Log | None) -> None:
    me.rests += 1
    me.hp = min(me.hp + 20, me.health)
    rest(battle, log, me, me.hp)


@rule
def stands(team: Team) -> bool:
    for unit in team.units[: team.units_count]:
        if unit.hp > 0:
            return True
    return False


@rule
def go(battle: Skirmish, me: Fighter, power: int, log: Log | None) -> None:
    if wants_rest(me):
        recover(battle, me, log)
    else:
        strike(battle, me, fighter_at(battle, weakest(battle, me)), power, log)


'''

ROUNDS = """
@rule
def play_round(battle: Skirmish, log: Log | None) -> None:
    for team in battle.sides:
        for unit in team.units[: team.units_count]:
            if unit.hp > 0 and battle.reason == 0:
                go(battle, unit, unit.attack, log)


game = Game("skirmish_rounds", version=1, battle=Skirmish, reasons=End)
"""

BOTH = """
@rule
def legal(battle: Skirmish, me: Team, choice: Do) -> bool:
    return True


@rule
def choose(battle: Skirmish, me: Team) -> Do:
    return Do.REST if chance(battle, 25) else Do.STRIKE


@rule
def play_round(battle: Skirmish, log: Log | None) -> None:
    for team in battle.sides:
        bold = 1 if battle.sides[1 - team.number].stance == Do.REST else 0
        for unit in team.units[: team.units_count]:
            if unit.hp > 0 and battle.reason == 0:
                go(battle, unit, unit.attack + bold * 3, log)


game = Game("skirmish_both", version=1, battle=Skirmish, reasons=End)
"""

ACTS = """
@rule
def legal(battle: Skirmish, me: Fighter, choice: Do, target: Fighter) -> bool:
    if choice == Do.REST:
        return me.rests == 0 and target.number == me.number
    return target.side != me.side and target.hp > 0


@rule
def choose(battle: Skirmish, me: Fighter) -> tuple[Do, int]:
    if wants_rest(me):
        return Do.REST, me.number
    return Do.STRIKE, weakest(battle, me)


@rule
def act(battle: Skirmish, me: Fighter, choice: Do, target: Fighter, log: Log | None) -> None:
    if choice == Do.REST:
        recover(battle, me, log)
    else:
        strike(battle, me, target, me.attack, log)
"""

TURNS = f"""
@rule
def initiative(battle: Skirmish, me: Fighter) -> int:
    return me.speed

{ACTS}

game = Game("skirmish_turns", version=1, battle=Skirmish, reasons=End)
"""

ADVANCE = f'''
@rule
def advance(battle: Skirmish, log: Log | None) -> None:
    """The next fighter that stands, in the order of places; then the next round."""
    while True:
        while battle.tick > 0 and battle.next < 8:
            unit = fighter_at(battle, battle.next)
            battle.next += 1
            if unit.hp > 0:
                ask(battle, unit)
                return
        if not next_round(battle):
            return
        battle.next = 0

{ACTS}

game = Game("skirmish_advance", version=1, battle=Skirmish, reasons=End)
'''

_STANCE, _NEXT = "stance: Do = chosen()", "next: int = state()"
OWN = {
    "rounds": (ROUNDS, "", ""),
    "both": (BOTH, _STANCE, ""),
    "turns": (TURNS, "", ""),
    "advance": (ADVANCE, "", _NEXT),
}


def declaration(shape: str) -> str:
    """The file of the game in a shape of play."""
    rules, stance, following = OWN[shape]
    return (
        COMMON.replace("STANCE", stance, 1)
        .replace("    STANCE\n", f"    {stance}\n")
        .replace("    NEXT\n", f"    {following}\n" if following else '    """A battle."""\n')
        + rules
    )


def scenario(shape: str) -> dict[str, object]:
    """Four fighters a side; battles of six to fifteen rounds."""
    unit = {"health": 60, "attack": 12, "armor": 3, "speed": 5, "critical": 20}
    sides = [
        {
            "name": name,
            "units": [
                unit
                | {
                    "name": f"{name} {place}",
                    "health": 60 + 10 * place + side,
                    "attack": 12 + place,
                    "speed": 5 + place,
                }
                for place in range(4)
            ],
        }
        for side, name in enumerate(("North", "South"))
    ]
    return {"ruleset": f"skirmish_{shape}", "id": "yardstick", "options": {"round_cap": 60}, "sides": sides}
