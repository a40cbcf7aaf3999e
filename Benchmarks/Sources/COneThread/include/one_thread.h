#ifndef SHUNT_BENCHMARKS_ONE_THREAD_H
#define SHUNT_BENCHMARKS_ONE_THREAD_H

/// From now on tasks wait for `one_thread_run`, and nothing that sleeps wakes up.
///
/// So that what tasks cost can be counted: threads come and go as they like, and valgrind does not bear those of Swift.
void one_thread_begin(void);

/// Runs all tasks in this thread until none is left that could go on.
void one_thread_run(void);

#endif
