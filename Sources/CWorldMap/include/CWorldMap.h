#ifndef C_WORLD_MAP_H
#define C_WORLD_MAP_H

#include <stddef.h>
#include <stdint.h>

/// Coastlines and borders, read-only in the program itself: a page is read from disk when it is first looked at.
const uint8_t *_Nonnull world_map_bytes(void);
size_t world_map_size(void);

#endif
