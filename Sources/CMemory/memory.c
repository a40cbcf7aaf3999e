#include "CMemory.h"

#include <pthread.h>
#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

void give_back_freed_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

uintptr_t called_thread_number(void) { return (uintptr_t)pthread_self(); }
