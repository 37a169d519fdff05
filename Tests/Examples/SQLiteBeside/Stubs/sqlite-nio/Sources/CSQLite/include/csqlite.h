// The name of the library that this stub stands for.
const char *csqlite_name(void);
