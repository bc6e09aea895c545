#include "cli/modules.h"

#include <string.h>

static const char begin_mark[] = "-- module: ";
static const char end_mark[] = "-- end of module\n";

const char *const module_names[MODULE_COUNT] = {[MODULE_COMMS] = "comms", [MODULE_FILES] = "files"};
const char *const module_tables[MODULE_COUNT] = {[MODULE_COMMS] = "comms.message", [MODULE_FILES] = "files.file"};

/* The module of this name; MODULE_COUNT: there is none. */
static enum module
find_module(const char *name, size_t length)
{
    for (int i = 0; i < MODULE_COUNT; i++) {
        if (strncmp(module_names[i], name, length) == 0 && module_names[i][length] == '\0')
            return (enum module)i;
    }
    return MODULE_COUNT;
}

bool
modules_leave_out(struct modules *modules, const char *list, struct err *err)
{
    while (list != NULL && *list != '\0') {
        size_t length = strcspn(list, ",");
        enum module module = find_module(list, length);

        if (module == MODULE_COUNT) {
            (void)err_set(err, ERR_REFUSED, "usage", "unknown module \"%.*s\"", (int)length, list);
            return err_hint(err, "Modules are comms and files.");
        }
        modules->is_left_out[module] = true;
        list += length;
        list += *list == ',';
    }
    return true;
}

void
modules_add_sql(const struct modules *modules, struct buf *script, const char *sql)
{
    bool is_skipped = false;

    while (*sql != '\0') {
        size_t length = strcspn(sql, "\n");

        length += sql[length] == '\n';
        if (strncmp(sql, begin_mark, strlen(begin_mark)) == 0) {
            const char *name = sql + strlen(begin_mark);
            enum module module = find_module(name, strcspn(name, "\n"));

            is_skipped = module != MODULE_COUNT && modules->is_left_out[module];
        }
        if (!is_skipped)
            buf_add(script, sql, length);
        else if (strncmp(sql, end_mark, strlen(end_mark)) == 0)
            is_skipped = false;
        sql += length;
    }
}

void
modules_add_names(const struct modules *modules, struct buf *script)
{
    const char *comma = "";

    for (int i = 0; i < MODULE_COUNT; i++) {
        if (!modules->is_left_out[i])
            continue;
        buf_printf(script, "%s%s", comma, module_names[i]);
        comma = ",";
    }
}
