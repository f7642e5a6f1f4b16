/*
 * A yardstick for the relics kernel: examples/relics/standard.toml under the profile canvas, by hand, in C.
 *
 *     relics KEYHEX FIRST COUNT [print]        (see harness.h)
 *
 * Everything that no battle changes is written here as a constant: the two fighters with what they wear added up, and
 * the effects of their items by trigger. What the scenario cannot bring about is left out: other triggers and ops,
 * Poison, Acid and Riptide, temporary ATK, a strike that is not the only one of its turn, phases, marked damage (nobody
 * answers a retaliation), the guards that drop runs (no effect causes itself), and the bounds of 9,999. Nothing reads the
 * scenario, so compare.py compares winner and rounds with the engine's, battle by battle: content that drifts away from
 * these constants is noticed there.
 */

#define _POSIX_C_SOURCE 199309L

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "dice.h"

enum { LEFT, RIGHT, SIDES };
enum { TURN_CAP = 500, FATIGUE_START = 40 };

/* ---------------------------------------------------------------------------------------------------------- state */

enum { ARMOR, FREEZE, THORNS, STUN, REGEN, QUANTITIES };

typedef struct {
    int32_t hp, hp_max, attack, speed;
    int32_t quantity[QUANTITIES];
    int32_t own_turn;
    int32_t runs_in_turn, runs_in_battle; /* of the one effect of each that has such a limit */
    bool struck, was_exposed, was_wounded;
    bool exposed_waits, wounded_waits;
} Fighter;

typedef struct {
    Dice dice;
    Fighter fighters[SIDES];
    int32_t turn;
    bool striking;         /* steps 1 to 9 of a strike */
    bool thresholds_wait;  /* steps 4 to 8 */
} Battle;

typedef struct {
    int32_t winner;
    int32_t rounds;
} Result;

static const Fighter START[SIDES] = {
    [LEFT] = { .hp = 23, .hp_max = 23, .attack = 4, .speed = 0, .quantity = { [ARMOR] = 13 } },
    [RIGHT] = { .hp = 30, .hp_max = 30, .attack = 4, .speed = 3, .quantity = { [ARMOR] = 8 } },
};

/* What the sets hold for: the left's keeps Thorns in its first turn, the right's adds a fifth to damage. */
enum { DAMAGE_DEALT_PCT = 20, THORNS_KEPT_UNTIL = 1 };

/* -------------------------------------------------------------------------------------------------------- effects */

enum {
    BATTLE_START, FIRST_TURN, EVERY_N_TURNS, TURN_START, ON_HIT, ON_STRUCK, ON_DAMAGED, ARMOR_LOST, THORNS_GAINED,
    EXPOSED, WOUNDED, TRIGGERS
};
enum { GAIN, GIVE_ENEMY, HEAL, DEAL, PIERCE };
enum { ALWAYS, HAVE_ARMOR, IS_WOUNDED };

typedef struct {
    int32_t verb, amount, quantity;
    int32_t when;
} Op;

/* Every effect of these items has one op, but for the shield's, which has two. */
typedef struct {
    int32_t chance; /* 0: certain */
    int32_t n;      /* of every_n_turns */
    int32_t per_turn, per_battle; /* 0: no limit */
    int32_t op_count;
    Op ops[2];
} Effect;

typedef struct {
    int32_t count;
    Effect effects[8];
} Answers;

#define CERTAIN(...) { 0, 0, 0, 0, 1, { { __VA_ARGS__ } } }
#define BY_CHANCE(chance, ...) { chance, 0, 0, 0, 1, { { __VA_ARGS__ } } }

/* In firing order; on hit by class. */
static const Answers ANSWERS[SIDES][TRIGGERS] = {
    [LEFT] = {
        [BATTLE_START] = { 4, {
            CERTAIN(GAIN, 1, THORNS),                                                       /* horned helm */
            { 0, 0, 0, 0, 2, { { GAIN, 8, ARMOR, ALWAYS }, { GAIN, 2, FREEZE, ALWAYS } } }, /* iceblock shield */
            CERTAIN(GAIN, 3, REGEN),                                                        /* rain barrel */
            CERTAIN(GAIN, 2, THORNS),                                                       /* quickset hedge */
        } },
        [TURN_START] = { 1, { CERTAIN(HEAL, 1, 0, HAVE_ARMOR) } },                          /* pilgrim beads */
        [ON_HIT] = { 1, { BY_CHANCE(20, GIVE_ENEMY, 1, STUN) } },                           /* bell flail */
        [ON_STRUCK] = { 1, { CERTAIN(GAIN, 1, THORNS) } },                                  /* burr boots */
        [ON_DAMAGED] = { 1, { BY_CHANCE(30, HEAL, 2) } },                                   /* clover chain */
        [THORNS_GAINED] = { 1, { { 0, 0, 1, 0, 1, { { HEAL, 1, 0, ALWAYS } } } } },          /* cactus flower */
        [EXPOSED] = { 1, { CERTAIN(DEAL, 2) } },                                            /* geode */
        [WOUNDED] = { 2, { CERTAIN(GAIN, 4, THORNS), CERTAIN(HEAL, 6) } },                  /* quill mail, chapel bell */
    },
    [RIGHT] = {
        [BATTLE_START] = { 1, { CERTAIN(DEAL, 3) } },                                       /* ember ring */
        [FIRST_TURN] = { 1, { CERTAIN(DEAL, 2) } },                                         /* spark boots */
        [EVERY_N_TURNS] = { 1, { { 0, 3, 0, 0, 1, { { HEAL, 3, 0, ALWAYS } } } } },        /* sundial */
        [TURN_START] = { 2, { CERTAIN(DEAL, 1), CERTAIN(HEAL, 2, 0, IS_WOUNDED) } },        /* tallow lamp, bandage */
        [ON_HIT] = { 3, {
            BY_CHANCE(50, PIERCE, 3),                                                       /* dice pistol */
            CERTAIN(PIERCE, 1),                                                             /* cinder gloves */
            BY_CHANCE(50, DEAL, 2),                                                         /* knuckle bones */
        } },
        [ARMOR_LOST] = { 1, { { 0, 0, 0, 1, 1, { { GAIN, 3, ARMOR, ALWAYS } } } } },        /* ferry plank */
    },
};

static inline int32_t smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static inline int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static inline int32_t d100(Dice *dice)
{
    return 1 + (int32_t)below(dice, 100);
}

static inline bool is_wounded(const Fighter *fighter)
{
    return 2 * fighter->hp <= fighter->hp_max;
}

static void come_up(Battle *battle, int32_t side, int32_t trigger);

/* -------------------------------------------------------------------------------------------------------- changes */

static void heal(Fighter *fighter, int32_t points)
{
    fighter->hp += smaller(points, larger(0, fighter->hp_max - fighter->hp));
}

/* Become Exposed or Wounded, each once in a battle. Whoever calls this works off what answers it, or lets it wait. */
static void cross_thresholds(Fighter *fighter, bool lost_armor, bool lost_hp)
{
    if (lost_armor && fighter->quantity[ARMOR] == 0 && !fighter->was_exposed)
        fighter->was_exposed = fighter->exposed_waits = true;
    if (lost_hp && is_wounded(fighter) && !fighter->was_wounded)
        fighter->was_wounded = fighter->wounded_waits = true;
}

static void answer_thresholds(Battle *battle, int32_t side)
{
    Fighter *fighter = &battle->fighters[side];
    const bool exposed = fighter->exposed_waits, wounded = fighter->wounded_waits;
    fighter->exposed_waits = fighter->wounded_waits = false;
    if (exposed)
        come_up(battle, side, EXPOSED);
    if (wounded)
        come_up(battle, side, WOUNDED);
}

static void gain(Battle *battle, int32_t side, int32_t quantity, int32_t amount)
{
    battle->fighters[side].quantity[quantity] += amount;
    if (quantity == THORNS)
        come_up(battle, side, THORNS_GAINED);
}

static void lose_hp(Battle *battle, int32_t side, int32_t points)
{
    battle->fighters[side].hp -= points;
    cross_thresholds(&battle->fighters[side], false, true);
    answer_thresholds(battle, side);
}

/* Damage from the other fighter, to ARMOR first or to HP. */
static void packet(Battle *battle, int32_t side, int32_t points, bool armor_first)
{
    Fighter *fighter = &battle->fighters[side];
    const int32_t absorbed = armor_first ? smaller(fighter->quantity[ARMOR], points) : 0;
    const int32_t lost = points - absorbed;
    fighter->quantity[ARMOR] -= absorbed;
    fighter->hp -= lost;
    cross_thresholds(fighter, absorbed > 0, lost > 0);
    if (battle->striking && points > 0)
        fighter->struck = true;
    if (absorbed > 0)
        come_up(battle, side, ARMOR_LOST);
    if (points > 0)
        come_up(battle, side, ON_DAMAGED);
    if (!battle->thresholds_wait)
        answer_thresholds(battle, side);
}

/* Damage of a strike or an op, which modifiers raise. */
static void deal(Battle *battle, int32_t side, int32_t points, bool armor_first)
{
    packet(battle, 1 - side, side == RIGHT ? points * (100 + DAMAGE_DEALT_PCT) / 100 : points, armor_first);
}

/* ------------------------------------------------------------------------------------------------------- triggers */

static bool holds(const Fighter *fighter, int32_t when)
{
    switch (when) {
    case HAVE_ARMOR: return fighter->quantity[ARMOR] > 0;
    case IS_WOUNDED: return is_wounded(fighter);
    default: return true;
    }
}

static void perform(Battle *battle, int32_t side, const Op *op)
{
    Fighter *fighter = &battle->fighters[side];
    switch (op->verb) {
    case GAIN: gain(battle, side, op->quantity, op->amount); break;
    case GIVE_ENEMY: gain(battle, 1 - side, op->quantity, op->amount); break;
    case HEAL: heal(fighter, op->amount); break;
    case DEAL: deal(battle, side, op->amount, true); break;
    case PIERCE: deal(battle, side, op->amount, false); break;
    }
}

/* A fighter's effects of a trigger, in firing order, each with all that it causes. */
static void come_up(Battle *battle, int32_t side, int32_t trigger)
{
    const Answers *answers = &ANSWERS[side][trigger];
    Fighter *fighter = &battle->fighters[side];
    for (int32_t i = 0; i < answers->count; i++) {
        const Effect *effect = &answers->effects[i];
        if (effect->n > 0 && fighter->own_turn % effect->n != 0)
            continue;
        if (effect->per_turn > 0 && fighter->runs_in_turn == effect->per_turn)
            continue;
        if (effect->per_battle > 0 && fighter->runs_in_battle == effect->per_battle)
            continue;
        if (effect->chance > 0 && d100(&battle->dice) > effect->chance)
            continue;
        fighter->runs_in_turn += effect->per_turn > 0;
        fighter->runs_in_battle += effect->per_battle > 0;
        for (int32_t k = 0; k < effect->op_count; k++)
            if (holds(fighter, effect->ops[k].when))
                perform(battle, side, &effect->ops[k]);
    }
}

/* -------------------------------------------------------------------------------------------------- order of play */

static inline bool is_over(const Battle *battle)
{
    return battle->fighters[LEFT].hp <= 0 || battle->fighters[RIGHT].hp <= 0;
}

static void turn_start(Battle *battle, int32_t side)
{
    Fighter *fighter = &battle->fighters[side];
    fighter->own_turn++;
    if (battle->turn > FATIGUE_START)
        lose_hp(battle, side, battle->turn - FATIGUE_START);
    if (fighter->own_turn == 1)
        come_up(battle, side, FIRST_TURN);
    come_up(battle, side, EVERY_N_TURNS);
    come_up(battle, side, TURN_START);
}

static void strike(Battle *battle, int32_t side)
{
    Fighter *fighter = &battle->fighters[side], *other = &battle->fighters[1 - side];
    if (fighter->quantity[STUN] > 0) {
        fighter->quantity[STUN]--;
        return;
    }
    battle->striking = battle->thresholds_wait = true;
    deal(battle, side, other->quantity[FREEZE] > 0 ? fighter->attack / 2 : fighter->attack, true);
    come_up(battle, side, ON_HIT);
    come_up(battle, 1 - side, ON_STRUCK);
    if (other->quantity[THORNS] > 0)
        packet(battle, side, other->quantity[THORNS], true);
    battle->thresholds_wait = false;
    answer_thresholds(battle, 1 - side);
    answer_thresholds(battle, side);
    battle->striking = false;
}

static void turn_end(Battle *battle, int32_t side)
{
    for (int32_t each = LEFT; each < SIDES; each++) {
        Fighter *fighter = &battle->fighters[each];
        const bool kept = each == LEFT && fighter->own_turn <= THORNS_KEPT_UNTIL;
        if (fighter->struck && !kept)
            fighter->quantity[THORNS] = 0;
        fighter->struck = false;
        fighter->quantity[FREEZE] = larger(0, fighter->quantity[FREEZE] - 1);
    }
    Fighter *fighter = &battle->fighters[side];
    if (fighter->quantity[REGEN] > 0) {
        heal(fighter, fighter->quantity[REGEN]);
        fighter->quantity[REGEN]--;
    }
}

/* Play turns until somebody falls or the cap is reached. */
static void play_turns(Battle *battle)
{
    int32_t side = battle->fighters[LEFT].speed >= battle->fighters[RIGHT].speed ? LEFT : RIGHT;
    while (battle->turn < TURN_CAP) {
        battle->turn++;
        battle->fighters[LEFT].runs_in_turn = battle->fighters[RIGHT].runs_in_turn = 0;
        open_turn(&battle->dice, (uint32_t)battle->turn, (uint32_t)side, SIDES);
        turn_start(battle, side);
        if (is_over(battle))
            return;
        strike(battle, side);
        if (is_over(battle))
            return;
        turn_end(battle, side);
        if (is_over(battle))
            return;
        side = 1 - side;
    }
}

static Result play(Battle *battle, uint64_t stream)
{
    seek_stream(&battle->dice, stream);
    memcpy(battle->fighters, START, sizeof START);
    battle->turn = 0;
    battle->striking = battle->thresholds_wait = false;
    for (int32_t side = LEFT; side < SIDES; side++) {
        open_address(&battle->dice, 0, (uint32_t)side);
        come_up(battle, side, BATTLE_START);
    }
    if (!is_over(battle))
        play_turns(battle);
    const bool left_fell = battle->fighters[LEFT].hp <= 0, right_fell = battle->fighters[RIGHT].hp <= 0;
    return (Result){ left_fell == right_fell ? 0 : left_fell ? 2 : 1, battle->turn };
}

#include "harness.h"
