/* Rows of the server: their form, arrays, hints.  Fields are separated by NUL, the first text is the form. */
#include <jansson.h>

#include "db/db_private.h"
#include "db/statements.h"
#include "fuzz.h"
#include "task/hints.h"

enum { COLUMNS = 12 };

static void
read_hints(const char *const *texts)
{
    struct hints hints = {0};
    struct buf json;
    json_t *object;

    buf_init(&json, BOUND_HINTS_BYTES);
    for (int i = 0; i + 3 < COLUMNS; i++)
        hints_remember(&hints, texts[i], texts[i + 1], texts[i + 2], (int64_t)strlen(texts[i + 3]));
    (void)hints_find(&hints, texts[0], texts[1]);
    hints_write(&hints, strlen(texts[0]) % 2 == 0, 1.5, &json);
    object = json_loads(json.text, 0, NULL);
    fuzz_check(json_is_object(object));
    json_decref(object);
    buf_release(&json);
    hints_release(&hints);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_texts split = fuzz_split(data, size, COLUMNS + 1);
    PGresAttDesc columns[COLUMNS] = {0};
    struct db_result result = {.pg = PQmakeEmptyPGresult(NULL, PGRES_TUPLES_OK)};
    char name[] = "c";

    for (int i = 0; i < COLUMNS; i++)
        columns[i].name = name;
    fuzz_check(PQsetResultAttrs(result.pg, COLUMNS, columns) == 1);
    for (int i = 0; i < COLUMNS; i++) {
        const char *text = split.texts[i + 1];

        fuzz_check(PQsetvalue(result.pg, 0, i, (char *)(uintptr_t)text, text[0] == '\0' ? -1 : (int)strlen(text)) == 1);
    }
    if (db_result_has_form(&result, split.texts[0]) && strlen(split.texts[0]) >= COLUMNS) {
        for (int i = 0; i < COLUMNS; i++)
            fuzz_check(split.texts[0][i + (split.texts[0][0] == '1')] != 't' || db_result_text(&result, 0, i) != NULL);
    }
    for (int i = 0; i < STATEMENT_COUNT; i++) {
        if (statement_forms[i] != NULL)
            (void)db_result_has_form(&result, statement_forms[i]);
    }
    for (int i = -1; i <= COLUMNS; i++) {
        const char *array = i < 0 ? "" : db_result_text(&result, 0, i);
        int64_t number;

        (void)db_result_i64(&result, 0, i, 0);
        (void)db_result_number(&result, 0, i);
        (void)db_result_is_true(&result, 0, i);
        (void)db_result_shown(&result, 1, i);
        while (db_array_next(&array, &number))
            continue;
    }
    read_hints(split.texts + 1);
    PQclear(result.pg);
    free(split.all);
    return 0;
}
