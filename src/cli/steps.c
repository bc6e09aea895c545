#include "cli/steps.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"

static const char blanks[] = " \t\r\n";

/* Behind the text in $tag$ that begins here; behind the sign, if none does. */
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

/* Behind the text in quotes that begins here.  A doubled quote is the end of one and the begin of another. */
static const char *
behind_quotes(const char *at)
{
    const char *end = strchr(at + 1, *at);

    return end == NULL ? at + strlen(at) : end + 1;
}

/* Behind the semicolon of the statement. */
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

/* Where the next statement begins, behind blanks and comments. */
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
    if (begins_with(sql, "drop function ") || begins_with(sql, "drop procedure ") || begins_with(sql, "drop view "))
        return STEP_DROP;
    if (begins_with(sql, "alter type "))
        return STEP_TYPE;
    if (begins_with(sql, "drop routine "))
        return STEP_LAST;
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

void
steps_release(struct steps *steps)
{
    for (size_t i = 0; i < steps->count; i++)
        free(steps->items[i].sql);
    free(steps->items);
    *steps = (struct steps){0};
}
