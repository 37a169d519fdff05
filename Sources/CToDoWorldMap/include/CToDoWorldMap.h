#ifndef C_WORLD_MAP_H
#define C_WORLD_MAP_H

#include <stddef.h>
#include <stdint.h>

/// Returns the coastlines and borders in the read-only data of the program. The system loads each page on first access.
const uint8_t *_Nonnull world_map_bytes(void);

/// Returns the number of bytes of the map.
size_t world_map_size(void);

#endif
