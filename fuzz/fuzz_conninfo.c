/* Connection strings: they are read, or refused by an error that repeats no part of them. */
#include "db/db_private.h"
#include "fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char refusal[] = "the connection string of the database cannot be read";
    struct fuzz_texts split = fuzz_split(data, size, 1);
    struct err err = {0};
    PQconninfoOption *options = db_conninfo_read(split.texts[0], &err);

    fuzz_check(options != NULL || strcmp(err.message, refusal) == 0);
    for (const PQconninfoOption *o = options; o != NULL && o->keyword != NULL; o++)
        fuzz_check(o->val == NULL || strcmp(o->keyword, "port") != 0 || strspn(o->val, "0123456789, ") == strlen(o->val));
    PQconninfoFree(options);
    free(split.all);
    return 0;
}
