#include "cli/steps.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"

static const char blanks[] = " \t\r\n";

/* The end of the text in $tag$ that begins here; if none begins, the position after the sign. */
static const char *
behind_dollars(const char *at)
{
    size_t length = 1 + strspn(at + 1, "abcdefghijklmnopqrstuvwxyz_");
    const char *tag = at;

    if (tag[length++] != '$')
        return at + 1;
    for (at += length; *at != '\0'; at++) {
        if (strncmp(at, tag, length) == 0)
            return at + length;
    }
    return at;
}

/* The end of the text in quotes that begins here.  A doubled quote ends one text and begins another. */
static const char *
behind_quotes(const char *at)
{
    const char *end = strchr(at + 1, *at);

    return end == NULL ? at + strlen(at) : end + 1;
}

/* The position after the semicolon of the statement. */
static const char *
behind_statement(const char *at)
{
    while (*at != '\0' && *at != ';') {
        if (strncmp(at, "--", 2) == 0)
            at += strcspn(at, "\n");
        else if (*at == '\'' || *at == '"')
            at = behind_quotes(at);
        else if (*at == '$')
            at = behind_dollars(at);
        else
            at++;
    }
    return *at == ';' ? at + 1 : at;
}

/* The start of the next statement, after blanks and comments. */
static const char *
behind_comments(const char *at)
{
    at += strspn(at, blanks);
    while (strncmp(at, "--", 2) == 0) {
        at += strcspn(at, "\n");
        at += strspn(at, blanks);
    }
    return at;
}

static bool
begins_with(const char *sql, const char *words)
{
    return strncmp(sql, words, strlen(words)) == 0;
}

static enum step_kind
kind_of(const char *sql)
{
    if (begins_with(sql, "drop view "))
        return STEP_VIEW;
    if (begins_with(sql, "drop function ") || begins_with(sql, "drop procedure "))
        return STEP_FUNCTION;
    if (begins_with(sql, "alter type "))
        return STEP_TYPE;
    return begins_with(sql, "update ") ? STEP_DATA : STEP_TABLE;
}

void
steps_add(struct steps *steps, int file, const char *sql)
{
    for (const char *at = behind_comments(sql); *at != '\0'; at = behind_comments(at)) {
        const char *end = behind_statement(at);
        struct step *step;

        steps->items = must_realloc(steps->items, (steps->count + 1) * sizeof(*steps->items));
        step = &steps->items[steps->count++];
        *step = (struct step){.kind = kind_of(at), .file = file, .sql = must_format("%.*s", (int)(end - at), at)};
        at = end;
    }
}

/* The position after the words, if the text begins with them. */
static const char *
behind_words(const char *at, const char *words)
{
    return begins_with(at, words) ? at + strlen(words) : at;
}

void
steps_function(const struct step *step, struct buf *ret)
{
    const char *at = behind_words(behind_words(step->sql, "drop function "), "drop procedure ");

    at = behind_words(at, "if exists ");
    buf_clear(ret);
    buf_add(ret, at, strcspn(at, ";"));
}

/* The comma or the bracket at the end of the argument that begins here. */
static const char *
behind_argument(const char *at, bool *ret_has_default)
{
    int depth = 0;

    *ret_has_default = false;
    while (*at != '\0' && (depth > 0 || strchr(",)", *at) == NULL)) {
        *ret_has_default = *ret_has_default || begins_with(at, " default ");
        depth += (*at == '(' || *at == '[') - (*at == ')' || *at == ']');
        if (strncmp(at, "--", 2) == 0)
            at += strcspn(at, "\n");
        else if (*at == '\'' || *at == '"')
            at = behind_quotes(at);
        else
            at++;
    }
    return at;
}

/* The smallest and the largest number of arguments of a function with this list of parameters. */
static void
count_arguments(const char *at, int *ret_least, int *ret_most)
{
    *ret_least = 0;
    *ret_most = 0;
    for (at = behind_comments(at + 1); *at != '\0' && *at != ')'; at = behind_comments(at + (*at == ','))) {
        bool is_result = begins_with(at, "out ");
        bool has_default;

        at = behind_argument(at, &has_default);
        *ret_most += !is_result;
        *ret_least += !is_result && !has_default;
    }
}

/* The list of arguments of the function of this name that the statement creates; NULL: it does not. */
static const char *
find_arguments(const char *sql, const char *name, size_t length)
{
    const char *at = behind_words(behind_words(sql, "create or replace function "), "create or replace procedure ");

    return at != sql && strncmp(at, name, length) == 0 && at[length] == '(' ? at + length : NULL;
}

bool
steps_take_calls(const struct steps *code, const char *function, int least, int most)
{
    for (size_t i = 0; i < code->count; i++) {
        const char *arguments = find_arguments(code->items[i].sql, function, strcspn(function, "("));
        int new_least;
        int new_most;

        if (arguments == NULL)
            continue;
        count_arguments(arguments, &new_least, &new_most);
        if (new_least <= most && least <= new_most)
            return true;
    }
    return false;
}

void
steps_release(struct steps *steps)
{
    for (size_t i = 0; i < steps->count; i++)
        free(steps->items[i].sql);
    free(steps->items);
    *steps = (struct steps){0};
}
