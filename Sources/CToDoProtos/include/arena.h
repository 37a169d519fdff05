#ifndef TODO_ARENA_H
#define TODO_ARENA_H

#include <stdbool.h>
#include <stddef.h>

#include <protobuf-c/protobuf-c.h>

// Tells Swift what can be NULL; only Clang knows these words.
#if !defined(__clang__)
#define _Nonnull
#define _Nullable
#endif

#if defined(__cplusplus)
extern "C" {
#endif

struct todo_arena_chunk;

/// Memory for one message at a time, with a ceiling.
///
/// Memory is handed out in sequence and given back all at once, so decoding costs a pointer bump a field
/// and freeing a message nothing. `allocator` makes protobuf-c use it:
///
///     todo__v1__item__unpack(&arena.allocator, length, bytes)
///
/// Do not call the generated `free_unpacked` functions on what was decoded into an arena; reset the arena.
///
/// The ceiling is for input that costs more decoded than encoded: reaching it fails the allocation, which
/// protobuf-c answers by returning NULL, as it does for bytes it cannot decode. `exhausted` tells the two
/// apart.
///
/// Threads: one at a time. Address: `allocator` points back at the arena, so the arena must not be moved or
/// copied after `todo_arena_init`.
typedef struct todo_arena {
  /// For protobuf-c. Its `free` does nothing.
  ProtobufCAllocator allocator;
  /// The chunk that memory is taken from, and behind it all others, the most recent first. NULL at first.
  struct todo_arena_chunk *_Nullable chunks;
  /// The next byte to hand out and the end of the current chunk; equal when it is full.
  unsigned char *_Nullable next;
  unsigned char *_Nullable end;
  /// How long the next chunk will be.
  size_t next_chunk_size;
  /// How many bytes can be handed out between two resets.
  size_t limit;
  /// How many bytes have been handed out since the last reset, each request rounded up to a multiple of 16.
  size_t used;
  /// Whether a request has failed since the last reset: it would have passed the limit, or the system had no
  /// memory. Later requests that fit still succeed.
  bool exhausted;
} todo_arena;

/// Prepares an arena that hands out at most `limit` bytes between two resets. Takes no memory until the
/// first request. Call it once, on memory that will not move; `todo_arena_release` undoes it.
void todo_arena_init(todo_arena *_Nonnull arena, size_t limit);

/// Hands out `size` bytes, aligned to 16, not initialised, valid until the arena is reset or released. A
/// size of 0 is taken as 1.
///
/// Returns NULL, and sets `exhausted`, if the limit would be passed or the system has no memory.
void *_Nullable todo_arena_alloc(todo_arena *_Nonnull arena, size_t size);

/// Takes back everything handed out and clears `used` and `exhausted`. Keeps the first chunk, of at most
/// 16 KiB, for the next message and gives the rest back to the system.
void todo_arena_reset(todo_arena *_Nonnull arena);

/// Takes back everything handed out and gives all memory back to the system. The arena can be used on, as
/// after `todo_arena_init` with the same limit.
void todo_arena_release(todo_arena *_Nonnull arena);

/// Changes the limit. Below `used`, no request succeeds until the next reset.
void todo_arena_set_limit(todo_arena *_Nonnull arena, size_t limit);

#if defined(__cplusplus)
}
#endif

#endif
