/*
 * A yardstick for the squads kernel: examples/squads/standard-5v5.toml under the profile classic, by hand, in C.
 *
 *     squads KEYHEX FIRST COUNT [print]        (see harness.h)
 *
 * Everything that no battle changes is written here as a constant: stats, abilities, both strategies, the chain. What
 * the scenario cannot bring about is left out: stuns, wounds, raised or lowered attack, an environment, and the bounds
 * of 10^9 that its numbers never come near. Nothing reads the scenario, so compare.py and the tests compare winner and
 * rounds with the engine's, battle by battle: content that drifts away from these constants is noticed there.
 */

#define _POSIX_C_SOURCE 199309L

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "dice.h"

enum { RED, BLUE, SIDES };
enum { WARRIOR, RANGER, MAGE, HEALER, TANK, TEAM, ANY_ROLE = -1 };
enum { SIDE_SLOTS = 8, SLOTS = SIDES * SIDE_SLOTS };

enum { ROUND_CAP = 50, HURT_PCT = 70 };
enum { FULL_CHARGE = 100, CHARGE_ACTION = 20, CHARGE_HIT = 10 };
enum { CLASS_COOLDOWN = 3 };

/* The chain, with balanced formations and no environment. */
enum { FORMATION_ATTACK_PCT = 100, FORMATION_DEFENSE_PCT = 100 };
enum { STRONG_PCT = 120, WEAK_PCT = 80 };
enum { CRITICAL_CHANCE = 10, CRITICAL_PCT = 150 };
enum { ENVIRONMENT_DAMAGE_PCT = 100, ENVIRONMENT_DEFENSE_PCT = 100, ENVIRONMENT_HEALING_PCT = 100 };
enum { DEFENSE_STAGE_PCT = 50, LEAST_DAMAGE = 1 };

/* Powers, in per cent of attack, the last two of defense. */
enum { BASIC_ATTACK = 100 };
enum { REAPING_ARC = 75, PIERCING_SHAFT = 150, FIREBALL = 120, HEAL = 150 };
enum { LAST_WORD = 200, BLACK_HAIL = 80, FALLING_SKY = 90, DAWN_CHORUS = 100 };
enum { SHIELD_WALL = 100, SHIELD_WALL_ROUNDS = 2, FORTIFY = 60, FORTIFY_ROUNDS = 2 };

enum { TABLE_LANE = 0xFFFF };

/* ---------------------------------------------------------------------------------------------------------- state */

typedef struct {
    int32_t hp;
    int32_t charge;
    int32_t cooldown;
    int32_t shield;
    int32_t shield_until;
    int32_t taunt_until;
    int32_t index;
    int32_t side;
    int32_t role;
    int32_t max_hp;
    int32_t attack;
    int32_t defense;
    int32_t speed;
} Unit;

typedef struct {
    Dice dice;
    Unit units[SLOTS];
    int32_t living[SIDES];
    int32_t round;
} Battle;

typedef struct {
    int32_t winner;
    int32_t rounds;
} Result;

/* Both teams field the same five, one of each class, in this order. */
static const struct { int32_t hp, attack, defense, speed; } ROSTER[TEAM] = {
    [WARRIOR] = { 120, 25, 20, 10 }, /* bronze_knight */
    [RANGER] = { 90, 30, 15, 20 },   /* scout */
    [MAGE] = { 80, 35, 10, 15 },     /* apprentice_wizard */
    [HEALER] = { 85, 15, 18, 12 },   /* novice_cleric */
    [TANK] = { 150, 20, 30, 8 },     /* shield_bearer */
};

static inline int32_t percent(int32_t value, int32_t percentage)
{
    return value * percentage / 100;
}

static inline int32_t smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static inline int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static inline Unit *first_of(Battle *battle, int side)
{
    return &battle->units[side * SIDE_SLOTS];
}

static void set_up(Battle *battle)
{
    memset(battle->units, 0, sizeof battle->units);
    battle->round = 0;
    for (int side = 0; side < SIDES; side++) {
        battle->living[side] = TEAM;
        for (int role = 0; role < TEAM; role++) {
            Unit *unit = first_of(battle, side) + role;
            unit->index = side * SIDE_SLOTS + role;
            unit->side = side;
            unit->role = role;
            unit->hp = unit->max_hp = ROSTER[role].hp;
            unit->attack = ROSTER[role].attack;
            unit->defense = ROSTER[role].defense;
            unit->speed = ROSTER[role].speed;
        }
    }
}

/* ---------------------------------------------------------------------------------------------- looking for units */

/* Single attacks must choose among the taunters if there are any. */
static bool has_taunter(const Unit *team)
{
    for (int i = 0; i < TEAM; i++)
        if (team[i].hp > 0 && team[i].taunt_until > 0)
            return true;
    return false;
}

static Unit *lowest_hp(Unit *team, int role, bool taunted)
{
    Unit *found = NULL;
    for (Unit *unit = team; unit < team + TEAM; unit++) {
        if (unit->hp == 0 || (taunted && unit->taunt_until == 0) || (role != ANY_ROLE && unit->role != role))
            continue;
        if (found == NULL || unit->hp < found->hp)
            found = unit;
    }
    return found;
}

/* Shares are compared by cross-multiplication, so exactly. */
static Unit *lowest_share(Unit *team)
{
    Unit *found = NULL;
    for (Unit *unit = team; unit < team + TEAM; unit++)
        if (unit->hp > 0 && (found == NULL || unit->hp * found->max_hp < found->hp * unit->max_hp))
            found = unit;
    return found;
}

static bool any_below(const Unit *team, int32_t pct)
{
    for (int i = 0; i < TEAM; i++)
        if (team[i].hp > 0 && 100 * team[i].hp < pct * team[i].max_hp)
            return true;
    return false;
}

/* ----------------------------------------------------------------------------------------------------- strategies */

/* targetPriority = ["lowest_hp"] */
static Unit *red_priority(Unit *enemies, bool taunted)
{
    return lowest_hp(enemies, ANY_ROLE, taunted);
}

/* targetPriority = ["mages", "lowest_hp"] */
static Unit *blue_priority(Unit *enemies, bool taunted)
{
    Unit *mage = lowest_hp(enemies, MAGE, taunted);
    return mage != NULL ? mage : lowest_hp(enemies, ANY_ROLE, taunted);
}

static Unit *priority_target(Battle *battle, int side)
{
    Unit *enemies = first_of(battle, 1 - side);
    const bool taunted = has_taunter(enemies);
    return side == RED ? red_priority(enemies, taunted) : blue_priority(enemies, taunted);
}

static Unit *fireball_target(Battle *battle, int side)
{
    Unit *enemies = first_of(battle, 1 - side);
    const bool taunted = has_taunter(enemies);
    return side == RED ? red_priority(enemies, taunted) : lowest_hp(enemies, ANY_ROLE, taunted);
}

static bool red_wants_class_ability(Battle *battle, int role)
{
    if (role == MAGE) /* enemy_count_gte_2 */
        return battle->living[BLUE] >= 2;
    if (role == HEALER) /* ally_hp_below_50 */
        return any_below(first_of(battle, RED), 50);
    return true; /* not configured */
}

static bool blue_wants_class_ability(Battle *battle, int role)
{
    if (role == HEALER) /* ally_hp_below_35 and enemy_count_gte_2 */
        return any_below(first_of(battle, BLUE), 35) && battle->living[RED] >= 2;
    return true; /* Fireball is "always", the others are not configured */
}

static bool wants_class_ability(Battle *battle, const Unit *unit)
{
    return unit->side == RED ? red_wants_class_ability(battle, unit->role)
                             : blue_wants_class_ability(battle, unit->role);
}

/* No ultimate is configured: all fire, but Dawn Chorus waits until somebody is hurt. */
static bool wants_ultimate(Battle *battle, const Unit *unit)
{
    return unit->role != HEALER || any_below(first_of(battle, unit->side), HURT_PCT);
}

/* -------------------------------------------------------------------------------------------------------- effects */

static inline void gain_charge(Unit *unit, int32_t amount)
{
    unit->charge = smaller(unit->charge + amount, FULL_CHARGE);
}

/* Warrior beats ranger beats mage beats warrior; healers and tanks stand outside. */
static inline int32_t class_advantage(int32_t attacker, int32_t defender)
{
    static const int32_t TABLE[TEAM][TEAM] = {
        [WARRIOR] = { 100, STRONG_PCT, WEAK_PCT, 100, 100 },
        [RANGER] = { WEAK_PCT, 100, STRONG_PCT, 100, 100 },
        [MAGE] = { STRONG_PCT, WEAK_PCT, 100, 100, 100 },
        [HEALER] = { 100, 100, 100, 100, 100 },
        [TANK] = { 100, 100, 100, 100, 100 },
    };
    return TABLE[attacker][defender];
}

static void strike(Battle *battle, const Unit *unit, Unit *target, int32_t power)
{
    int32_t value = percent(unit->attack, power);
    value = percent(value, FORMATION_ATTACK_PCT);
    value = percent(value, class_advantage(unit->role, target->role));
    const int32_t d100 = 1 + (int32_t)below(&battle->dice, 100);
    value = percent(value, d100 <= CRITICAL_CHANCE ? CRITICAL_PCT : 100);
    value = percent(value, ENVIRONMENT_DAMAGE_PCT);
    const int32_t factors = FORMATION_DEFENSE_PCT * ENVIRONMENT_DEFENSE_PCT * DEFENSE_STAGE_PCT;
    value = larger(value - target->defense * factors / 1000000, 0);
    value = larger(value, LEAST_DAMAGE);

    const int32_t absorbed = smaller(value, target->shield);
    const int32_t lost = smaller(value - absorbed, target->hp);
    target->shield -= absorbed;
    target->hp -= lost;
    if (target->hp == 0)
        battle->living[target->side]--;
    else if (lost > 0)
        gain_charge(target, CHARGE_HIT);
}

static void strike_all(Battle *battle, const Unit *unit, int32_t power)
{
    Unit *enemies = first_of(battle, 1 - unit->side);
    for (Unit *target = enemies; target < enemies + TEAM; target++)
        if (target->hp > 0)
            strike(battle, unit, target, power);
}

static void heal(const Unit *unit, Unit *target, int32_t power)
{
    const int32_t value = larger(percent(percent(unit->attack, power), ENVIRONMENT_HEALING_PCT), 1);
    target->hp += smaller(value, target->max_hp - target->hp);
}

static void heal_all(Battle *battle, const Unit *unit, int32_t power)
{
    Unit *allies = first_of(battle, unit->side);
    for (Unit *target = allies; target < allies + TEAM; target++)
        if (target->hp > 0)
            heal(unit, target, power);
}

static void raise_shield(const Battle *battle, const Unit *unit, Unit *target, int32_t power, int32_t rounds)
{
    const int32_t pool = percent(percent(unit->defense, power), ENVIRONMENT_HEALING_PCT);
    if (pool > target->shield) {
        target->shield = pool;
        target->shield_until = battle->round + rounds;
    }
}

static void shield_all(Battle *battle, const Unit *unit, int32_t power, int32_t rounds)
{
    Unit *allies = first_of(battle, unit->side);
    for (Unit *target = allies; target < allies + TEAM; target++)
        if (target->hp > 0)
            raise_shield(battle, unit, target, power, rounds);
}

/* ---------------------------------------------------------------------------------------------------------- turns */

static void use_class_ability(Battle *battle, Unit *unit)
{
    switch (unit->role) {
    case WARRIOR:
        strike_all(battle, unit, REAPING_ARC);
        break;
    case RANGER:
        strike(battle, unit, priority_target(battle, unit->side), PIERCING_SHAFT);
        break;
    case MAGE:
        strike(battle, unit, fireball_target(battle, unit->side), FIREBALL);
        break;
    case HEALER:
        heal(unit, lowest_share(first_of(battle, unit->side)), HEAL);
        break;
    case TANK:
        unit->taunt_until = larger(unit->taunt_until, battle->round + SHIELD_WALL_ROUNDS);
        raise_shield(battle, unit, unit, SHIELD_WALL, SHIELD_WALL_ROUNDS);
        break;
    }
}

static void use_ultimate(Battle *battle, Unit *unit)
{
    switch (unit->role) {
    case WARRIOR:
        strike(battle, unit, priority_target(battle, unit->side), LAST_WORD);
        break;
    case RANGER:
        strike_all(battle, unit, BLACK_HAIL);
        break;
    case MAGE:
        strike_all(battle, unit, FALLING_SKY);
        break;
    case HEALER:
        heal_all(battle, unit, DAWN_CHORUS);
        break;
    case TANK:
        shield_all(battle, unit, FORTIFY, FORTIFY_ROUNDS);
        break;
    }
}

static void take_turn(Battle *battle, Unit *unit)
{
    if (unit->cooldown > 0)
        unit->cooldown--;
    open_address(&battle->dice, (uint32_t)battle->round, (uint32_t)unit->index);
    if (unit->charge >= FULL_CHARGE && wants_ultimate(battle, unit)) {
        unit->charge = 0;
        use_ultimate(battle, unit);
        return;
    }
    if (unit->cooldown == 0 && wants_class_ability(battle, unit)) {
        unit->cooldown = CLASS_COOLDOWN;
        use_class_ability(battle, unit);
    } else {
        strike(battle, unit, priority_target(battle, unit->side), BASIC_ATTACK);
    }
    gain_charge(unit, CHARGE_ACTION);
}

/* --------------------------------------------------------------------------------------------------------- rounds */

/* Speed descending, then the table's word ascending, then index: packed into one number, smallest first. */
static int settle_order(Battle *battle, uint64_t order[SLOTS])
{
    int count = 0;
    open_address(&battle->dice, (uint32_t)battle->round, TABLE_LANE);
    for (int index = 0; index < SLOTS; index++) {
        const uint32_t drawn = word(&battle->dice);
        const Unit *unit = &battle->units[index];
        if (unit->hp == 0)
            continue;
        const uint64_t slowness = (uint64_t)((1 << 24) - unit->speed);
        const uint64_t key = slowness << 36 | (uint64_t)drawn << 4 | (uint64_t)index;
        int place = count++;
        for (; place > 0 && order[place - 1] > key; place--)
            order[place] = order[place - 1];
        order[place] = key;
    }
    return count;
}

static void expire_effects(Battle *battle)
{
    for (int side = 0; side < SIDES; side++) {
        Unit *team = first_of(battle, side);
        for (Unit *unit = team; unit < team + TEAM; unit++) {
            if (unit->shield_until == battle->round)
                unit->shield = 0;
            if (unit->taunt_until == battle->round)
                unit->taunt_until = 0;
        }
    }
}

static bool is_decided(const Battle *battle)
{
    return battle->living[RED] == 0 || battle->living[BLUE] == 0;
}

static void play_round(Battle *battle)
{
    uint64_t order[SLOTS];
    const int count = settle_order(battle, order);
    for (int place = 0; place < count; place++) {
        Unit *unit = &battle->units[order[place] % SLOTS];
        if (unit->hp == 0)
            continue;
        take_turn(battle, unit);
        if (is_decided(battle))
            return;
    }
    expire_effects(battle);
}

static int32_t hp_left(Battle *battle, int side)
{
    int32_t total = 0;
    for (int i = 0; i < TEAM; i++)
        total += first_of(battle, side)[i].hp;
    return total;
}

/* Nothing strikes both sides at once here, so at most one of them is wiped out. */
static Result play(Battle *battle, uint64_t stream)
{
    seek_stream(&battle->dice, stream);
    set_up(battle);
    while (!is_decided(battle) && battle->round < ROUND_CAP) {
        battle->round++;
        play_round(battle);
    }
    int32_t red = battle->living[RED], blue = battle->living[BLUE];
    if (red > 0 && blue > 0) {
        red = hp_left(battle, RED);
        blue = hp_left(battle, BLUE);
    }
    return (Result){ red == blue ? 0 : red > blue ? 1 : 2, battle->round };
}

#include "harness.h"
