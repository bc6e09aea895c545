#include "db/db_env.h"

#include <stdlib.h>
#include <string.h>

#include "db/db_private.h"

enum { SESSION_ATTRS }; /* index of PGTARGETSESSIONATTRS in the list */

static const struct {
    const char *variable;
    const char *value;
} defaults[] = {
    [SESSION_ATTRS] = {"PGTARGETSESSIONATTRS", DB_WRITABLE},
    {"PGGSSENCMODE", "disable"},
    {"PGCONNECT_TIMEOUT", "10"},
};

unsigned int
db_env_fill(const char *session_attrs)
{
    unsigned int filled = 0;

    for (size_t i = 0; i < LENGTH(defaults); i++) {
        if (getenv(defaults[i].variable) != NULL)
            continue;
        filled |= 1U << i;
        (void)setenv(defaults[i].variable, i == SESSION_ATTRS ? session_attrs : defaults[i].value, 0);
    }
    return filled;
}

void
db_env_restore(unsigned int filled)
{
    for (size_t i = 0; i < LENGTH(defaults); i++) {
        if ((filled & 1U << i) != 0)
            (void)unsetenv(defaults[i].variable);
    }
}

void
db_env_set(const char *conninfo)
{
    PQconninfoOption *options = PQconninfoParse(conninfo, NULL);

    (void)db_env_fill(DB_WRITABLE);
    for (PQconninfoOption *o = options; o != NULL && o->keyword != NULL; o++) {
        if (strcmp(o->keyword, "service") == 0 && o->val != NULL)
            (void)setenv("PGSERVICE", o->val, 1);
    }
    PQconninfoFree(options);
}
