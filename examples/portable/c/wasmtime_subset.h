/* What play_bundle.c uses of wasmtime's C API, for machines that have its library but not its headers: the Python wheel
   brings the library alone. Of wasmtime 50; where <wasmtime.h> is installed, that is used. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct wasm_engine_t wasm_engine_t;
typedef struct wasm_trap_t wasm_trap_t;
typedef struct wasm_memorytype_t wasm_memorytype_t;
typedef struct wasmtime_store wasmtime_store_t;
typedef struct wasmtime_context wasmtime_context_t;
typedef struct wasmtime_module wasmtime_module_t;
typedef struct wasmtime_error wasmtime_error_t;
typedef struct { size_t size; char *data; } wasm_byte_vec_t;
typedef wasm_byte_vec_t wasm_message_t;

typedef struct { uint64_t store_id; void *private_; } wasmtime_func_t;
typedef struct { uint64_t store_id; uint32_t private_1, private_2, private_3; } wasmtime_global_t;
typedef struct { struct { uint64_t store_id; uint32_t private_1; }; uint32_t private_2; } wasmtime_memory_t;
typedef struct { uint64_t store_id; size_t private_; } wasmtime_instance_t;

enum { WASMTIME_EXTERN_FUNC = 0, WASMTIME_EXTERN_GLOBAL = 1, WASMTIME_EXTERN_MEMORY = 3, WASMTIME_I32 = 0 };

typedef struct {
    uint8_t kind;
    union { wasmtime_func_t func; wasmtime_global_t global; wasmtime_memory_t memory; void *other; } of;
} wasmtime_extern_t;

typedef struct {
    uint8_t kind;
    union { int32_t i32; int64_t i64; double f64; struct { uint64_t store_id; uint32_t a, b; void *c; } reference; } of;
} wasmtime_val_t;

wasm_engine_t *wasm_engine_new(void);
void wasm_engine_delete(wasm_engine_t *);
wasmtime_store_t *wasmtime_store_new(wasm_engine_t *, void *data, void (*finalizer)(void *));
void wasmtime_store_delete(wasmtime_store_t *);
wasmtime_context_t *wasmtime_store_context(wasmtime_store_t *);
wasmtime_error_t *wasmtime_module_new(wasm_engine_t *, const uint8_t *, size_t, wasmtime_module_t **);
void wasmtime_module_delete(wasmtime_module_t *);
wasmtime_error_t *wasmtime_memorytype_new(uint64_t min, bool max_present, uint64_t max, bool is_64, bool shared,
                                          uint8_t page_size_log2, wasm_memorytype_t **);
void wasm_memorytype_delete(wasm_memorytype_t *);
wasmtime_error_t *wasmtime_memory_new(wasmtime_context_t *, const wasm_memorytype_t *, wasmtime_memory_t *);
uint8_t *wasmtime_memory_data(const wasmtime_context_t *, const wasmtime_memory_t *);
wasmtime_error_t *wasmtime_instance_new(wasmtime_context_t *, const wasmtime_module_t *, const wasmtime_extern_t *,
                                        size_t, wasmtime_instance_t *, wasm_trap_t **);
bool wasmtime_instance_export_get(wasmtime_context_t *, const wasmtime_instance_t *, const char *, size_t,
                                  wasmtime_extern_t *);
void wasmtime_global_get(wasmtime_context_t *, const wasmtime_global_t *, wasmtime_val_t *);
wasmtime_error_t *wasmtime_func_call(wasmtime_context_t *, const wasmtime_func_t *, const wasmtime_val_t *, size_t,
                                     wasmtime_val_t *, size_t, wasm_trap_t **);
void wasmtime_error_message(const wasmtime_error_t *, wasm_message_t *);
void wasm_trap_message(const wasm_trap_t *, wasm_message_t *);
