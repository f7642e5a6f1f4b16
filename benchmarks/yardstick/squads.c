/*
 * A yardstick for the squads kernel: examples/squads/standard-5v5.toml under the profile classic, by hand, in C.
 *
 *     squads KEYHEX FIRST COUNT [print]
 *
 * KEYHEX is the BLAKE3 hash of the seed text, 64 hex digits: 32 bytes that are read as eight little-endian words. The
 * battles played are the streams FIRST to FIRST + COUNT - 1. With `print` there is a line `winner rounds` per battle.
 * Without it there is one line for all of them:
 *
 *     battles seconds wins1 wins2 draws rounds_total checksum
 *
 * `seconds` is measured around the battles alone. `checksum` is FNV-1a, 64 bits, fed three bytes for every battle in
 * order: the winner (0 for a draw, 1, 2), then the low and the high byte of the number of rounds.
 *
 * Everything that no battle changes is written here as a constant: stats, abilities, both strategies, the chain. What
 * the scenario cannot bring about is left out: stuns, wounds, raised or lowered attack, an environment, and the bounds
 * of 10^9 that its numbers never come near. Nothing reads the scenario, so compare.py and the tests compare winner and
 * rounds with the engine's, battle by battle: content that drifts away from these constants is noticed there.
 */

#define _POSIX_C_SOURCE 199309L

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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

/* ------------------------------------------------------------------------------------------------ addressed dice */

enum { TABLE_LANE = 0xFFFF, BLOCK_WORDS = 16, DOUBLE_ROUNDS = 4 };

typedef struct {
    uint32_t key[8];
    uint64_t stream;
    uint32_t tick;
    uint32_t low; /* lane << 16 | block */
    uint32_t cursor;
    uint32_t words[BLOCK_WORDS];
} Dice;

static inline uint32_t rotated(uint32_t value, int places)
{
    return value << places | value >> (32 - places);
}

#define QUARTER_ROUND(a, b, c, d)          \
    do {                                   \
        a += b, d = rotated(d ^ a, 16);    \
        c += d, b = rotated(b ^ c, 12);    \
        a += b, d = rotated(d ^ a, 8);     \
        c += d, b = rotated(b ^ c, 7);     \
    } while (0)

/* One ChaCha8 block: four constants, the key, a 64-bit counter, a 64-bit stream. */
static void fill_block(Dice *dice)
{
    static const uint32_t CONSTANTS[4] = { 0x61707865, 0x3320646E, 0x79622D32, 0x6B206574 };
    const uint32_t *key = dice->key;
    const uint32_t stream_low = (uint32_t)dice->stream, stream_high = (uint32_t)(dice->stream >> 32);
    uint32_t x[BLOCK_WORDS] = {
        CONSTANTS[0], CONSTANTS[1], CONSTANTS[2], CONSTANTS[3],
        key[0], key[1], key[2], key[3], key[4], key[5], key[6], key[7],
        dice->low, dice->tick, stream_low, stream_high,
    };
    for (int i = 0; i < DOUBLE_ROUNDS; i++) {
        QUARTER_ROUND(x[0], x[4], x[8], x[12]);
        QUARTER_ROUND(x[1], x[5], x[9], x[13]);
        QUARTER_ROUND(x[2], x[6], x[10], x[14]);
        QUARTER_ROUND(x[3], x[7], x[11], x[15]);
        QUARTER_ROUND(x[0], x[5], x[10], x[15]);
        QUARTER_ROUND(x[1], x[6], x[11], x[12]);
        QUARTER_ROUND(x[2], x[7], x[8], x[13]);
        QUARTER_ROUND(x[3], x[4], x[9], x[14]);
    }
    uint32_t *words = dice->words;
    for (int i = 0; i < 4; i++)
        words[i] = x[i] + CONSTANTS[i];
    for (int i = 0; i < 8; i++)
        words[4 + i] = x[4 + i] + key[i];
    words[12] = x[12] + dice->low;
    words[13] = x[13] + dice->tick;
    words[14] = x[14] + stream_low;
    words[15] = x[15] + stream_high;
}

static inline void open_address(Dice *dice, uint32_t tick, uint32_t lane)
{
    dice->tick = tick;
    dice->low = lane << 16;
    dice->cursor = BLOCK_WORDS;
}

static inline uint32_t word(Dice *dice)
{
    if (dice->cursor == BLOCK_WORDS) {
        fill_block(dice);
        dice->low++;
        dice->cursor = 0;
    }
    return dice->words[dice->cursor++];
}

static inline uint32_t below(Dice *dice, uint32_t n)
{
    uint64_t product = (uint64_t)word(dice) * n;
    if ((uint32_t)product < n) {
        const uint32_t biased = -n % n;
        while ((uint32_t)product < biased)
            product = (uint64_t)word(dice) * n;
    }
    return (uint32_t)(product >> 32);
}

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
    battle->dice.stream = stream;
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

/* --------------------------------------------------------------------------------------------------- command line */

static uint64_t fnv1a(uint64_t hash, uint32_t byte)
{
    return (hash ^ (byte & 0xFF)) * UINT64_C(0x100000001B3);
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool read_key(const char *hex, uint32_t key[8])
{
    if (strlen(hex) != 64 || strspn(hex, "0123456789abcdefABCDEF") != 64)
        return false;
    memset(key, 0, 8 * sizeof key[0]);
    for (int i = 0; i < 32; i++) {
        const char digits[3] = { hex[2 * i], hex[2 * i + 1], 0 };
        key[i / 4] |= (uint32_t)strtoul(digits, NULL, 16) << 8 * (i % 4);
    }
    return true;
}

static bool read_number(const char *text, uint64_t *number)
{
    char *end;
    *number = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == 0;
}

int main(int argc, char **argv)
{
    Battle battle;
    uint64_t first, count;
    const bool print = argc == 5 && strcmp(argv[4], "print") == 0;
    if ((argc != 4 && !print) || !read_key(argv[1], battle.dice.key) || !read_number(argv[2], &first)
        || !read_number(argv[3], &count)) {
        fprintf(stderr, "usage: squads KEYHEX FIRST COUNT [print]\n");
        return 2;
    }
    if (print) {
        for (uint64_t i = 0; i < count; i++) {
            const Result result = play(&battle, first + i);
            printf("%" PRId32 " %" PRId32 "\n", result.winner, result.rounds);
        }
        return 0;
    }

    uint64_t won[3] = { 0, 0, 0 };
    uint64_t rounds_total = 0;
    uint64_t checksum = UINT64_C(0xCBF29CE484222325);
    const double began = seconds_now();
    for (uint64_t i = 0; i < count; i++) {
        const Result result = play(&battle, first + i);
        won[result.winner]++;
        rounds_total += (uint64_t)result.rounds;
        checksum = fnv1a(checksum, (uint32_t)result.winner);
        checksum = fnv1a(checksum, (uint32_t)result.rounds);
        checksum = fnv1a(checksum, (uint32_t)result.rounds >> 8);
    }
    const double seconds = seconds_now() - began;
    printf("%" PRIu64 " %.9f %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %016" PRIx64 "\n", count, seconds, won[1],
           won[2], won[0], rounds_total, checksum);
    return 0;
}
