// What Swift cannot call of SQLite: a function with variable arguments.
#ifndef VESTIBULE_CSQLITE_SHIM_H
#define VESTIBULE_CSQLITE_SHIM_H

// Declared here and not by sqlite3.h, which another module imports already.
extern int sqlite3_config(int option, ...);

// SQLITE_CONFIG_MEMSTATUS (https://sqlite.org/c3ref/c_config_covering_index_scan.html). It fails once SQLite was used.
static inline int vestibule_sqlite_count_memory(int is_counted) { return sqlite3_config(9, is_counted); }

#endif
