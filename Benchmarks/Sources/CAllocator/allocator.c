#include "allocator.h"

// Says whether this is glibc.
#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>

size_t allocator_live_bytes(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

void allocator_trim(void) { malloc_trim(0); }
#else
size_t allocator_live_bytes(void) { return 0; }

void allocator_trim(void) {}
#endif
