#include "shunt.h"
#include "thread_value.h"

#include <CVersion.h>
#include <pthread.h>

uint32_t shunt_interface(void) { return SHUNT_INTERFACE; }

const char *shunt_version(void) { return SHUNT_VERSION; }

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static bool has_key;
static void (*release_value)(void *);
static __thread void *value_here;

static void end(void *value) {
    value_here = NULL;
    release_value(value);
}

static void make_key(void) { has_key = pthread_key_create(&key, end) == 0; }

void *thread_value(void) { return value_here; }

bool keep_thread_value(void *value, void (*release)(void *)) {
    release_value = release;
    pthread_once(&once, make_key);
    if (!has_key || pthread_setspecific(key, value) != 0) return false;
    value_here = value;
    return true;
}
