#include "program/lines.h"

#include <string.h>

void
lines_init(struct lines *lines, size_t most)
{
    *lines = (struct lines){0};
    buf_init(&lines->partial, most);
}

void
lines_take(struct lines *lines, const char *bytes, size_t length, lines_fn *fn, void *cookie)
{
    while (length > 0) {
        const char *end = memchr(bytes, '\n', length);
        size_t part = end == NULL ? length : (size_t)(end - bytes);
        bool goes_on;

        if (!lines->is_skipping)
            buf_add(&lines->partial, bytes, part);
        if (lines->partial.overflowed) {
            lines->is_skipping = true;
            buf_release(&lines->partial);
            lines->partial.overflowed = false;
            if (!fn(cookie, NULL, 0))
                return;
        }
        if (end == NULL)
            return;
        bytes += part + 1;
        length -= part + 1;
        goes_on = lines->is_skipping || fn(cookie, lines->partial.text, lines->partial.length);
        lines->is_skipping = false;
        buf_clear(&lines->partial);
        if (!goes_on)
            return;
    }
}

bool
lines_are_broken(const struct lines *lines)
{
    return lines->is_skipping || lines->partial.length > 0;
}

void
lines_release(struct lines *lines)
{
    buf_release(&lines->partial);
    lines->is_skipping = false;
}
