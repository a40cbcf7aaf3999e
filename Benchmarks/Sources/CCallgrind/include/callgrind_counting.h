#ifndef SHUNT_BENCHMARKS_CALLGRIND_H
#define SHUNT_BENCHMARKS_CALLGRIND_H

/// Begins to count, where the program runs under callgrind with `--instr-atstart=no`; else does nothing.
void callgrind_start(void);

/// Counts no more.
void callgrind_stop(void);

#endif
