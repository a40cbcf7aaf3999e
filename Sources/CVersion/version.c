#include "CVersion.h"

#ifndef SHUNT_COMMIT
#define SHUNT_COMMIT ""
#endif

const char *shunt_commit(void) { return SHUNT_COMMIT; }
