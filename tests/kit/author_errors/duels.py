"""A small game of units that mistakes are planted in."""

from __future__ import annotations

from pathlib import Path

DUEL = '''\
"""Duel: fighters hit each other in rounds."""

from enum import IntEnum

from fracas.kit import Battle, Content, Game, Log, Options, Side, Unit, below, chance, count, d100, draw, event, hidden
from fracas.kit import later, number, open_dice, percent, ref, rule, state, text, up_to, win


class Mood(IntEnum):
    CALM = 0
    WILD = 1


class Weapon(Content, kind="weapons"):
    """A weapon."""

    power: int = number(1, 20)
    """Its damage."""


class Fighter(Unit, kind="fighters"):
    """A fighter."""

    health: int = number(1, 50)
    """The hp at the start."""
    mood: Mood
    """How it fights."""
    weapon: Weapon
    """What it hits with."""
    hp: int = state(starts="health", of="health")
    """The hp left."""


class Rules(Options):
    bonus: int = number(0, 5, default=1)
    """Damage on top."""


class Team(Side):
    units: list[Fighter] = up_to(3, least=1)
    units_count: int = count("units")
    heat: int = state()
    """Hits so far."""


class Duel(Battle[Team, Rules]):
    pass


class End(IntEnum):
    DOWN = 1
    """the other side is down"""


@event("{actor} hits {target} for {damage}: {hp} hp left")
def hits(actor: Fighter, target: Fighter, damage: int, hp: int) -> None:
    """A hit."""


@rule
def play_round(battle: Duel, log: Log | None) -> None:
    """Everybody hits."""
    for team in battle.sides:
        for me in team.units[: team.units_count]:
            enemy = battle.sides[1 - team.number].units[0]
            if me.hp > 0 and enemy.hp > 0 and chance(battle, 80):
                hit(battle, me, enemy, log)
    if battle.sides[0].units[0].hp == 0:
        win(battle, 1, End.DOWN)
    elif battle.sides[1].units[0].hp == 0:
        win(battle, 0, End.DOWN)


@rule
def hit(battle: Duel, me: Fighter, enemy: Fighter, log: Log | None) -> None:
    """A hit takes hp."""
    damage = me.weapon.power + battle.options.bonus
    enemy.hp = max(enemy.hp - damage, 0)
    battle.sides[me.side].heat += 1
    hits(battle, log, me, enemy, damage, enemy.hp)


game = Game("duel", version=1, battle=Duel, reasons=End)
'''

SCENARIO = """\
ruleset = "duel"
id = "first"

[[sides]]
units = [{ name = "Ada", health = 30, mood = "calm", weapon = { name = "Axe", power = 5 } }]

[[sides]]
units = [{ name = "Bo", health = 30, mood = "wild", weapon = { name = "Bow", power = 6 } }]
"""


def changed(old: str, new: str) -> tuple[str, int]:
    """The game with a text replaced, and the line where the new text begins."""
    assert DUEL.count(old) == 1, old
    return DUEL.replace(old, new), DUEL[: DUEL.index(old)].count("\n") + 1


def write(folder: Path, text: str = DUEL, name: str = "duel") -> Path:
    """Write a game and its scenario into a folder."""
    file = folder / f"{name}.py"
    file.write_text(text)
    (folder / "first.toml").write_text(SCENARIO)
    return file
