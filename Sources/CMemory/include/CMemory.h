// What the C library offers for memory beyond the standard, and Swift's import of it leaves out.
#ifndef C_MEMORY_H
#define C_MEMORY_H

/// Returns memory that was freed to the system, where the C library can do so.
void give_back_freed_memory(void);

#endif
