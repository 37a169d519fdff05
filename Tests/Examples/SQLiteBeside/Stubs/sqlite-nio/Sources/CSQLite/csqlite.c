#include "csqlite.h"

const char *csqlite_name(void) { return "sqlite-nio"; }
