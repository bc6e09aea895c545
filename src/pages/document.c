#include "pages/document.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/buf.h"

enum { DIGITS = 15 }; /* that every number of 64 bits keeps */

/* The end of a string that begins at `at`, behind its quote. */
static const char *
end_of_string(const char *at)
{
    for (at++; *at != '\0' && *at != '"'; at++) {
        if (*at == '\\' && at[1] != '\0')
            at++;
    }
    return *at == '"' ? at + 1 : at;
}

/* Adds the number of `length` bytes at `at`, as a text if it has too many digits. */
static void
add_number(struct buf *out, const char *at, size_t length)
{
    bool is_plain = length <= DIGITS;

    for (size_t i = 0; i < length; i++)
        is_plain = is_plain && at[i] != 'e' && at[i] != 'E';
    if (!is_plain)
        buf_puts(out, "\"");
    buf_add(out, at, length);
    if (!is_plain)
        buf_puts(out, "\"");
}

json_t *
document_read(const char *json)
{
    struct buf safe;
    json_t *document;

    buf_init(&safe, 3 * strlen(json) + 1);
    for (const char *at = json; *at != '\0';) {
        const char *end = at + 1;

        if (*at == '"') {
            end = end_of_string(at);
            buf_add(&safe, at, (size_t)(end - at));
        } else if (strchr("-0123456789", *at) != NULL) {
            end = at + strspn(at, "-+.0123456789eE");
            add_number(&safe, at, (size_t)(end - at));
        } else {
            buf_add(&safe, at, 1);
        }
        at = end;
    }
    document = json_loads(safe.text, JSON_DECODE_ANY, NULL);
    buf_release(&safe);
    return document;
}
