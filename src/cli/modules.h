/*
 * Modules of the schema that may be left out (--without), because an application has objects of the same names.  In the texts
 * of the bundle, a module is the text between the lines "-- module: NAME" and "-- end of module".
 */
#ifndef CLI_MODULES_H
#define CLI_MODULES_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"

/* Parts of the schema that an installation may leave out. */
enum module { MODULE_COMMS, MODULE_FILES, MODULE_COUNT };

/* Modules that an installation leaves out. */
struct modules {
    bool is_left_out[MODULE_COUNT];
};

/* Names and marks of the modules. */
extern const char *const module_names[MODULE_COUNT];
extern const char *const module_tables[MODULE_COUNT]; /* a table that exists if the module is installed */

/* Adds the modules of a list such as "comms,files" to those left out; NULL or "" adds none.  False: a name is
 * unknown, as `err` says. */
NODISCARD bool modules_leave_out(struct modules *modules, const char *list, struct err *err);

/* Add a text of the bundle without the modules that are left out; add the names of these modules, as in "comms,files". */
void modules_add_sql(const struct modules *modules, struct buf *script, const char *sql);
void modules_add_names(const struct modules *modules, struct buf *script);

#endif
