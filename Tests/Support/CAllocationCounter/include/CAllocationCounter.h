// Counts what the calling thread allocates, for tests that allow no allocation.
#ifndef C_ALLOCATION_COUNTER_H
#define C_ALLOCATION_COUNTER_H

#include <stdint.h>

/// How often the calling thread has allocated or reallocated memory since it began.
uint64_t allocation_count(void);

#endif
