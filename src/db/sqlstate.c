#include "db/sqlstate.h"

#include <string.h>

#include "base/attr.h"

bool
sqlstate_is_passing(const char *code)
{
    return strcmp(code, "40001") == 0 || strcmp(code, "40P01") == 0 || strcmp(code, "55P03") == 0;
}

bool
sqlstate_is_servers_fault(const char *code, bool is_at_commit)
{
    static const char *const prefixes[] = {"53", "58", "XX", "57P", "F0", "42", "25", "0A"};
    size_t count = is_at_commit ? LENGTH(prefixes) - 3 : LENGTH(prefixes);

    for (size_t i = 0; i < count; i++) {
        if (strncmp(code, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    }
    return false;
}
