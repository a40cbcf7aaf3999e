// Counts what the calling thread allocates.
#ifndef C_ALLOCATION_COUNTER_H
#define C_ALLOCATION_COUNTER_H

#include <stdint.h>

/// How often the calling thread has allocated or reallocated memory since it began.
uint64_t allocation_count(void);

/// The bytes that the calling thread has asked for in all since it began, whether or not they were freed.
uint64_t requested_bytes(void);

/// The bytes that the program has allocated and not freed; 0 where that is not known.
uint64_t allocated_bytes(void);

#endif
