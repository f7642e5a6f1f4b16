/* BLAKE3 of a text in memory, as its specification says and no faster: 64 bytes a block, 1,024 a chunk, a tree above. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { B3_CHUNK_START = 1, B3_CHUNK_END = 2, B3_PARENT = 4, B3_ROOT = 8, B3_BLOCK = 64, B3_CHUNK = 1024 };

static const uint32_t B3_IV[8] = {0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A,
                                  0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19};
static const uint8_t B3_ORDER[16] = {2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8};

static uint32_t b3_turned(uint32_t word, int by) { return word >> by | word << (32 - by); }

static void b3_mix(uint32_t *s, int a, int b, int c, int d, uint32_t x, uint32_t y) {
    s[a] += s[b] + x;
    s[d] = b3_turned(s[d] ^ s[a], 16);
    s[c] += s[d];
    s[b] = b3_turned(s[b] ^ s[c], 12);
    s[a] += s[b] + y;
    s[d] = b3_turned(s[d] ^ s[a], 8);
    s[c] += s[d];
    s[b] = b3_turned(s[b] ^ s[c], 7);
}

/* One block into a chaining value of eight words. */
static void b3_compress(uint32_t chain[8], const uint8_t *block, uint32_t length, uint64_t counter, uint32_t flags) {
    uint32_t m[16], s[16];
    for (int i = 0; i < 16; i++)
        m[i] = (uint32_t)block[4 * i] | (uint32_t)block[4 * i + 1] << 8 | (uint32_t)block[4 * i + 2] << 16 |
               (uint32_t)block[4 * i + 3] << 24;
    memcpy(s, chain, 32);
    memcpy(s + 8, B3_IV, 16);
    s[12] = (uint32_t)counter;
    s[13] = (uint32_t)(counter >> 32);
    s[14] = length;
    s[15] = flags;
    for (int round = 0; round < 7; round++) {
        for (int i = 0; i < 4; i++) b3_mix(s, i, 4 + i, 8 + i, 12 + i, m[2 * i], m[2 * i + 1]);
        for (int i = 0; i < 4; i++)
            b3_mix(s, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4, m[8 + 2 * i], m[9 + 2 * i]);
        uint32_t next[16];
        for (int i = 0; i < 16; i++) next[i] = m[B3_ORDER[i]];
        memcpy(m, next, sizeof m);
    }
    for (int i = 0; i < 8; i++) chain[i] = s[i] ^ s[i + 8];
}

static void b3_put(uint8_t *out, const uint32_t chain[8]) {
    for (int i = 0; i < 32; i++) out[i] = (uint8_t)(chain[i / 4] >> 8 * (i % 4));
}

/* The chaining value of a text; `root` is B3_ROOT for the whole of it. `first` is the number of its first chunk. */
static void b3_tree(uint32_t chain[8], const uint8_t *text, size_t length, uint64_t first, uint32_t root) {
    memcpy(chain, B3_IV, 32);
    if (length <= B3_CHUNK) {
        size_t at = 0;
        do {
            uint8_t block[B3_BLOCK] = {0};
            size_t here = length - at < B3_BLOCK ? length - at : B3_BLOCK;
            if (here) memcpy(block, text + at, here);
            uint32_t last = at + here == length ? B3_CHUNK_END | root : 0;
            b3_compress(chain, block, (uint32_t)here, first, (at == 0 ? B3_CHUNK_START : 0) | last);
            at += here;
        } while (at < length);
        return;
    }
    /* Left goes the largest power of two of chunks that leaves something to the right. */
    size_t left = B3_CHUNK;
    while (2 * left < length) left *= 2;
    uint32_t child[8];
    uint8_t block[B3_BLOCK];
    b3_tree(child, text, left, first, 0);
    b3_put(block, child);
    b3_tree(child, text + left, length - left, first + left / B3_CHUNK, 0);
    b3_put(block + 32, child);
    b3_compress(chain, block, B3_BLOCK, 0, B3_PARENT | root);
}

/* The digest as 64 hex digits and a zero. */
static void blake3_hex(char out[65], const uint8_t *text, size_t length) {
    uint32_t chain[8];
    uint8_t raw[32];
    b3_tree(chain, text, length, 0, B3_ROOT);
    b3_put(raw, chain);
    for (int i = 0; i < 32; i++) {
        out[2 * i] = "0123456789abcdef"[raw[i] >> 4];
        out[2 * i + 1] = "0123456789abcdef"[raw[i] & 15];
    }
    out[64] = 0;
}
