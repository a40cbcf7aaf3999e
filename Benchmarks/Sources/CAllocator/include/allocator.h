#ifndef SHUNT_BENCHMARKS_ALLOCATOR_H
#define SHUNT_BENCHMARKS_ALLOCATOR_H

#include <stddef.h>

/// The bytes that are allocated and not freed; 0 where the C library cannot tell.
size_t allocator_live_bytes(void);

/// Gives freed memory back to the system.
void allocator_trim(void);

#endif
