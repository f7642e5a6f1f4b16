/*
 * Wide dice: sixteen ChaCha8 blocks at a time, one in each lane of a vector, and always those that are likely to be
 * asked for next. What is filled together is what the kernels fill together (src/fracas/kernel/dice.py): the sixteen
 * lanes around a participant's, sixteen ticks of the table's lane, the next sixteen turns of a fighter that has one
 * every few ticks, sixteen following blocks of a long address.
 *
 * The vectors are GCC's own (vector_size), so this compiles for every processor. They are as wide as the processor's:
 * vectors that the compiler has to split are slower than plain dice.
 */

enum { FILLED = 16, AREA_WORDS = BLOCK_WORDS * FILLED, FIRST_NAMED_LANE = 0xFF00 };
/* Every other sixteen lanes, and even and odd fighters, have an area of their own. */
enum { LANES_AREA, OTHER_LANES_AREA, TICKS_AREA, BLOCKS_AREA, TURNS_AREA, OTHER_TURNS_AREA, AREAS };

#if defined __AVX512F__
enum { LANES = 16 };
#elif defined __AVX2__
enum { LANES = 8 };
#else
enum { LANES = 4 };
#endif

typedef uint32_t Vector __attribute__((vector_size(4 * LANES)));

typedef struct {
    uint32_t first, lane, step;
    bool known;
} Filled;

typedef struct {
    uint32_t key[8];
    uint64_t stream;
    uint32_t tick, lane, step;
    uint32_t block;  /* the one after the open one */
    uint32_t cursor; /* in the open block */
    uint32_t column; /* of the open block among all words */
    Filled filled[AREAS];
    _Alignas(4 * FILLED) uint32_t words[AREAS * AREA_WORDS];
} Dice;

#define ROTATED(vector, places) ((vector) << (places) | (vector) >> (32 - (places)))

#define QUARTER_ROUND(a, b, c, d)      \
    do {                               \
        a += b, d = ROTATED(d ^ a, 16); \
        c += d, b = ROTATED(b ^ c, 12); \
        a += b, d = ROTATED(d ^ a, 8);  \
        c += d, b = ROTATED(b ^ c, 7);  \
    } while (0)

/* Compute LANES blocks of an area, those at counters low, low + low_step, ... below high, high + high_step, ... */
static inline void fill_lanes(const Dice *dice, uint32_t *words, Vector low, Vector high)
{
    static const uint32_t CONSTANTS[4] = { 0x61707865, 0x3320646E, 0x79622D32, 0x6B206574 };
    const Vector zero = low ^ low;
    Vector start[BLOCK_WORDS], x[BLOCK_WORDS];
    for (int i = 0; i < 4; i++)
        start[i] = zero + CONSTANTS[i];
    for (int i = 0; i < 8; i++)
        start[4 + i] = zero + dice->key[i];
    start[12] = low;
    start[13] = high;
    start[14] = zero + (uint32_t)dice->stream;
    start[15] = zero + (uint32_t)(dice->stream >> 32);
    for (int i = 0; i < BLOCK_WORDS; i++)
        x[i] = start[i];
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
    for (int i = 0; i < BLOCK_WORDS; i++)
        *(Vector *)&words[i * FILLED] = x[i] + start[i];
}

/* Fill an area with the sixteen blocks at counters low, low + low_step, ... below high, high + high_step, ... */
static __attribute__((noinline)) void fill_area(Dice *dice, int area, uint32_t low, uint32_t low_step, uint32_t high,
                                                uint32_t high_step)
{
    Vector ramp;
    for (uint32_t lane = 0; lane < LANES; lane++)
        ramp[lane] = lane;
    for (uint32_t first = 0; first < FILLED; first += LANES)
        fill_lanes(dice, &dice->words[area * AREA_WORDS + first], low + (first + ramp) * low_step,
                   high + (first + ramp) * high_step);
}

/* Whatever is filled belongs to another battle. */
static inline void seek_stream(Dice *dice, uint64_t stream)
{
    dice->stream = stream;
    for (int area = 0; area < AREAS; area++)
        dice->filled[area].known = false;
}

static inline void open_address(Dice *dice, uint32_t tick, uint32_t lane)
{
    dice->tick = tick;
    dice->lane = lane;
    dice->step = 0;
    dice->block = 0;
    dice->cursor = BLOCK_WORDS;
}

/* The address of a fighter that has a turn every `step` ticks: its next turns come soon. */
static inline void open_turn(Dice *dice, uint32_t tick, uint32_t lane, uint32_t step)
{
    open_address(dice, tick, lane);
    dice->step = step;
}

/* Where a tick's block of this lane stands; the lane's next fifteen, `step` ticks apart, are filled along with it. */
static inline uint32_t tick_column(Dice *dice, int area, uint32_t step)
{
    Filled *filled = &dice->filled[area];
    const uint32_t ahead = dice->tick - filled->first;
    if (filled->known && filled->lane == dice->lane && filled->step == step && ahead % step == 0
        && ahead / step < FILLED)
        return (uint32_t)area * AREA_WORDS + ahead / step;
    fill_area(dice, area, dice->lane << 16, 0, dice->tick, step);
    *filled = (Filled){ dice->tick, dice->lane, step, true };
    return (uint32_t)area * AREA_WORDS;
}

/* Where this lane's block of the tick stands; its fifteen neighbours are filled along with it. */
static inline uint32_t lane_column(Dice *dice)
{
    const uint32_t first = dice->lane - dice->lane % FILLED;
    const int area = first / FILLED % 2 == 0 ? LANES_AREA : OTHER_LANES_AREA;
    Filled *filled = &dice->filled[area];
    if (!filled->known || filled->first != dice->tick || filled->lane != first) {
        fill_area(dice, area, first << 16, 1 << 16, dice->tick, 0);
        *filled = (Filled){ dice->tick, first, 0, true };
    }
    return (uint32_t)area * AREA_WORDS + dice->lane - first;
}

/* Where block 1, 2, 3... of the open address stands. */
static inline uint32_t following_column(Dice *dice)
{
    const uint32_t place = (dice->block - 1) % FILLED;
    if (place == 0)
        fill_area(dice, BLOCKS_AREA, dice->lane << 16 | dice->block, 1, dice->tick, 0);
    return BLOCKS_AREA * AREA_WORDS + place;
}

static inline void next_block(Dice *dice)
{
    if (dice->block > 0)
        dice->column = following_column(dice);
    else if (dice->step > 0)
        dice->column = tick_column(dice, dice->lane % 2 == 0 ? TURNS_AREA : OTHER_TURNS_AREA, dice->step);
    else if (dice->lane >= FIRST_NAMED_LANE)
        dice->column = tick_column(dice, TICKS_AREA, 1);
    else
        dice->column = lane_column(dice);
    dice->block++;
    dice->cursor = 0;
}

static inline uint32_t word(Dice *dice)
{
    if (dice->cursor == BLOCK_WORDS)
        next_block(dice);
    return dice->words[dice->column + FILLED * dice->cursor++];
}
