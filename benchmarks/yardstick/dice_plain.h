/* Plain dice: one scalar ChaCha8 block at the first word of an address, and no look ahead. */

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

/* There is nothing to forget: a block is filled when its first word is asked for. */
static inline void seek_stream(Dice *dice, uint64_t stream)
{
    dice->stream = stream;
}

static inline void open_address(Dice *dice, uint32_t tick, uint32_t lane)
{
    dice->tick = tick;
    dice->low = lane << 16;
    dice->cursor = BLOCK_WORDS;
}

/* The address of a fighter that has a turn every `step` ticks. */
static inline void open_turn(Dice *dice, uint32_t tick, uint32_t lane, uint32_t step)
{
    (void)step;
    open_address(dice, tick, lane);
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
