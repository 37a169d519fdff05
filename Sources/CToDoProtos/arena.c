#include "arena.h"

#include <stdint.h>
#include <stdlib.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TODO_ARENA_POISONS 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define TODO_ARENA_POISONS 1
#endif

// Memory that is kept but not handed out is poisoned, so that the sanitizer sees a use after a reset.
#if defined(TODO_ARENA_POISONS)
#include <sanitizer/asan_interface.h>
#define POISON(start, size) __asan_poison_memory_region((start), (size))
#define UNPOISON(start, size) __asan_unpoison_memory_region((start), (size))
#else
#define POISON(start, size) ((void)(start), (void)(size))
#define UNPOISON(start, size) ((void)(start), (void)(size))
#endif

enum {
  // What malloc gives on the 64-bit systems that this is for.
  ALIGNMENT = 16,
  // What is asked of the system, the chunk's header included.
  FIRST_CHUNK_SIZE = 16 * 1024,
  LARGEST_CHUNK_SIZE = 1024 * 1024,
};

struct todo_arena_chunk {
  struct todo_arena_chunk *previous;
  // The whole of it, this header included.
  size_t size;
};

_Static_assert(sizeof(struct todo_arena_chunk) % ALIGNMENT == 0, "memory behind the header is aligned");

static unsigned char *memory_of(struct todo_arena_chunk *chunk) {
  return (unsigned char *)(chunk + 1);
}

static size_t capacity_of(const struct todo_arena_chunk *chunk) {
  return chunk->size - sizeof(struct todo_arena_chunk);
}

static struct todo_arena_chunk *make_chunk(size_t size) {
  struct todo_arena_chunk *chunk = malloc(size);
  if (chunk == NULL) return NULL;
  chunk->previous = NULL;
  chunk->size = size;
  POISON(memory_of(chunk), capacity_of(chunk));
  return chunk;
}

static void free_chunks(struct todo_arena_chunk *chunk) {
  while (chunk != NULL) {
    struct todo_arena_chunk *previous = chunk->previous;
    UNPOISON(memory_of(chunk), capacity_of(chunk));
    free(chunk);
    chunk = previous;
  }
}

static void start_chunk(todo_arena *arena, struct todo_arena_chunk *chunk) {
  chunk->previous = arena->chunks;
  arena->chunks = chunk;
  arena->next = memory_of(chunk);
  arena->end = arena->next + capacity_of(chunk);
}

// A chunk that a large request has for itself goes behind the current one, so that the current one is not
// given up with room in it. The first of all has none to go behind, and is full from the start.
static void *take_own_chunk(todo_arena *arena, size_t size) {
  if (size > SIZE_MAX - sizeof(struct todo_arena_chunk)) return NULL;
  struct todo_arena_chunk *chunk = make_chunk(sizeof(struct todo_arena_chunk) + size);
  if (chunk == NULL) return NULL;
  if (arena->chunks == NULL) {
    start_chunk(arena, chunk);
    arena->next = arena->end;
  } else {
    chunk->previous = arena->chunks->previous;
    arena->chunks->previous = chunk;
  }
  return memory_of(chunk);
}

static void *take_from_new_chunk(todo_arena *arena, size_t size) {
  struct todo_arena_chunk *chunk = make_chunk(arena->next_chunk_size);
  if (chunk == NULL) return NULL;
  start_chunk(arena, chunk);
  if (arena->next_chunk_size < LARGEST_CHUNK_SIZE) arena->next_chunk_size *= 2;
  void *memory = arena->next;
  arena->next += size;
  return memory;
}

// Starting a chunk gives up what is left of the one before: only for a request that leaves room itself.
// Not inlined, so that what happens nearly always has no registers to save.
__attribute__((noinline)) static void *take_beyond_chunk(todo_arena *arena, size_t size) {
  void *memory = size > arena->next_chunk_size / 2 ? take_own_chunk(arena, size) : take_from_new_chunk(arena, size);
  if (memory == NULL) {
    arena->exhausted = true;
    return NULL;
  }
  arena->used += size;
  return memory;
}

static void *take(todo_arena *arena, size_t size) {
  if (size > (size_t)(arena->end - arena->next)) return take_beyond_chunk(arena, size);
  void *memory = arena->next;
  arena->next += size;
  arena->used += size;
  return memory;
}

void *todo_arena_alloc(todo_arena *arena, size_t size) {
  if (size == 0) size = 1;
  // 0 for a size that cannot be rounded up: 1 less is then as much as any limit leaves, or more.
  size_t rounded = (size + (ALIGNMENT - 1)) & ~(size_t)(ALIGNMENT - 1);
  size_t left = arena->used < arena->limit ? arena->limit - arena->used : 0;
  if (rounded - 1 >= left) {
    arena->exhausted = true;
    return NULL;
  }
  void *memory = take(arena, rounded);
  if (memory != NULL) UNPOISON(memory, size);
  return memory;
}

static void *allocate(void *arena, size_t size) {
  return todo_arena_alloc(arena, size);
}

static void ignore_free(void *arena, void *memory) {
  (void)arena;
  (void)memory;
}

static void start_empty(todo_arena *arena) {
  arena->chunks = NULL;
  arena->next = NULL;
  arena->end = NULL;
  arena->next_chunk_size = FIRST_CHUNK_SIZE;
  arena->used = 0;
  arena->exhausted = false;
}

void todo_arena_init(todo_arena *arena, size_t limit) {
  arena->allocator.alloc = allocate;
  arena->allocator.free = ignore_free;
  arena->allocator.allocator_data = arena;
  arena->limit = limit;
  start_empty(arena);
}

void todo_arena_reset(todo_arena *arena) {
  struct todo_arena_chunk *kept = NULL;
  struct todo_arena_chunk *chunk = arena->chunks;
  while (chunk != NULL) {
    struct todo_arena_chunk *previous = chunk->previous;
    chunk->previous = NULL;
    if (kept == NULL && chunk->size == FIRST_CHUNK_SIZE) {
      kept = chunk;
    } else {
      free_chunks(chunk);
    }
    chunk = previous;
  }
  start_empty(arena);
  if (kept == NULL) return;
  POISON(memory_of(kept), capacity_of(kept));
  start_chunk(arena, kept);
  arena->next_chunk_size = 2 * FIRST_CHUNK_SIZE;
}

void todo_arena_release(todo_arena *arena) {
  free_chunks(arena->chunks);
  start_empty(arena);
}

void todo_arena_set_limit(todo_arena *arena, size_t limit) {
  arena->limit = limit;
}
