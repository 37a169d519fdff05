#include "CToDoWorldMap.h"

// #embed is part of C23; Clang supports it in every language mode.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t bytes[] = {
#embed "world.bin"
};

const uint8_t *world_map_bytes(void) { return bytes; }

size_t world_map_size(void) { return sizeof bytes; }
