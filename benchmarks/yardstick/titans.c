/*
 * A yardstick for the titans kernel: examples/titans/standard.toml under the profile seed, by hand, in C.
 *
 *     titans KEYHEX FIRST COUNT [print]        (see harness.h)
 *
 * Everything that no duel changes is written here as a constant: the two titans, what their abilities do, and the
 * rules by which both players choose. What the scenario cannot bring about is left out: stat changes, misses, critical
 * hits, charge by Stamina, sudden death, deadlines, policies that roll. Nothing reads the scenario, so compare.py
 * compares winner and rounds with the engine's, duel by duel: content that drifts away from these constants is noticed
 * there.
 */

#define _POSIX_C_SOURCE 199309L

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "dice.h"

enum { ADA, BO, PLAYERS };
enum { ROUND_CAP = 100, MOST_CHARGE = 100, REST_CHARGE = 60, DEFEND_CHARGE = 20 };
enum { TABLE_LANE = 0xFFFF };

typedef enum { NOTHING, ATTACK, DEFEND, REST, OVERDRIVE, FORTIFY, METEOR, QUICK_CHARGE } Choice;

static const int32_t COST[] = { 0, 0, 0, 0, 50, 20, 80, 5 };

typedef struct {
    int32_t full, attack, defense, speed;
} Stats;

static const Stats STATS[PLAYERS] = {
    { 40, 6, 7, 4 }, /* Stone Warden */
    { 32, 9, 5, 5 }, /* Hammerfall */
};

typedef struct {
    int32_t hp;
    int32_t charge;
    double shield;
    Choice choice, last;
} Titan;

typedef struct {
    Dice dice;
    Titan titans[PLAYERS];
    int32_t round;
    int32_t winner; /* 0 as long as nobody has fallen */
} Battle;

typedef struct {
    int32_t winner;
    int32_t rounds;
} Result;

static double unit(Dice *dice)
{
    const uint64_t low = word(dice);
    return (double)(((uint64_t)word(dice) << 32 | low) >> 11) * 0x1p-53;
}

static inline int32_t half_up(double value)
{
    return (int32_t)floor(value + 0.5);
}

static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

static inline double smaller(double a, double b)
{
    return a < b ? a : b;
}

static inline bool below_share(const Titan *titan, int player, int32_t percent)
{
    return 100 * titan->hp < percent * STATS[player].full;
}

/* ----------------------------------------------------------------------------------------------------- choices */

static inline bool can_pay(const Titan *titan, Choice choice)
{
    return COST[choice] <= titan->charge;
}

static Choice ada_chooses(const Titan *own, const Titan *enemy)
{
    if (can_pay(own, OVERDRIVE) && below_share(enemy, BO, 60))
        return OVERDRIVE;
    if (can_pay(own, FORTIFY) && below_share(own, ADA, 60) && own->charge < 70)
        return FORTIFY;
    if ((can_pay(enemy, METEOR) || can_pay(enemy, QUICK_CHARGE)) && own->charge < 60)
        return DEFEND;
    return own->charge < 20 ? REST : ATTACK;
}

static Choice bo_chooses(const Titan *own, const Titan *enemy)
{
    if (can_pay(own, METEOR))
        return METEOR;
    if (can_pay(own, QUICK_CHARGE) && own->charge >= 45)
        return QUICK_CHARGE;
    return enemy->last == REST || own->charge < 10 ? REST : ATTACK;
}

/* ------------------------------------------------------------------------------------------------------ actions */

static inline void gain_charge(Titan *titan, int32_t amount)
{
    const int32_t charge = titan->charge + amount;
    titan->charge = charge > MOST_CHARGE ? MOST_CHARGE : charge;
}

static void hurt(Battle *battle, int player, double damage)
{
    Titan *struck = &battle->titans[1 - player];
    const double absorbed = smaller(struck->shield, damage);
    struck->shield -= absorbed;
    struck->hp = half_up(larger(0.0, struck->hp - (damage - absorbed)));
    if (struck->hp == 0)
        battle->winner = player + 1;
}

static void attack(Battle *battle, int player)
{
    Titan *opponent = &battle->titans[1 - player];
    const bool defends = opponent->choice == DEFEND;
    const double value = STATS[player].attack * (1 + unit(&battle->dice));
    double effective = STATS[1 - player].defense;
    if (defends)
        effective = effective * (1.5 + 0.5 * unit(&battle->dice));
    hurt(battle, player, larger(0.0, value - effective));
    if (battle->winner == 0 && defends)
        gain_charge(opponent, DEFEND_CHARGE);
}

static void act(Battle *battle, int player)
{
    Titan *titan = &battle->titans[player];
    if (battle->winner != 0 || !can_pay(titan, titan->choice))
        return;
    open_turn(&battle->dice, (uint32_t)battle->round, (uint32_t)player, 1);
    titan->charge -= COST[titan->choice];
    switch (titan->choice) {
    case ATTACK:
        attack(battle, player);
        break;
    case REST:
        gain_charge(titan, REST_CHARGE);
        break;
    case OVERDRIVE:
        hurt(battle, player, 2.5 * STATS[player].attack);
        break;
    case FORTIFY:
        titan->hp = titan->hp + 10 > STATS[player].full ? STATS[player].full : titan->hp + 10;
        titan->shield += 10;
        break;
    case METEOR:
        hurt(battle, player, 15);
        if (battle->winner == 0)
            hurt(battle, player, 2.0 * STATS[player].attack);
        break;
    case QUICK_CHARGE:
        gain_charge(titan, 40);
        break;
    case DEFEND:
    case NOTHING:
        break;
    }
}

/* -------------------------------------------------------------------------------------------------------- rounds */

static void play_round(Battle *battle)
{
    Titan *ada = &battle->titans[ADA], *bo = &battle->titans[BO];
    battle->round++;
    ada->last = ada->choice;
    bo->last = bo->choice;
    ada->choice = ada_chooses(ada, bo);
    bo->choice = bo_chooses(bo, ada);
    open_address(&battle->dice, (uint32_t)battle->round, TABLE_LANE);
    const double first = STATS[ADA].speed * unit(&battle->dice);
    const double second = STATS[BO].speed * unit(&battle->dice);
    const int quicker = second > first ? BO : ADA;
    act(battle, quicker);
    act(battle, 1 - quicker);
    ada->shield = bo->shield = 0;
}

static Result play(Battle *battle, uint64_t stream)
{
    seek_stream(&battle->dice, stream);
    for (int player = 0; player < PLAYERS; player++)
        battle->titans[player] = (Titan){ STATS[player].full, 0, 0, NOTHING, NOTHING };
    battle->round = battle->winner = 0;
    do
        play_round(battle);
    while (battle->winner == 0 && battle->round < ROUND_CAP);
    if (battle->winner == 0) {
        const int32_t a = battle->titans[ADA].hp * STATS[BO].full, b = battle->titans[BO].hp * STATS[ADA].full;
        battle->winner = a > b ? 1 : b > a ? 2 : 0;
    }
    return (Result){ battle->winner, battle->round };
}

#include "harness.h"
