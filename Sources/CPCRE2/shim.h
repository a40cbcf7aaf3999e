// The header refuses to be included before a code unit width is chosen.
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
