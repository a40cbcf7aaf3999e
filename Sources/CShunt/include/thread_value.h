/* A pointer of each thread, for the library itself. */
#ifndef SHUNT_THREAD_VALUE_H
#define SHUNT_THREAD_VALUE_H

/* The pointer of the calling thread; NULL at first. */
void *thread_value(void);

/* Sets the pointer of the calling thread; `release`, the same for all, gets it when the thread ends. Returns false if the
 * system cannot keep it. */
_Bool keep_thread_value(void *value, void (*release)(void *));

#endif
