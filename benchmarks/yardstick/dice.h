/*
 * The addressed dice, in two kinds. The plain ones compute a block when its first word is asked for. The wide ones, for
 * -DWIDE_DICE, compute sixteen blocks at a time, as the kernels do.
 */

#include <stdint.h>

enum { BLOCK_WORDS = 16, DOUBLE_ROUNDS = 4 };

#ifdef WIDE_DICE
#include "dice_wide.h"
#else
#include "dice_plain.h"
#endif

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
