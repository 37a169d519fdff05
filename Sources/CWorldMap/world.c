#include "CWorldMap.h"

// A part of C23 that the compiler knows in every mode.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t bytes[] = {
#embed "world.bin"
};

const uint8_t *world_map_bytes(void) { return bytes; }

size_t world_map_size(void) { return sizeof bytes; }
