// What the C library offers for memory beyond the standard, and Swift's import of it leaves out.
#ifndef C_MEMORY_H
#define C_MEMORY_H

#include <stdint.h>

/// Returns memory that was freed to the system, where the C library can do so.
void give_back_freed_memory(void);

uintptr_t called_thread_number(void);

/// Returns a number that no other running thread has, to choose memory by; without a call where the processor has one.
static inline uintptr_t thread_number(void) {
#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
  return (uintptr_t)__builtin_thread_pointer();
#else
  return called_thread_number();
#endif
}

#endif
