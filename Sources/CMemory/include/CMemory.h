// What the C library offers for memory beyond the standard, and Swift's import of it leaves out.
#ifndef C_MEMORY_H
#define C_MEMORY_H

/// Gives memory that was freed back to the system, where the C library can do so.
void give_back_freed_memory(void);

#endif
