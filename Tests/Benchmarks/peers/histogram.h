/* Times in nanoseconds, counted in buckets that are at most 1/128 wide of their values. */
#pragma once

#include <stdint.h>

enum { FRACTION_BITS = 7, BUCKETS = (64 - FRACTION_BITS + 1) << FRACTION_BITS };

struct histogram {
  uint64_t count, buckets[BUCKETS];
};

static inline void record(struct histogram *histogram, uint64_t value) {
  int exponent = 63 - __builtin_clzll(value | 1) - FRACTION_BITS;
  if (exponent < 0) exponent = 0;
  histogram->buckets[((uint64_t)exponent << FRACTION_BITS) + (value >> exponent)]++;
  histogram->count++;
}

/* Returns the least value of the bucket in which a fraction of the values has been counted. */
static inline double percentile(const struct histogram *histogram, double fraction) {
  uint64_t rank = (uint64_t)(fraction * (double)histogram->count), counted = 0;
  for (int bucket = 0; bucket < BUCKETS; bucket++) {
    counted += histogram->buckets[bucket];
    if (counted <= rank) continue;
    int exponent = (bucket >> FRACTION_BITS) - 1;
    if (exponent <= 0) return bucket;
    return (double)((uint64_t)(bucket - (exponent << FRACTION_BITS)) << exponent);
  }
  return 0;
}
