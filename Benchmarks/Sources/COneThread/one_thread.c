#include "one_thread.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

// What Swift's library for tasks lets others hook into.
typedef struct Job Job;
#define SWIFT __attribute__((swiftcall))

typedef SWIFT void (*Enqueue)(Job *);
typedef SWIFT void (*EnqueueAt)(long long, long long, long long, long long, int, Job *);
extern SWIFT void (*swift_task_enqueueGlobal_hook)(Job *, Enqueue);
extern SWIFT void (*swift_task_enqueueGlobalWithDeadline_hook)(
    long long, long long, long long, long long, int, Job *, EnqueueAt);
extern SWIFT void swift_job_run(Job *, void *, uintptr_t);

// A ring of jobs.
static Job *jobs[1 << 16];
static size_t first, end;

static SWIFT void enqueue(Job *job, Enqueue original) {
    if (end - first == sizeof jobs / sizeof *jobs) abort();
    jobs[end++ % (sizeof jobs / sizeof *jobs)] = job;
}

static SWIFT void enqueue_never(
    long long seconds, long long nanoseconds, long long tolerance, long long tolerance_nanoseconds, int clock, Job *job,
    EnqueueAt original) {}

void one_thread_begin(void) {
    swift_task_enqueueGlobal_hook = enqueue;
    swift_task_enqueueGlobalWithDeadline_hook = enqueue_never;
}

void one_thread_run(void) {
    while (first != end) swift_job_run(jobs[first++ % (sizeof jobs / sizeof *jobs)], NULL, 0);
}
