/*
 * What the programs have in common: the command line, the watch and the checksum.
 *
 *     PROGRAM KEYHEX FIRST COUNT [print]
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
 * A program defines `Battle`, which has a `dice`, `Result`, which has a `winner` and `rounds`, and
 * `Result play(Battle *, uint64_t stream)`, and includes this last.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

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
        fprintf(stderr, "usage: %s KEYHEX FIRST COUNT [print]\n", argv[0]);
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
