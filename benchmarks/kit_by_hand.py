"""The skirmish of `kit_skirmish.py` by hand against the kernel: the yardstick for the kit's loops.

No set-up, loop, order, address, look-up or event row is the kit's. Only the record type is, so that both fill the same
bytes. An address is opened where dice are rolled, and nowhere else.
"""

from fracas.kernel.dice import d100_within, open_address, tie_word
from fracas.kernel.event_log import NOBODY, emit
from fracas.kernel.jit import kernel
from fracas.kernel.turn_order import LAST_NUMBER, order_key, put_in_order

# The rows and lanes of the kit (derive/loops.py, declare/dice.py), so that the rows can be compared.
STRIKES, REST, START, OUTCOME = 1, 2, 201, 202
ROUND_LANE, ORDER_LANE, ACT_LANES, CHOICE_LANES = 65535, 65533, 1 << 12, 1 << 15
UNDECIDED, FALLEN, CAP = 0, 1, 2
PLACES = 4


@kernel
def begin(battle, log):
    battle.tick = 0
    battle.winner = 0
    battle.reason = UNDECIDED
    for side in battle.sides:
        for unit in side.units[: side.units_count]:
            unit.hp = unit.health
            unit.rests = 0
    if log is not None:
        emit(log, 0, START, NOBODY, NOBODY, battle.options.round_cap, 0, 0, 0)


@kernel
def end_round(battle):
    if battle.reason == UNDECIDED and battle.tick >= battle.options.round_cap:
        battle.winner = 0
        battle.reason = CAP


@kernel
def announce(battle, log):
    if log is not None:
        emit(log, battle.tick, OUTCOME, NOBODY, NOBODY, battle.winner, battle.reason, 0, 0)


@kernel
def weakest_place(team):
    found, least = -1, 0
    for unit in team.units[: team.units_count]:
        if unit.hp > 0 and (found < 0 or unit.hp < least):
            found, least = unit.place, unit.hp
    return found


@kernel
def is_standing(team):
    return weakest_place(team) >= 0


@kernel
def turn(battle, me, power, log):
    if me.rests == 0 and me.hp * 3 < me.health:
        me.rests += 1
        me.hp = min(me.hp + 20, me.health)
        if log is not None:
            emit(log, battle.tick, REST, me.number, NOBODY, me.hp, 0, 0, 0)
        return
    team = battle.sides[1 - me.side]
    target = team.units[weakest_place(team)]
    if d100_within(battle.dice, me.critical) <= me.critical:
        power += power // 2
    damage = max(power - target.armor, 1)
    target.hp = max(target.hp - damage, 0)
    if log is not None:
        emit(log, battle.tick, STRIKES, me.number, target.number, damage, target.hp, 0, 0)
    if target.hp == 0 and not is_standing(team):
        battle.winner = me.side + 1
        battle.reason = FALLEN


@kernel
def write_result(battle, result):
    result.rounds = battle.tick
    for side in battle.sides:
        left, standing = 0, 0
        for unit in side.units[: side.units_count]:
            if unit.hp > 0:
                standing += 1
            left += unit.hp
        result.hp_left[side.number] = left
        result.units_left[side.number] = standing


@kernel
def rounds(battle, log, plugins):
    begin(battle, log)
    while battle.reason == UNDECIDED:
        battle.tick += 1
        open_address(battle.dice, battle.tick, ROUND_LANE)
        for side in battle.sides:
            for unit in side.units[: side.units_count]:
                if unit.hp > 0 and battle.reason == UNDECIDED:
                    turn(battle, unit, unit.attack, log)
        end_round(battle)
    announce(battle, log)


@kernel
def both(battle, log, plugins):
    begin(battle, log)
    while battle.reason == UNDECIDED:
        battle.tick += 1
        for side in battle.sides:
            open_address(battle.dice, battle.tick, CHOICE_LANES + side.number)
            side.stance = 1 if d100_within(battle.dice, 25) <= 25 else 0
        open_address(battle.dice, battle.tick, ROUND_LANE)
        for side in battle.sides:
            bold = 3 if battle.sides[1 - side.number].stance == 1 else 0
            for unit in side.units[: side.units_count]:
                if unit.hp > 0 and battle.reason == UNDECIDED:
                    turn(battle, unit, unit.attack + bold, log)
        end_round(battle)
    announce(battle, log)


@kernel
def turns(battle, log, plugins):
    begin(battle, log)
    while battle.reason == UNDECIDED:
        battle.tick += 1
        open_address(battle.dice, battle.tick, ORDER_LANE)
        count = 0
        for side in battle.sides:
            for unit in side.units[: side.units_count]:
                word = tie_word(battle.dice)
                if unit.hp > 0:
                    count = put_in_order(battle.kit_order, count, order_key(unit.speed, word, unit.number))
        for place in range(count):
            number = battle.kit_order[place] & LAST_NUMBER
            unit = battle.sides[number // PLACES].units[number % PLACES]
            if unit.hp > 0 and battle.reason == UNDECIDED:
                open_address(battle.dice, battle.tick, number)
                turn(battle, unit, unit.attack, log)
        end_round(battle)
    announce(battle, log)


@kernel
def advance(battle, log, plugins):
    begin(battle, log)
    while battle.reason == UNDECIDED:
        battle.tick += 1
        asked = 0
        for side in battle.sides:
            for unit in side.units[: side.units_count]:
                if unit.hp > 0 and battle.reason == UNDECIDED:
                    asked += 1
                    open_address(battle.dice, battle.tick, ACT_LANES + 2 * asked + unit.side)
                    turn(battle, unit, unit.attack, log)
        end_round(battle)
    announce(battle, log)


PLAYS = {"rounds": rounds, "both": both, "turns": turns, "advance": advance}
