/* Plays the battle of a bundle with the rules as WebAssembly, and prints how it ended and its digest.

       play_bundle squads.wasm squads.json battle.fracas.json

   The digest is the one that `fracas verify` prints. The exit status is 0 if it is also the one in the bundle, 1 if it
   is another, 2 if something cannot be read. README.md beside this file says how to build it. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#if __has_include(<wasmtime.h>)
#include <wasmtime.h>
#else
#include "wasmtime_subset.h"
#endif
#include "blake3.h"

static void fail(const char *format, ...) {
    va_list values;
    va_start(values, format);
    fputs("error: ", stderr);
    vfprintf(stderr, format, values);
    fputc('\n', stderr);
    va_end(values);
    exit(2);
}

/* ---- Files and JSON ---- */

enum { LARGEST_FILE = 32 * 1024 * 1024, DEEPEST = 64 };

static uint8_t *read_file(const char *name, size_t *length) {
    FILE *file = fopen(name, "rb");
    if (!file) fail("%s: there is no such file", name);
    uint8_t *text = malloc(LARGEST_FILE + 1);
    if (!text) fail("%s: there is not enough memory to read it", name);
    *length = fread(text, 1, LARGEST_FILE, file);
    if (!feof(file) && fgetc(file) != EOF) fail("%s: is longer than %d bytes", name, LARGEST_FILE);
    fclose(file);
    text[*length] = 0;
    return text;
}

static const char *skip_space(const char *at) { return at + strspn(at, " \t\r\n"); }

/* Past the value that begins here. */
static const char *skip_value(const char *at, int depth) {
    at = skip_space(at);
    if (depth > DEEPEST) fail("the JSON is nested more than %d deep", DEEPEST);
    if (*at == '"') {
        for (at++; *at && *at != '"'; at++)
            if (*at == '\\' && at[1]) at++;
        if (!*at) fail("the JSON ends in the middle of a text");
        return at + 1;
    }
    if (*at == '{' || *at == '[') {
        char end = *at == '{' ? '}' : ']';
        at = skip_space(at + 1);
        while (*at && *at != end) {
            at = skip_space(skip_value(at, depth + 1));
            if (*at == ':' || *at == ',') at = skip_space(at + 1);
        }
        if (!*at) fail("the JSON ends in the middle of a table or a list");
        return at + 1;
    }
    size_t length = strcspn(at, ",:]} \t\r\n");
    if (!length) fail("this is no JSON");
    return at + length;
}

/* The value of a key of the object that begins here; NULL if it has none. Keys of ours need no escapes. */
static const char *member(const char *at, const char *key) {
    at = skip_space(at);
    if (*at != '{') fail("the JSON has no table where \"%s\" should be", key);
    at = skip_space(at + 1);
    while (*at == '"') {
        const char *name = at + 1, *end = skip_value(at, 0), *value = skip_space(end);
        if (*value != ':') fail("this is no JSON");
        value = skip_space(value + 1);
        if ((size_t)(end - 1 - name) == strlen(key) && !strncmp(name, key, strlen(key))) return value;
        at = skip_space(skip_value(value, 0));
        if (*at == ',') at = skip_space(at + 1);
    }
    return NULL;
}

static const char *needed(const char *at, const char *key) {
    const char *value = member(at, key);
    if (!value) fail("there is no \"%s\": a part of the file is missing", key);
    return value;
}

/* The JSON of a file: one value, and nothing after it. */
static const char *read_json(const char *name) {
    size_t length;
    const char *text = (const char *)read_file(name, &length), *end = skip_space(skip_value(text, 0));
    if (end != text + length) fail("%s: something follows the JSON", name);
    return text;
}

/* Entry number `place` of the list that begins here. */
static const char *item(const char *at, long place) {
    at = skip_space(at);
    if (*at != '[') fail("the JSON has no list where one should be");
    at = skip_space(at + 1);
    for (; place > 0 && *at && *at != ']'; place--) {
        at = skip_space(skip_value(at, 0));
        if (*at == ',') at = skip_space(at + 1);
    }
    return *at && *at != ']' ? at : NULL;
}

/* A text without its quotes; names, digests and base64 hold no escapes. */
static char *text_of(const char *at) {
    if (*at != '"') fail("the JSON has no text where one should be");
    size_t length = (size_t)(skip_value(at, 0) - at) - 2;
    char *copy = malloc(length + 1);
    if (!copy) fail("there is not enough memory");
    memcpy(copy, at + 1, length);
    copy[length] = 0;
    return copy;
}

static long number_of(const char *at) { return strtol(at, NULL, 10); }

/* Where a field of a result is. */
static long result_offset(const char *layout, const char *name) {
    const char *fields = needed(needed(layout, "result"), "fields"), *field;
    for (long place = 0; (field = item(fields, place)); place++) {
        char *found = text_of(needed(field, "name"));
        int same = !strcmp(found, name);
        free(found);
        if (same) return number_of(needed(field, "offset"));
    }
    fail("a result has no \"%s\"", name);
    return 0;
}

/* ---- The record ---- */

static size_t from_base64(uint8_t *out, const char *text) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t length = 0;
    uint32_t bits = 0;
    int held = 0;
    for (; *text && *text != '='; text++) {
        const char *found = strchr(letters, *text);
        if (!found) fail("the record is not sound base64: the bundle is damaged");
        bits = bits << 6 | (uint32_t)(found - letters);
        held += 6;
        if (held >= 8) out[length++] = (uint8_t)(bits >> (held -= 8));
    }
    return length;
}

/* The record, of exactly `size` bytes: no more are unpacked, whatever the text claims to hold. */
static uint8_t *unpacked(const char *text, size_t size) {
    uint8_t *packed = malloc(strlen(text) + 1), *record = malloc(size + 1);
    if (!packed || !record) fail("there is not enough memory");
    z_stream stream = {.next_in = packed, .avail_in = (uInt)from_base64(packed, text)};
    stream.next_out = record;
    stream.avail_out = (uInt)(size + 1);
    if (inflateInit(&stream) != Z_OK || inflate(&stream, Z_FINISH) != Z_STREAM_END || stream.total_out != size)
        fail("the record is damaged or was edited");
    inflateEnd(&stream);
    free(packed);
    return record;
}

/* ---- WebAssembly ---- */

static void check(const char *what, wasmtime_error_t *error, wasm_trap_t *trap) {
    wasm_message_t message;
    if (!error && !trap) return;
    if (error) wasmtime_error_message(error, &message);
    else wasm_trap_message(trap, &message);
    fail("%s: %.*s", what, (int)message.size, message.data);
}

static wasmtime_extern_t export_of(wasmtime_context_t *context, wasmtime_instance_t *instance, const char *name) {
    wasmtime_extern_t found;
    if (!wasmtime_instance_export_get(context, instance, name, strlen(name), &found))
        fail("the module has no \"%s\": it is none of Fracas", name);
    return found;
}

static size_t aligned(size_t size) { return (size + 63) & ~(size_t)63; }

int main(int count, char **words) {
    if (count != 4) fail("play_bundle MODULE LAYOUT BUNDLE");
    size_t module_size;
    uint8_t *wasm = read_file(words[1], &module_size);
    const char *layout = read_json(words[2]), *bundle = read_json(words[3]);

    if (strcmp(text_of(needed(bundle, "format")), "fracas-bundle")) fail("%s: is not a Fracas bundle", words[3]);
    if (strcmp(text_of(needed(bundle, "layout_key")), text_of(needed(layout, "layout_key"))))
        fail("%s: was made by another version of the rules, or for another ruleset", words[3]);
    size_t record_size = (size_t)number_of(needed(needed(layout, "record"), "size"));
    size_t result_size = (size_t)number_of(needed(needed(layout, "result"), "size"));
    const char *log = needed(layout, "log");
    size_t log_size = (size_t)number_of(needed(log, "size"));
    uint8_t *record = unpacked(text_of(needed(bundle, "record")), record_size);
    char digest[65];
    blake3_hex(digest, record, record_size);
    if (strcmp(digest, text_of(needed(bundle, "record_digest")))) fail("%s: the record was edited", words[3]);

    /* The host owns the memory: room for the module's own stack first, then record, result and log. */
    size_t own_room = 1 << 20;
    uint64_t pages = (own_room + aligned(record_size) + aligned(result_size) + log_size) / 65536 + 1;
    wasm_engine_t *engine = wasm_engine_new();
    wasmtime_store_t *store = wasmtime_store_new(engine, NULL, NULL);
    wasmtime_context_t *context = wasmtime_store_context(store);
    wasmtime_module_t *module;
    check(words[1], wasmtime_module_new(engine, wasm, module_size, &module), NULL);
    wasm_memorytype_t *type;
    check("memory", wasmtime_memorytype_new(pages, true, pages, false, false, 16, &type), NULL);
    wasmtime_extern_t memory = {.kind = WASMTIME_EXTERN_MEMORY};
    check("memory", wasmtime_memory_new(context, type, &memory.of.memory), NULL);
    wasmtime_instance_t instance;
    wasm_trap_t *trap = NULL;
    wasmtime_error_t *error = wasmtime_instance_new(context, module, &memory, 1, &instance, &trap);
    check(words[1], error, trap);

    wasmtime_extern_t heap = export_of(context, &instance, "__heap_base");
    wasmtime_val_t base;
    wasmtime_global_get(context, &heap.of.global, &base);
    size_t record_at = aligned((size_t)base.of.i32);
    size_t result_at = record_at + aligned(record_size);
    size_t log_at = result_at + aligned(result_size);
    if (record_at > own_room) fail("the module keeps more memory for itself than expected");
    uint8_t *bytes = wasmtime_memory_data(context, &memory.of.memory);
    memcpy(bytes + record_at, record, record_size);

    /* play(record, low half of the stream, its high half, result, log) */
    uint64_t stream = strtoull(text_of(needed(bundle, "stream")), NULL, 10);
    int32_t values[5] = {(int32_t)record_at, (int32_t)stream, (int32_t)(stream >> 32), (int32_t)result_at,
                         (int32_t)log_at};
    wasmtime_val_t arguments[5], status;
    for (int i = 0; i < 5; i++) arguments[i] = (wasmtime_val_t){.kind = WASMTIME_I32, .of.i32 = values[i]};
    wasmtime_extern_t play = export_of(context, &instance, "play");
    error = wasmtime_func_call(context, &play.of.func, arguments, 5, &status, 1, &trap);
    check("the battle", error, trap);
    if (status.of.i32) fail("the module answered %d", status.of.i32);

    int64_t winner, reason, rounds, fault, rows;
    memcpy(&winner, bytes + result_at + result_offset(layout, "winner"), 8);
    memcpy(&reason, bytes + result_at + result_offset(layout, "reason"), 8);
    memcpy(&rounds, bytes + result_at + result_offset(layout, "rounds"), 8);
    memcpy(&fault, bytes + result_at + result_offset(layout, "fault"), 8);
    memcpy(&rows, bytes + log_at + number_of(needed(log, "count")), 8);
    if (fault || rows < 0 || rows > number_of(needed(log, "capacity"))) fail("the battle ran into a limit");
    blake3_hex(digest, bytes + log_at + number_of(needed(log, "rows")), (size_t)rows * 32);

    const char *ending = item(needed(layout, "reasons"), (long)reason);
    printf("winner %lld\nreason %s\nrounds %lld\nevents %lld\ndigest %s\n", (long long)winner,
           ending ? text_of(ending) : "unknown", (long long)rounds, (long long)rows, digest);
    int same = !strcmp(digest, text_of(needed(bundle, "digest")));
    puts(same ? "verified" : "DIFFERS from the digest in the bundle");
    return same ? 0 : 1;
}
