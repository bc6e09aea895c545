#include "cli/sql_name.h"

#include <stdio.h>
#include <string.h>

/* Keywords of PostgreSQL 13 to 18 that are no plain identifiers, sorted.  A test compares them with pg_get_keywords. */
static const char keywords[] =
    " all analyse analyze and any array as asc asymmetric authorization between bigint binary bit boolean both case cast char"
    " character check coalesce collate collation column concurrently constraint create cross current_catalog current_date"
    " current_role current_schema current_time current_timestamp current_user dec decimal default deferrable desc distinct do"
    " else end except exists extract false fetch float for foreign freeze from full grant greatest group grouping having ilike"
    " in initially inner inout int integer intersect interval into is isnull join json json_array json_arrayagg json_exists"
    " json_object json_objectagg json_query json_scalar json_serialize json_table json_value lateral leading least left like"
    " limit localtime localtimestamp merge_action national natural nchar none normalize not notnull null nullif numeric offset"
    " on only or order out outer overlaps overlay placing position precision primary real references returning right row"
    " select session_user setof similar smallint some substring symmetric system_user table tablesample then time timestamp to"
    " trailing treat trim true union unique user using values varchar variadic verbose when where window with xmlattributes"
    " xmlconcat xmlelement xmlexists xmlforest xmlnamespaces xmlparse xmlpi xmlroot xmlserialize xmltable ";

static const char *const taken_schemas[] = {
    "queues", "internal", "worker", "pgqueue", "comms", "files", "vault", "information_schema"};

static bool
is_plain(const char *text)
{
    return text[0] >= 'a' && text[0] <= 'z' && text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_")] == '\0';
}

static bool
is_keyword(const char *text)
{
    char word[SQL_NAME_BYTES + 3];

    (void)snprintf(word, sizeof(word), " %s ", text);
    return strstr(keywords, word) != NULL;
}

bool
sql_name_check(const char *what, const char *text, enum sql_name_kind kind, struct err *err)
{
    if (strlen(text) > SQL_NAME_BYTES)
        return err_set(err, ERR_LIMIT, "usage", "%s \"%.80s\" is longer than %d characters", what, text, SQL_NAME_BYTES);
    if (kind == SQL_NAME_NEW && !is_plain(text))
        return err_set(err, ERR_REFUSED, "usage", "%s \"%s\" is not made of a-z, 0-9 and _, with a letter first", what, text);
    if (text[0] == '\0' || text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$-")] != '\0')
        return err_set(err, ERR_REFUSED, "usage", "%s \"%s\" is not made of letters, digits, _, $ and -", what, text);
    return true;
}

bool
sql_name_read(const char *text, enum sql_name_kind kind, int affix, struct sql_name *ret_name, struct err *err)
{
    const char *dot = strchr(text, '.');
    size_t length = dot == NULL ? 0 : (size_t)(dot - text);

    if (dot == NULL || length > SQL_NAME_BYTES || strlen(dot + 1) > SQL_NAME_BYTES || strchr(dot + 1, '.') != NULL) {
        (void)err_set(err, ERR_REFUSED, "usage", "\"%.150s\" is no name with a schema", text);
        return err_hint(err, "write SCHEMA.NAME, such as billing.reminder");
    }
    (void)snprintf(ret_name->schema, sizeof(ret_name->schema), "%.*s", (int)length, text);
    (void)snprintf(ret_name->name, sizeof(ret_name->name), "%s", dot + 1);
    if (!sql_name_check("schema", ret_name->schema, kind, err) || !sql_name_check("name", ret_name->name, kind, err))
        return false;
    if (strlen(ret_name->name) + (size_t)affix > SQL_NAME_BYTES) {
        (void)err_set(
            err, ERR_LIMIT, "usage", "name \"%s\" is longer than %d characters", ret_name->name, SQL_NAME_BYTES - affix);
        return err_hint(
            err, "the names of functions and tables are made from it, and PostgreSQL cuts names after %d", SQL_NAME_BYTES);
    }
    if (kind == SQL_NAME_EXISTING)
        return true;
    for (size_t i = 0; i < LENGTH(taken_schemas); i++) {
        if (strcmp(ret_name->schema, taken_schemas[i]) == 0 || strncmp(ret_name->schema, "pg_", 3) == 0) {
            (void)err_set(err, ERR_REFUSED, "usage", "schema \"%s\" belongs to PostgreSQL or to Reeve", ret_name->schema);
            return err_hint(err, "use a schema of your own");
        }
    }
    return true;
}

struct sql_quoted
sql_name_quote(const char *identifier)
{
    struct sql_quoted quoted;
    const char *mark = is_plain(identifier) && !is_keyword(identifier) ? "" : "\"";

    (void)snprintf(quoted.text, sizeof(quoted.text), "%s%.*s%s", mark, SQL_NAME_BYTES, identifier, mark);
    return quoted;
}
