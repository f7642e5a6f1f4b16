/*
 * A yardstick for the stacks kernel: examples/stacks/standard-16v16.toml under the profile seed, by hand, in C.
 *
 *     stacks KEYHEX FIRST COUNT [print]        (see harness.h)
 *
 * Everything that no battle changes is written here as a constant: the sixteen unit types, their moves, who stands
 * where and beside whom. What the scenario cannot bring about is left out: bystanders, scores that change or would have
 * to be held within bounds, sampled values, plug-ins, the other options. Nothing reads the scenario, so compare.py
 * compares winner and rounds with the engine's, battle by battle: content that drifts away from these constants is
 * noticed there.
 */

#define _POSIX_C_SOURCE 199309L

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "dice.h"

enum { RED, BLUE, SIDES }; /* red attacks */
enum { STACK = 8, STACKS = 4, FIGHTERS = STACKS * STACK, TEAM = FIGHTERS / SIDES };

enum { IDLE_TURNS = 3, STALE_TURNS = 20, TURN_CAP = 200 };
enum { HEAL_LIMIT = 3, MOST_HEALED = 5 };
enum { CHARGE_BONUS = 2, JAVELIN_BONUS = 2, SPLASH_LOSS = 2, RIPOSTE_LOSS = 1 };

/* --------------------------------------------------------------------------------------------------- unit types */

/* In registry order. */
enum { NONE, ARCHERY, CHARGE, HEALING, STRIKE, BOMBARD, JAVELIN, SACRIFICE };
enum { MOST_MOVES = 3 };

typedef struct {
    int32_t attack, defence, damage, health;
    int32_t moves[MOST_MOVES];
} Type;

static const Type FOOT[STACK] = {
    { 5, 4, 4, 10, { STRIKE } },           /* swordsman */
    { 5, 4, 4, 10, { STRIKE } },           /* swordsman */
    { 4, 4, 3, 9, { STRIKE, JAVELIN } },   /* spearman */
    { 4, 4, 3, 9, { STRIKE, JAVELIN } },   /* spearman */
    { 3, 6, 2, 12, { STRIKE } },           /* shield_brother */
    { 6, 2, 5, 10, { CHARGE, STRIKE } },   /* axe_sworn */
    { 5, 5, 3, 11, { STRIKE, SACRIFICE } }, /* banner_guard */
    { 2, 2, 2, 6, { STRIKE, SACRIFICE } }, /* oath_giver */
};

static const Type BOWS[STACK] = {
    { 4, 2, 3, 7, { ARCHERY, STRIKE } },         /* archer */
    { 4, 2, 3, 7, { ARCHERY, STRIKE } },         /* archer */
    { 5, 2, 3, 8, { ARCHERY, STRIKE } },         /* fen_hunter */
    { 3, 1, 3, 5, { ARCHERY, JAVELIN } },        /* dart_thrower */
    { 5, 2, 4, 7, { STRIKE, BOMBARD } },         /* fire_pot */
    { 5, 3, 3, 9, { CHARGE, STRIKE, JAVELIN } }, /* border_rider */
    { 1, 1, 4, 5, { CHARGE, STRIKE } },          /* torch_runner */
    { 2, 2, 1, 6, { HEALING, STRIKE } },         /* healer */
};

/* The four stacks by ascending ids of their units. A side's two stand beside each other, so shots splash over. */
static const struct { const Type *types; int32_t side, first_id, beside; } FIELD[STACKS] = {
    { FOOT, RED, 0 * STACK, 2 },
    { BOWS, BLUE, 3 * STACK, 3 },
    { BOWS, RED, 5 * STACK, 0 },
    { FOOT, BLUE, 6 * STACK, 1 },
};

/* --------------------------------------------------------------------------------------------------------- state */

typedef struct {
    int32_t health;
    int32_t side;
    int32_t attack;
    int32_t defence;
    int32_t damage;
    int32_t full_health;
    int32_t healings;
    bool has_thrown;
    bool can_riposte;
    int32_t stack;
    int32_t id;
    int32_t moves[MOST_MOVES];
} Unit;

typedef struct {
    Dice dice;
    Unit units[FIGHTERS];        /* by ascending id */
    Unit *members[SIDES][TEAM];  /* each side's, likewise */
    int32_t health[SIDES], least[SIDES];
    int32_t turn, idle, stale;
    bool harmed;
} Battle;

typedef struct {
    int32_t winner;
    int32_t rounds;
} Result;

static inline int32_t smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}


static inline Unit *first_of(Battle *battle, int32_t stack)
{
    return &battle->units[stack * STACK];
}

static inline int32_t missing(const Unit *unit)
{
    return unit->full_health - unit->health;
}

static void take_stock(Battle *battle)
{
    battle->health[RED] = battle->health[BLUE] = 0;
    for (const Unit *unit = battle->units; unit < battle->units + FIGHTERS; unit++)
        battle->health[unit->side] += unit->health;
}

static bool strikes(const Unit *unit)
{
    for (int i = 0; i < MOST_MOVES; i++)
        if (unit->moves[i] == STRIKE)
            return true;
    return false;
}

static void set_up(Battle *battle)
{
    int32_t count[SIDES] = { 0, 0 };
    memset(battle->units, 0, sizeof battle->units);
    for (int32_t place = 0; place < FIGHTERS; place++) {
        Unit *unit = &battle->units[place];
        const Type *type = &FIELD[place / STACK].types[place % STACK];
        unit->stack = place / STACK;
        unit->side = FIELD[unit->stack].side;
        unit->id = FIELD[unit->stack].first_id + place % STACK;
        unit->attack = type->attack;
        unit->defence = type->defence;
        unit->damage = type->damage;
        unit->health = unit->full_health = type->health;
        memcpy(unit->moves, type->moves, sizeof unit->moves);
        unit->can_riposte = strikes(unit);
        battle->members[unit->side][count[unit->side]++] = unit;
    }
    take_stock(battle);
    battle->least[RED] = battle->health[RED];
    battle->least[BLUE] = battle->health[BLUE];
    battle->turn = battle->idle = battle->stale = 0;
}

/* -------------------------------------------------------------------------------------------------------- choice */

/* The living units of a stack's neighbour are those that a shot at the stack splashes over. */
static Unit *splashed(Battle *battle, const Unit *target)
{
    return first_of(battle, FIELD[target->stack].beside);
}

/* The chance that a roll of 0 to attack is above one of 0 to defence, times the mean damage, times the repeats. */
static double hit_value(int32_t attack, int32_t defence, int32_t damage, int32_t repeats)
{
    const int32_t hits = attack <= defence ? attack * (attack + 1) / 2
                                           : (defence + 1) * attack - defence * (defence + 1) / 2;
    return (double)(hits * damage * repeats) / (double)(2 * (attack + 1) * (defence + 1));
}

static double bombard_value(Battle *battle, const Unit *unit, const Unit *target)
{
    double value = hit_value(unit->attack, target->defence, unit->damage, 1);
    const Unit *first = splashed(battle, target);
    for (const Unit *struck = first; struck < first + STACK; struck++)
        if (struck->health > 0)
            value += hit_value(unit->attack - SPLASH_LOSS, struck->defence, unit->damage - SPLASH_LOSS, 1);
    return value;
}

/* The target is living. */
static bool is_viable(const Battle *battle, const Unit *unit, const Unit *target, int32_t move)
{
    switch (move) {
    case HEALING:
        return unit->side == target->side && unit->healings < HEAL_LIMIT;
    case SACRIFICE:
        return unit->side == target->side && unit != target;
    case CHARGE:
        return unit->side != target->side && battle->turn == 0;
    case JAVELIN:
        return unit->side != target->side && !unit->has_thrown;
    default:
        return unit->side != target->side;
    }
}

static double value_of(Battle *battle, const Unit *unit, const Unit *target, int32_t move)
{
    switch (move) {
    case CHARGE:
        return hit_value(unit->attack + CHARGE_BONUS, target->defence, unit->damage, 1);
    case HEALING:
        return smaller(missing(target), MOST_HEALED);
    case BOMBARD:
        return bombard_value(battle, unit, target);
    case JAVELIN:
        return hit_value(unit->attack + JAVELIN_BONUS, target->defence, unit->damage + JAVELIN_BONUS, 1);
    case SACRIFICE:
        return smaller(missing(target), 2 * unit->health) - unit->health;
    default: /* archery, strike */
        return hit_value(unit->attack, target->defence, unit->damage, 2);
    }
}

/* The first pair of the highest value above 0; the move is NONE if there is no such pair. */
static int32_t choose_move(Battle *battle, const Unit *unit, Unit **chosen)
{
    double best = 0;
    int32_t best_move = NONE;
    for (Unit *target = battle->units; target < battle->units + FIGHTERS; target++) {
        if (target->health == 0)
            continue;
        for (int place = 0; place < MOST_MOVES && unit->moves[place] != NONE; place++) {
            const int32_t move = unit->moves[place];
            if (!is_viable(battle, unit, target, move))
                continue;
            const double value = value_of(battle, unit, target, move);
            if (value > best) {
                best = value;
                best_move = move;
                *chosen = target;
            }
        }
    }
    return best_move;
}

/* --------------------------------------------------------------------------------------------------------- moves */

static inline int32_t between_0_and(Dice *dice, int32_t most)
{
    return (int32_t)below(dice, (uint32_t)most + 1);
}

static void blow(Battle *battle, const Unit *unit, Unit *target, int32_t attack, int32_t damage)
{
    const int32_t roll = between_0_and(&battle->dice, attack);
    const int32_t against = between_0_and(&battle->dice, target->defence);
    if (roll <= against)
        return;
    const int32_t lost = smaller(between_0_and(&battle->dice, damage), target->health);
    target->health -= lost;
    if (lost > 0 && unit->side == RED)
        battle->harmed = true;
}

static void riposte(Battle *battle, const Unit *unit, Unit *striker)
{
    if (unit->health > 0 && unit->can_riposte && striker->health > 0)
        blow(battle, unit, striker, unit->attack - RIPOSTE_LOSS, unit->damage - RIPOSTE_LOSS);
}

static void strike(Battle *battle, Unit *unit, Unit *target)
{
    blow(battle, unit, target, unit->attack, unit->damage);
    riposte(battle, target, unit);
}

static void charge(Battle *battle, Unit *unit, Unit *target)
{
    blow(battle, unit, target, unit->attack + CHARGE_BONUS, unit->damage);
    riposte(battle, target, unit);
}

/* The splash reaches another stack than the target's, so what the first shot does makes no difference to it. */
static void bombard(Battle *battle, Unit *unit, Unit *target)
{
    blow(battle, unit, target, unit->attack, unit->damage);
    Unit *first = splashed(battle, target);
    for (Unit *struck = first; struck < first + STACK; struck++)
        if (struck->health > 0)
            blow(battle, unit, struck, unit->attack - SPLASH_LOSS, unit->damage - SPLASH_LOSS);
}

static void throw_javelin(Battle *battle, Unit *unit, Unit *target)
{
    blow(battle, unit, target, unit->attack + JAVELIN_BONUS, unit->damage + JAVELIN_BONUS);
    unit->has_thrown = true;
}

static void heal(Unit *unit, Unit *target)
{
    target->health += smaller(missing(target), MOST_HEALED);
    unit->healings++;
}

static void sacrifice(Unit *unit, Unit *target)
{
    target->health += smaller(missing(target), 2 * unit->health);
    unit->health = 0;
}

/* --------------------------------------------------------------------------------------------------------- turns */

static void take_turn(Battle *battle, Unit *unit)
{
    Unit *target = NULL;
    const int32_t move = choose_move(battle, unit, &target);
    open_address(&battle->dice, (uint32_t)battle->turn, (uint32_t)unit->id);
    switch (move) {
    case ARCHERY:
        blow(battle, unit, target, unit->attack, unit->damage);
        if (target->health > 0)
            blow(battle, unit, target, unit->attack, unit->damage);
        break;
    case CHARGE:
        charge(battle, unit, target);
        break;
    case HEALING:
        heal(unit, target);
        break;
    case STRIKE:
        strike(battle, unit, target);
        if (unit->health > 0 && target->health > 0)
            strike(battle, unit, target);
        break;
    case BOMBARD:
        bombard(battle, unit, target);
        break;
    case JAVELIN:
        throw_javelin(battle, unit, target);
        break;
    case SACRIFICE:
        sacrifice(unit, target);
        break;
    }
}

/* The attacker of each pair goes first on even turns, the defender on odd ones. */
static void play_turn(Battle *battle)
{
    const int32_t leads = battle->turn % 2 == 0 ? RED : BLUE;
    battle->harmed = false;
    for (int pair = 0; pair < TEAM; pair++) {
        Unit *first = battle->members[leads][pair], *second = battle->members[1 - leads][pair];
        if (first->health > 0)
            take_turn(battle, first);
        if (second->health > 0)
            take_turn(battle, second);
    }
}

static void judge_turn(Battle *battle)
{
    take_stock(battle);
    const bool stale = battle->health[RED] >= battle->least[RED] && battle->health[BLUE] >= battle->least[BLUE];
    battle->idle = battle->harmed ? 0 : battle->idle + 1;
    battle->stale = stale ? battle->stale + 1 : 0;
    for (int side = 0; side < SIDES; side++)
        battle->least[side] = smaller(battle->least[side], battle->health[side]);
    battle->turn++;
}

static bool is_over(const Battle *battle)
{
    return battle->health[RED] == 0 || battle->health[BLUE] == 0 || battle->idle == IDLE_TURNS
        || battle->stale == STALE_TURNS || battle->turn == TURN_CAP;
}

/* Who is repelled has not lost: it is a draw as long as both sides have somebody left, or neither. */
static Result play(Battle *battle, uint64_t stream)
{
    seek_stream(&battle->dice, stream);
    set_up(battle);
    do {
        play_turn(battle);
        judge_turn(battle);
    } while (!is_over(battle));
    const bool red = battle->health[RED] > 0, blue = battle->health[BLUE] > 0;
    return (Result){ red == blue ? 0 : red ? 1 : 2, battle->turn };
}

#include "harness.h"
