#include "db/db_result.h"

#include <ctype.h>
#include <math.h>

#include "base/parse.h"
#include "db/db_private.h"

int
db_result_rows(const struct db_result *result)
{
    return PQntuples(result->pg);
}

int
db_result_columns(const struct db_result *result)
{
    return PQnfields(result->pg);
}

const char *
db_result_name(const struct db_result *result, int column)
{
    return PQfname(result->pg, column);
}

/* Numbers of types in the catalog of every server. */
enum {
    TYPE_BOOL = 16,
    TYPE_INT8 = 20,
    TYPE_INT2 = 21,
    TYPE_INT4 = 23,
    TYPE_FLOAT4 = 700,
    TYPE_FLOAT8 = 701,
    TYPE_TIMESTAMPTZ = 1184,
    TYPE_INTERVAL = 1186,
    TYPE_NUMERIC = 1700
};

bool
db_result_is_time(const struct db_result *result, int column)
{
    return PQftype(result->pg, column) == TYPE_TIMESTAMPTZ;
}

bool
db_result_is_text(const struct db_result *result, int column)
{
    switch (PQftype(result->pg, column)) {
    case TYPE_BOOL:
    case TYPE_INT8:
    case TYPE_INT2:
    case TYPE_INT4:
    case TYPE_FLOAT4:
    case TYPE_FLOAT8:
    case TYPE_TIMESTAMPTZ:
    case TYPE_INTERVAL:
    case TYPE_NUMERIC:
        return false;
    default:
        return true;
    }
}

const char *
db_result_text(const struct db_result *result, int row, int column)
{
    if (PQgetisnull(result->pg, row, column))
        return NULL;
    return PQgetvalue(result->pg, row, column);
}

const char *
db_result_shown(const struct db_result *result, int row, int column)
{
    const char *text = db_result_text(result, row, column);

    return text == NULL ? "" : text;
}

int64_t
db_result_i64(const struct db_result *result, int row, int column, int64_t otherwise)
{
    const char *text = db_result_text(result, row, column);
    int64_t value;

    if (text == NULL || !parse_int(text, INT64_MIN, INT64_MAX, &value, NULL))
        return otherwise;
    return value;
}

double
db_result_number(const struct db_result *result, int row, int column)
{
    const char *text = row < db_result_rows(result) ? db_result_text(result, row, column) : NULL;

    return text == NULL ? 0 : strtod(text, NULL);
}

bool
db_array_next(const char **text, int64_t *ret_number)
{
    char *end;

    if (*text == NULL)
        return false;
    if (**text == '{' || **text == ',')
        (*text)++;
    *ret_number = strtoll(*text, &end, 10);
    if (end == *text)
        return false;
    *text = end;
    return true;
}

static bool
is_number(const char *text)
{
    char *end = NULL;
    double value = strtod(text, &end);

    return end != text && *end == '\0' && isfinite(value);
}

static bool
is_array(const char *text)
{
    const char *at = text;
    int64_t number;

    while (db_array_next(&at, &number))
        continue;
    return text[0] == '{' && (strcmp(at, "}") == 0 || strcmp(at, "{}") == 0);
}

static bool
has_letter(const char *text, char letter)
{
    int64_t number;

    if (text == NULL)
        return isupper((unsigned char)letter);
    switch (tolower((unsigned char)letter)) {
    case 'i':
        return parse_int(text, INT64_MIN, INT64_MAX, &number, NULL);
    case 'n':
        return is_number(text);
    case 'b':
        return strcmp(text, "t") == 0 || strcmp(text, "f") == 0;
    case 'a':
        return is_array(text);
    default:
        return true;
    }
}

bool
db_result_has_form(const struct db_result *result, const char *form)
{
    int rows = db_result_rows(result);

    if (form[0] == '1' && rows != 1)
        return false;
    form += form[0] == '1';
    if (db_result_columns(result) != (int)strlen(form))
        return false;
    for (int row = 0; row < rows; row++) {
        for (int column = 0; form[column] != '\0'; column++) {
            if (!has_letter(db_result_text(result, row, column), form[column]))
                return false;
        }
    }
    return true;
}

bool
db_result_is_true(const struct db_result *result, int row, int column)
{
    const char *text = db_result_text(result, row, column);

    return text != NULL && strcmp(text, "t") == 0;
}

/* libpq ends its messages with a newline; ours have none. */
static void
strip(char *text)
{
    size_t length = strlen(text);

    while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == ' '))
        text[--length] = '\0';
}

bool
db_err_from_result(const PGresult *result, struct err *err)
{
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    const char *primary = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    const char *detail = PQresultErrorField(result, PG_DIAG_MESSAGE_DETAIL);
    const char *hint = PQresultErrorField(result, PG_DIAG_MESSAGE_HINT);
    bool is_gone = state == NULL || strncmp(state, "08", 2) == 0 || strncmp(state, "57P", 3) == 0;

    (void)err_set(err, is_gone ? ERR_RETRY : ERR_REFUSED, state, "%s%s%s",
        primary == NULL ? PQresultErrorMessage(result) : primary, detail == NULL ? "" : ": ", detail == NULL ? "" : detail);
    if (err != NULL)
        strip(err->message);
    if (hint != NULL)
        (void)err_hint(err, "%s", hint);
    return false;
}

bool
db_err_from_conn(PGconn *conn, struct err *err)
{
    const char *text = conn == NULL ? "out of memory" : PQerrorMessage(conn);

    (void)err_set(err, ERR_RETRY, "08006", "%s", text[0] == '\0' ? "connection lost" : text);
    if (err != NULL) {
        strip(err->message);
        for (char *c = err->message; *c != '\0'; c++) {
            if (*c == '\n' || *c == '\t')
                *c = ' ';
        }
    }
    return false;
}
