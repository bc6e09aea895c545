#include <ctype.h>

#include "base/log.h"
#include "db/db_private.h"

/* Is the text the plain name of a database? */
static bool
is_name(const char *text)
{
    for (const char *c = text; *c != '\0'; c++) {
        if (!isalnum((unsigned char)*c) && strchr("_-.$", *c) == NULL)
            return false;
    }
    return text[0] != '\0';
}

/* A password with special characters that are not encoded becomes part of other settings: "p@ss" of the host, "p/ss" of
 * port and database.  An error message about such a setting would show it. */
static bool
is_sound(const PQconninfoOption *option)
{
    const char *text = option->val;

    if (text == NULL)
        return true;
    if (strcmp(option->keyword, "port") == 0)
        return text[strspn(text, "0123456789, ")] == '\0';
    if (strcmp(option->keyword, "host") == 0 || strcmp(option->keyword, "hostaddr") == 0) {
        for (const char *c = text; *c != '\0'; c++) {
            bool is_first = c == text || c[-1] == ',';

            if (*c == '@' && !is_first)
                return false;
        }
    }
    return strcmp(option->keyword, "dbname") != 0 || strchr(text, '@') == NULL;
}

static PQconninfoOption *
refuse(PQconninfoOption *options, struct err *err)
{
    PQconninfoFree(options);
    (void)err_set(err, ERR_REFUSED, "22023", "the connection string of the database cannot be read");
    (void)err_hint(err, "In a URI, write special characters of the password as %%40 (@), %%2F (/), %%3A (:), %%23 (#), %%3F (?);"
                        " or keep it in a file (PGPASSFILE, PGSERVICEFILE).");
    return NULL;
}

PQconninfoOption *
db_conninfo_read(const char *conninfo, struct err *err)
{
    char *named = is_name(conninfo) ? must_format("dbname=%s", conninfo) : NULL;
    PQconninfoOption *options = conninfo[0] == '\0' ? PQconndefaults() : PQconninfoParse(named == NULL ? conninfo : named, NULL);

    free(named);
    for (const PQconninfoOption *o = options; o != NULL && o->keyword != NULL; o++) {
        if (!is_sound(o))
            return refuse(options, err);
        if (o->val != NULL && strcmp(o->keyword, "password") == 0)
            log_hide(o->val);
    }
    return options == NULL ? refuse(NULL, err) : options;
}
