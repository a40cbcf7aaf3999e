// The version of Shunt, and the commit of one build of it.
#ifndef C_VERSION_H
#define C_VERSION_H

/// The version of all programs and libraries.
#define SHUNT_VERSION "0.9.0"

/// Returns the commit that the program was built from, as scripts/build-static names it; empty if it is not known.
const char *_Nonnull shunt_commit(void);

#endif
