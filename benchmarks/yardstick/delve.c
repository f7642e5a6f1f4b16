/*
 * A yardstick for the delve kernel: examples/delve/standard-4v4.toml at the difficulty normal, by hand, in C.
 *
 *     delve KEYHEX FIRST COUNT [print]        (see harness.h)
 *
 * Everything that no battle changes is written here as a constant: the eight fighters, their skills, and their queues,
 * which are functions. What the scenario cannot bring about is left out: runs, bosses, fleeing, the percentages of the
 * difficulty and of the options (all 100), who gets the credit for a fall, three quiet rounds in a row (whoever stands
 * last has something that draws dice), and the bounds of 10^9 that its numbers never come near. Nothing reads the
 * scenario, so compare.py compares winner and rounds with the engine's, battle by battle: content that drifts away from
 * these constants is noticed there.
 */

#define _POSIX_C_SOURCE 199309L

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "dice.h"

enum { PARTY, ENEMIES, SIDES };
enum { TEAM = 4, FIGHTERS = SIDES * TEAM, FIRST_ENEMY_SLOT = 8, QUEUE = 4 };
enum { FRONT, KNIFE, FLAME, ROOT, BRUTE, HUNTER, CURSE, CHORUS };

enum { ROUND_CAP = 50 };
enum { LEAST_CHANCE = 5, GREATEST_CHANCE = 95, BASE_CHANCE = 50, BLINDED_PENALTY = 30 };
enum { SLOWED_DELAY = 50, HASTED_LEAD = 25, WEAKENED_PCT = 75, EMPOWERED_PCT = 125 };

/* ---------------------------------------------------------------------------------------------------------- state */

enum { MIGHT, LOGIC, SPEED, PRESENCE, FORTITUDE, LUCK, ATTRIBUTES };

/* A stun is not among them: it has neither rounds nor a potency, and never ticks. */
enum { POISONED, BLEEDING, BURNING, BLINDED, SLOWED, WEAKENED, SHIELDED, REGENERATING, EMPOWERED, HASTED, CONDITIONS };

typedef struct {
    int32_t max_hp, max_resource, resource_start;
    int32_t attributes[ATTRIBUTES];
    int32_t armor, resistance, evasion, weapon_low, weapon_high, weapon_speed;
} Numbers;

typedef struct {
    const Numbers *given;
    int32_t role;
    int32_t slot;
    int32_t hp;
    int32_t resource;
    int32_t initiative;
    bool stunned;
    bool guarded;
    bool has_sung;
    int32_t cooldown[QUEUE];
    int32_t rounds[CONDITIONS]; /* 0: it does not have it */
    int32_t potency[CONDITIONS];
    int32_t conditions;
    uint8_t condition[CONDITIONS]; /* those it has, in order of first application */
} Unit;

typedef struct {
    Dice dice;
    Unit units[FIGHTERS]; /* the party's four, then the enemies' */
    int32_t living[SIDES];
    int32_t round;
} Battle;

typedef struct {
    int32_t winner;
    int32_t rounds;
} Result;

enum { REGENERATION = 4 };

static const Numbers ROSTER[FIGHTERS] = {
    [FRONT] = { 40, 34, 34, { 38, 20, 28, 24, 32, 20 }, 3, 0, 0, 4, 7, 0 },
    [KNIFE] = { 32, 24, 24, { 28, 22, 38, 24, 26, 40 }, 1, 0, 4, 4, 7, -10 },
    [FLAME] = { 30, 52, 52, { 18, 39, 28, 28, 24, 24 }, 0, 2, 0, 3, 6, 0 },
    [ROOT] = { 36, 56, 56, { 22, 26, 26, 39, 30, 20 }, 1, 1, 0, 3, 6, 0 },
    [BRUTE] = { 46, 30, 30, { 39, 18, 26, 24, 34, 20 }, 3, 0, 0, 5, 9, 0 },
    [HUNTER] = { 36, 24, 24, { 28, 20, 38, 24, 26, 24 }, 1, 0, 3, 4, 7, -5 },
    [CURSE] = { 33, 48, 24, { 18, 39, 28, 28, 24, 24 }, 0, 2, 0, 3, 6, 0 },
    [CHORUS] = { 35, 44, 44, { 20, 26, 28, 39, 26, 24 }, 1, 1, 0, 3, 6, 0 },
};

/* --------------------------------------------------------------------------------------------------------- skills */

enum { PHYSICAL, MAGIC };
enum { NO_DAMAGE, OWN_DAMAGE, WITH_WEAPON };

typedef struct {
    int32_t kind, rounds, potency;
} Mark;

/* Two marks at most; one with no rounds is none. */
typedef struct {
    int32_t cost, cooldown;
    int32_t attack, defense, modifier;
    int32_t element, harms, low, high;
    bool stuns;
    Mark marks[2];
} Skill;

static const Skill CLEAVE = { 9, 2, MIGHT, SPEED, -5, PHYSICAL, WITH_WEAPON, 1, 3, false, { { 0, 0, 0 } } };
static const Skill SHIELD_BASH = { 9, 3, MIGHT, FORTITUDE, 0, PHYSICAL, WITH_WEAPON, 1, 4, true, { { 0, 0, 0 } } };
static const Skill STRIKE = { 0, 0, MIGHT, SPEED, 5, PHYSICAL, WITH_WEAPON, 2, 5, false, { { 0, 0, 0 } } };
static const Skill SAND = { 5, 3, SPEED, PRESENCE, 0, PHYSICAL, NO_DAMAGE, 0, 0, false, { { BLINDED, 2, 0 } } };
static const Skill VENOMED_EDGE
    = { 6, 2, SPEED, FORTITUDE, 0, PHYSICAL, WITH_WEAPON, 1, 4, false, { { POISONED, 3, 3 } } };
static const Skill LOW_BLOW = { 9, 2, SPEED, SPEED, -5, PHYSICAL, WITH_WEAPON, 6, 10, false, { { BLEEDING, 3, 3 } } };
static const Skill QUICK_CUT = { 0, 0, SPEED, SPEED, 10, PHYSICAL, WITH_WEAPON, 2, 4, false, { { 0, 0, 0 } } };
static const Skill EMBERFALL = { 13, 3, LOGIC, SPEED, 0, MAGIC, OWN_DAMAGE, 3, 6, false, { { BURNING, 2, 2 } } };
static const Skill FROST_SHACKLE
    = { 7, 3, LOGIC, FORTITUDE, 5, MAGIC, WITH_WEAPON, 3, 5, false, { { SLOWED, 2, 0 }, { WEAKENED, 2, 0 } } };
static const Skill FIREBOLT = { 2, 0, LOGIC, SPEED, 5, MAGIC, WITH_WEAPON, 3, 6, false, { { 0, 0, 0 } } };
static const Skill BRAMBLE_SNARE
    = { 7, 3, PRESENCE, SPEED, 0, MAGIC, WITH_WEAPON, 2, 4, false, { { BLEEDING, 2, 3 }, { SLOWED, 2, 0 } } };
static const Skill BRIAR_LASH = { 0, 0, PRESENCE, SPEED, 5, MAGIC, WITH_WEAPON, 2, 5, false, { { 0, 0, 0 } } };
static const Skill MAUL = { 10, 4, MIGHT, FORTITUDE, -5, PHYSICAL, WITH_WEAPON, 3, 7, true, { { 0, 0, 0 } } };
static const Skill GORE = { 0, 3, FORTITUDE, MIGHT, 0, PHYSICAL, WITH_WEAPON, 4, 8, false, { { 0, 0, 0 } } };
static const Skill ARROW_STORM = { 12, 3, SPEED, SPEED, -5, PHYSICAL, WITH_WEAPON, 1, 4, false, { { 0, 0, 0 } } };
static const Skill SPLINTERED_ARROW
    = { 0, 2, SPEED, SPEED, 0, PHYSICAL, WITH_WEAPON, 2, 6, false, { { BLEEDING, 3, 3 } } };
static const Skill SHOOT = { 0, 0, SPEED, SPEED, 5, PHYSICAL, WITH_WEAPON, 2, 5, false, { { 0, 0, 0 } } };
static const Skill BLIGHT
    = { 8, 2, LOGIC, FORTITUDE, 0, PHYSICAL, NO_DAMAGE, 0, 0, false, { { WEAKENED, 3, 0 }, { POISONED, 3, 4 } } };
static const Skill BLINDFOLD = { 13, 4, LOGIC, LUCK, -5, PHYSICAL, NO_DAMAGE, 0, 0, false, { { BLINDED, 2, 0 } } };
static const Skill GRAVE_FROST = { 8, 2, LOGIC, FORTITUDE, 0, MAGIC, WITH_WEAPON, 5, 9, false, { { SLOWED, 2, 0 } } };
static const Skill HEX_BOLT = { 0, 0, LOGIC, PRESENCE, 5, MAGIC, WITH_WEAPON, 2, 5, false, { { 0, 0, 0 } } };
static const Skill SHARP_NOTE = { 0, 0, PRESENCE, PRESENCE, 5, MAGIC, WITH_WEAPON, 2, 5, false, { { 0, 0, 0 } } };

/* Those that help: healing from low to high, or marks. */
#define HELP(cost, cooldown, low, high, ...) \
    { cost, cooldown, 0, 0, 0, 0, NO_DAMAGE, low, high, false, { __VA_ARGS__ } }
static const Skill SECOND_WIND = HELP(10, 3, 9, 14, { 0, 0, 0 });
static const Skill MEND = HELP(6, 0, 8, 12, { 0, 0, 0 });
static const Skill EVENING_HYMN = HELP(12, 3, 5, 8, { 0, 0, 0 });
static const Skill GLASS_WARD = HELP(7, 3, 0, 0, { SHIELDED, 3, 14 });
static const Skill SPRING_RAIN = HELP(13, 4, 0, 0, { REGENERATING, 3, 3 });
static const Skill MARCHING_SONG = HELP(11, 4, 0, 0, { EMPOWERED, 2, 0 }, { HASTED, 2, 0 });
static const Skill MUD_CHARM = HELP(8, 4, 0, 0, { SHIELDED, 2, 4 });

static inline int32_t smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static inline int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static inline int32_t between(Dice *dice, int32_t low, int32_t high)
{
    return low + (int32_t)below(dice, (uint32_t)(high - low + 1));
}

static inline int32_t d100(Dice *dice)
{
    return 1 + (int32_t)below(dice, 100);
}

static inline int32_t side_of(const Unit *unit)
{
    return unit->slot >= FIRST_ENEMY_SLOT;
}

static inline Unit *team_of(Battle *battle, int32_t side)
{
    return &battle->units[side * TEAM];
}

static inline Unit *allies_of(Battle *battle, const Unit *unit)
{
    return team_of(battle, side_of(unit));
}

static inline Unit *foes_of(Battle *battle, const Unit *unit)
{
    return team_of(battle, 1 - side_of(unit));
}

static inline int32_t foe_count(const Battle *battle, const Unit *unit)
{
    return battle->living[1 - side_of(unit)];
}

static inline bool has(const Unit *unit, int32_t kind)
{
    return unit->rounds[kind] > 0;
}

/* ---------------------------------------------------------------------------------------------- looking for units */

static Unit *lowest_hp(Unit *team)
{
    Unit *found = NULL;
    for (Unit *unit = team; unit < team + TEAM; unit++)
        if (unit->hp > 0 && (found == NULL || unit->hp < found->hp))
            found = unit;
    return found;
}

static Unit *lowest_hp_of_the_hurt(Unit *team)
{
    Unit *found = NULL;
    for (Unit *unit = team; unit < team + TEAM; unit++)
        if (unit->hp > 0 && unit->hp < unit->given->max_hp && (found == NULL || unit->hp < found->hp))
            found = unit;
    return found;
}

static Unit *highest_hp(Unit *team)
{
    Unit *found = NULL;
    for (Unit *unit = team; unit < team + TEAM; unit++)
        if (unit->hp > 0 && (found == NULL || unit->hp > found->hp))
            found = unit;
    return found;
}

/* All are of level 4, so it is the first. */
static Unit *highest_threat(Unit *team)
{
    while (team->hp == 0)
        team++;
    return team;
}

/* Shares are compared by cross-multiplication, so exactly. */
static Unit *lowest_share(Unit *team)
{
    Unit *found = NULL;
    for (Unit *unit = team; unit < team + TEAM; unit++)
        if (unit->hp > 0 && (found == NULL || unit->hp * found->given->max_hp < found->hp * unit->given->max_hp))
            found = unit;
    return found;
}

static Unit *nth_living(Unit *team, uint32_t n)
{
    for (;; team++)
        if (team->hp > 0 && n-- == 0)
            return team;
}

static bool is_below(const Unit *unit, int32_t pct)
{
    return 100 * unit->hp < pct * unit->given->max_hp;
}

static int32_t count_below(const Unit *team, int32_t pct)
{
    int32_t count = 0;
    for (const Unit *unit = team; unit < team + TEAM; unit++)
        count += unit->hp > 0 && is_below(unit, pct);
    return count;
}

static bool any_above(const Unit *team, int32_t pct)
{
    for (const Unit *unit = team; unit < team + TEAM; unit++)
        if (unit->hp > 0 && 100 * unit->hp > pct * unit->given->max_hp)
            return true;
    return false;
}

static bool any_stunned(const Unit *team)
{
    for (const Unit *unit = team; unit < team + TEAM; unit++)
        if (unit->hp > 0 && unit->stunned)
            return true;
    return false;
}

static bool any_has(const Unit *team, int32_t kind)
{
    for (const Unit *unit = team; unit < team + TEAM; unit++)
        if (unit->hp > 0 && has(unit, kind))
            return true;
    return false;
}

/* ----------------------------------------------------------------------------------------------------- conditions */

static void apply(Unit *target, const Mark *mark)
{
    const int32_t kind = mark->kind;
    if (has(target, kind)) {
        target->potency[kind] = larger(target->potency[kind], mark->potency);
    } else {
        target->potency[kind] = mark->potency;
        target->condition[target->conditions++] = (uint8_t)kind;
    }
    target->rounds[kind] = mark->rounds;
}

static void apply_all(Unit *target, const Skill *skill)
{
    if (skill->stuns && !target->guarded)
        target->stunned = true;
    for (int i = 0; i < 2 && skill->marks[i].rounds > 0; i++)
        apply(target, &skill->marks[i]);
}

static void lose_shield(Unit *unit)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < unit->conditions; i++)
        if (unit->condition[i] != SHIELDED)
            unit->condition[kept++] = unit->condition[i];
    unit->conditions = kept;
    unit->rounds[SHIELDED] = 0;
}

static void lose_hp(Battle *battle, Unit *unit, int32_t amount)
{
    unit->hp -= smaller(amount, unit->hp);
    if (unit->hp == 0)
        battle->living[side_of(unit)]--;
}

static void gain_hp(Unit *unit, int32_t amount)
{
    unit->hp += smaller(amount, unit->given->max_hp - unit->hp);
}

static void tick(Battle *battle, Unit *unit)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < unit->conditions; i++) {
        const uint8_t kind = unit->condition[i];
        const int32_t potency = unit->potency[kind];
        if (kind == REGENERATING)
            gain_hp(unit, has(unit, BLEEDING) ? potency / 2 : potency);
        else if (kind <= BURNING)
            lose_hp(battle, unit, potency);
        if (unit->hp == 0)
            return;
        if (--unit->rounds[kind] > 0)
            unit->condition[kept++] = kind;
    }
    unit->conditions = kept;
}

/* ------------------------------------------------------------------------------------------------- using a skill */

static bool can(const Unit *unit, int32_t place, const Skill *skill)
{
    return unit->resource >= skill->cost && unit->cooldown[place] == 0;
}

static void pay(Battle *battle, Unit *unit, int32_t place, const Skill *skill)
{
    unit->resource -= skill->cost;
    unit->cooldown[place] = skill->cooldown;
    open_address(&battle->dice, (uint32_t)battle->round, (uint32_t)unit->slot);
}

static void damage(Battle *battle, const Unit *unit, Unit *target, const Skill *skill, bool critical)
{
    int32_t low = skill->low, high = skill->high;
    if (skill->harms == WITH_WEAPON) {
        low += unit->given->weapon_low;
        high += unit->given->weapon_high;
    }
    const bool magic = skill->element == MAGIC;
    int32_t value = between(&battle->dice, low, high) + unit->given->attributes[magic ? LOGIC : MIGHT] / 10;
    if (has(unit, WEAKENED))
        value = value * WEAKENED_PCT / 100;
    if (has(unit, EMPOWERED))
        value = value * EMPOWERED_PCT / 100;
    value -= magic ? target->given->resistance : target->given->armor;
    if (critical)
        value *= 2;
    value = larger(value, 1);

    if (has(target, SHIELDED)) {
        const int32_t absorbed = smaller(value, target->potency[SHIELDED]);
        value -= absorbed;
        target->potency[SHIELDED] -= absorbed;
        if (target->potency[SHIELDED] == 0)
            lose_shield(target);
    }
    lose_hp(battle, target, value);
}

static void attack(Battle *battle, const Unit *unit, Unit *target, const Skill *skill)
{
    const int32_t *own = unit->given->attributes, *other = target->given->attributes;
    const int32_t penalty = target->given->evasion + (has(unit, BLINDED) ? BLINDED_PENALTY : 0);
    const int32_t raw = BASE_CHANCE + own[skill->attack] - other[skill->defense] + skill->modifier - penalty;
    const int32_t chance = smaller(larger(raw, LEAST_CHANCE), GREATEST_CHANCE);
    const int32_t roll = d100(&battle->dice);
    const bool critical = roll <= smaller(20, 5 + own[LUCK] / 20);
    const bool fumble = roll >= smaller(100, 96 + own[LUCK] / 20);
    if (!critical && (fumble || roll > chance))
        return;
    if (skill->harms != NO_DAMAGE)
        damage(battle, unit, target, skill, critical);
    if (target->hp > 0)
        apply_all(target, skill);
}

static void heal(Battle *battle, const Unit *unit, Unit *target, const Skill *skill)
{
    const int32_t value = between(&battle->dice, skill->low, skill->high) + unit->given->attributes[PRESENCE] / 10;
    gain_hp(target, has(target, BLEEDING) ? value / 2 : value);
}

/* ---------------------------------------------------------------------------------------------------------- turns */

static void use_on_one(Battle *battle, Unit *unit, int32_t place, const Skill *skill, Unit *target)
{
    pay(battle, unit, place, skill);
    attack(battle, unit, target, skill);
}

static void use_on_all(Battle *battle, Unit *unit, int32_t place, const Skill *skill)
{
    Unit *foes = foes_of(battle, unit);
    pay(battle, unit, place, skill);
    for (Unit *target = foes; target < foes + TEAM; target++)
        if (target->hp > 0)
            attack(battle, unit, target, skill);
}

static void heal_one(Battle *battle, Unit *unit, int32_t place, const Skill *skill, Unit *target)
{
    pay(battle, unit, place, skill);
    heal(battle, unit, target, skill);
}

static void heal_all(Battle *battle, Unit *unit, int32_t place, const Skill *skill)
{
    Unit *allies = allies_of(battle, unit);
    pay(battle, unit, place, skill);
    for (Unit *target = allies; target < allies + TEAM; target++)
        if (target->hp > 0 && target->hp < target->given->max_hp)
            heal(battle, unit, target, skill);
}

static void bless_all(Battle *battle, Unit *unit, int32_t place, const Skill *skill)
{
    Unit *allies = allies_of(battle, unit);
    pay(battle, unit, place, skill);
    for (Unit *target = allies; target < allies + TEAM; target++)
        if (target->hp > 0)
            apply_all(target, skill);
}

static void front_acts(Battle *battle, Unit *unit, Unit *foes)
{
    if (is_below(unit, 40) && can(unit, 0, &SECOND_WIND))
        heal_one(battle, unit, 0, &SECOND_WIND, unit);
    else if (foe_count(battle, unit) >= 3 && can(unit, 1, &CLEAVE))
        use_on_all(battle, unit, 1, &CLEAVE);
    else if (!any_stunned(foes) && can(unit, 2, &SHIELD_BASH))
        use_on_one(battle, unit, 2, &SHIELD_BASH, highest_threat(foes));
    else
        use_on_one(battle, unit, 3, &STRIKE, lowest_hp(foes));
}

static void knife_acts(Battle *battle, Unit *unit, Unit *foes)
{
    if (!any_has(foes, BLINDED) && can(unit, 0, &SAND))
        use_on_one(battle, unit, 0, &SAND, highest_threat(foes));
    else if (any_above(foes, 60) && can(unit, 1, &VENOMED_EDGE))
        use_on_one(battle, unit, 1, &VENOMED_EDGE, highest_hp(foes));
    else if (count_below(foes, 50) > 0 && can(unit, 2, &LOW_BLOW))
        use_on_one(battle, unit, 2, &LOW_BLOW, lowest_hp(foes));
    else
        use_on_one(battle, unit, 3, &QUICK_CUT, lowest_hp(foes));
}

static void flame_acts(Battle *battle, Unit *unit, Unit *foes)
{
    if (is_below(unit, 50) && !has(unit, SHIELDED) && can(unit, 0, &GLASS_WARD)) {
        pay(battle, unit, 0, &GLASS_WARD);
        apply_all(unit, &GLASS_WARD);
    } else if (foe_count(battle, unit) >= 3 && can(unit, 1, &EMBERFALL)) {
        use_on_all(battle, unit, 1, &EMBERFALL);
    } else if (!any_has(foes, WEAKENED) && can(unit, 2, &FROST_SHACKLE)) {
        use_on_one(battle, unit, 2, &FROST_SHACKLE, highest_threat(foes));
    } else if (can(unit, 3, &FIREBOLT)) {
        use_on_one(battle, unit, 3, &FIREBOLT, lowest_hp(foes));
    }
}

static void root_acts(Battle *battle, Unit *unit, Unit *foes)
{
    Unit *allies = allies_of(battle, unit);
    if (count_below(allies, 45) > 0 && can(unit, 0, &MEND))
        heal_one(battle, unit, 0, &MEND, lowest_hp_of_the_hurt(allies));
    else if (count_below(allies, 75) >= 2 && !any_has(allies, REGENERATING) && can(unit, 1, &SPRING_RAIN))
        bless_all(battle, unit, 1, &SPRING_RAIN);
    else if (battle->round >= 2 && can(unit, 2, &BRAMBLE_SNARE))
        use_on_one(battle, unit, 2, &BRAMBLE_SNARE, highest_hp(foes));
    else
        use_on_one(battle, unit, 3, &BRIAR_LASH, lowest_hp(foes));
}

static void brute_acts(Battle *battle, Unit *unit, Unit *foes)
{
    if (100 * unit->resource >= 50 * unit->given->max_resource && !any_stunned(foes) && can(unit, 0, &MAUL))
        use_on_one(battle, unit, 0, &MAUL, highest_threat(foes));
    else if (can(unit, 1, &GORE))
        use_on_one(battle, unit, 1, &GORE, highest_hp(foes));
    else
        use_on_one(battle, unit, 2, &STRIKE, lowest_hp(foes));
}

static void hunter_acts(Battle *battle, Unit *unit, Unit *foes)
{
    const int32_t count = foe_count(battle, unit);
    if (battle->round % 3 == 0 && count >= 3 && can(unit, 0, &ARROW_STORM)) {
        use_on_all(battle, unit, 0, &ARROW_STORM);
    } else if (can(unit, 1, &SPLINTERED_ARROW)) {
        use_on_one(battle, unit, 1, &SPLINTERED_ARROW, lowest_share(foes));
    } else {
        pay(battle, unit, 2, &SHOOT);
        attack(battle, unit, nth_living(foes, below(&battle->dice, (uint32_t)count)), &SHOOT);
    }
}

static void curse_acts(Battle *battle, Unit *unit, Unit *foes)
{
    if (!any_has(foes, POISONED) && can(unit, 0, &BLIGHT))
        use_on_one(battle, unit, 0, &BLIGHT, highest_hp(foes));
    else if (foe_count(battle, unit) >= 3 && !any_has(foes, BLINDED) && can(unit, 1, &BLINDFOLD))
        use_on_all(battle, unit, 1, &BLINDFOLD);
    else if (any_above(foes, 30) && can(unit, 2, &GRAVE_FROST))
        use_on_one(battle, unit, 2, &GRAVE_FROST, lowest_hp(foes));
    else
        use_on_one(battle, unit, 3, &HEX_BOLT, lowest_hp(foes));
}

static void chorus_acts(Battle *battle, Unit *unit, Unit *foes)
{
    Unit *allies = allies_of(battle, unit);
    if (!unit->has_sung && foe_count(battle, unit) >= 2 && can(unit, 0, &MARCHING_SONG)) {
        unit->has_sung = true;
        bless_all(battle, unit, 0, &MARCHING_SONG);
    } else if (count_below(allies, 60) >= 2 && can(unit, 1, &EVENING_HYMN)) {
        heal_all(battle, unit, 1, &EVENING_HYMN);
    } else if (!any_has(allies, SHIELDED) && count_below(allies, 70) > 0 && can(unit, 2, &MUD_CHARM)) {
        bless_all(battle, unit, 2, &MUD_CHARM);
    } else {
        use_on_one(battle, unit, 3, &SHARP_NOTE, lowest_hp(foes));
    }
}

static void take_turn(Battle *battle, Unit *unit)
{
    unit->guarded = unit->stunned;
    unit->stunned = false;
    if (unit->guarded)
        return;
    Unit *foes = foes_of(battle, unit);
    switch (unit->role) {
    case FRONT:
        front_acts(battle, unit, foes);
        break;
    case KNIFE:
        knife_acts(battle, unit, foes);
        break;
    case FLAME:
        flame_acts(battle, unit, foes);
        break;
    case ROOT:
        root_acts(battle, unit, foes);
        break;
    case BRUTE:
        brute_acts(battle, unit, foes);
        break;
    case HUNTER:
        hunter_acts(battle, unit, foes);
        break;
    case CURSE:
        curse_acts(battle, unit, foes);
        break;
    case CHORUS:
        chorus_acts(battle, unit, foes);
        break;
    }
}

/* --------------------------------------------------------------------------------------------------------- rounds */

static void set_up(Battle *battle)
{
    memset(battle->units, 0, sizeof battle->units);
    battle->round = 0;
    battle->living[PARTY] = battle->living[ENEMIES] = TEAM;
    for (int32_t role = 0; role < FIGHTERS; role++) {
        Unit *unit = &battle->units[role];
        unit->given = &ROSTER[role];
        unit->role = role;
        unit->slot = role < TEAM ? role : FIRST_ENEMY_SLOT + role - TEAM;
        unit->hp = unit->given->max_hp;
        unit->resource = unit->given->resource_start;
        open_address(&battle->dice, 0, (uint32_t)unit->slot);
        unit->initiative = d100(&battle->dice) + unit->given->weapon_speed - unit->given->attributes[SPEED];
    }
}

/* Effective initiative ascending, then speed descending, then slot: packed into one number, smallest first. */
static int32_t settle_order(const Battle *battle, int32_t order[FIGHTERS])
{
    int32_t count = 0;
    for (int32_t role = 0; role < FIGHTERS; role++) {
        const Unit *unit = &battle->units[role];
        if (unit->hp == 0)
            continue;
        int32_t effective = unit->initiative;
        if (has(unit, SLOWED))
            effective += SLOWED_DELAY;
        if (has(unit, HASTED))
            effective -= HASTED_LEAD;
        const int32_t key = (effective + 512) << 11 | (255 - unit->given->attributes[SPEED]) << 3 | role;
        int32_t place = count++;
        for (; place > 0 && order[place - 1] > key; place--)
            order[place] = order[place - 1];
        order[place] = key;
    }
    return count;
}

static bool is_decided(const Battle *battle)
{
    return battle->living[PARTY] == 0 || battle->living[ENEMIES] == 0;
}

static void end_round(Battle *battle)
{
    for (Unit *unit = battle->units; unit < battle->units + FIGHTERS; unit++) {
        if (unit->hp > 0)
            tick(battle, unit);
        unit->resource = smaller(unit->resource + REGENERATION, unit->given->max_resource);
        for (int32_t place = 0; place < QUEUE; place++)
            unit->cooldown[place] -= unit->cooldown[place] > 0;
    }
}

static void play_round(Battle *battle)
{
    int32_t order[FIGHTERS];
    const int32_t count = settle_order(battle, order);
    for (int32_t place = 0; place < count && !is_decided(battle); place++) {
        Unit *unit = &battle->units[order[place] % FIGHTERS];
        if (unit->hp > 0)
            take_turn(battle, unit);
    }
    end_round(battle);
}

static Result play(Battle *battle, uint64_t stream)
{
    seek_stream(&battle->dice, stream);
    set_up(battle);
    while (!is_decided(battle) && battle->round < ROUND_CAP) {
        battle->round++;
        play_round(battle);
    }
    const int32_t winner = battle->living[PARTY] == 0 ? 2 : battle->living[ENEMIES] == 0 ? 1 : 0;
    return (Result){ winner, battle->round };
}

#include "harness.h"
