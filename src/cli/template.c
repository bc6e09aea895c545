#include "cli/template.h"

#include <string.h>

/* Where a line is: outside of blocks, or in a half of a block that is kept or left out. */
enum place { PLACE_PLAIN, PLACE_KEPT, PLACE_LEFT_OUT };

/* Is `line`, of `length` bytes, equal to `text`? */
static bool
is_text(const char *line, size_t length, const char *text)
{
    return length == strlen(text) && strncmp(line, text, length) == 0;
}

/* Is one of the words of "{{if WORD ...}}" on? */
static bool
is_any_on(const struct template_fill *fill, const char *line, size_t length)
{
    const char *end = line + length - strlen("}}");

    for (const char *word = line + strlen("{{if "); word < end;) {
        size_t size = strcspn(word, " }");

        for (int i = 0; fill->words[i] != NULL; i++) {
            if (is_text(word, size, fill->words[i]))
                return true;
        }
        word += size + 1;
    }
    return false;
}

/* Adds a line with its gaps filled. */
static bool
fill_line(struct buf *to, const char *line, size_t length, const struct template_fill *fill, struct err *err)
{
    const char *end = line + length;

    for (;;) {
        const char *gap = memmem(line, (size_t)(end - line), "{{", 2);
        const char *close = gap == NULL ? NULL : memmem(gap, (size_t)(end - gap), "}}", 2);
        const struct template_value *value = fill->values;

        buf_add(to, line, (size_t)((gap == NULL ? end : gap) - line));
        if (gap == NULL)
            return true;
        if (close == NULL)
            return err_set(err, ERR_REFUSED, NULL, "a gap of a template is not closed");
        while (value->name != NULL && !is_text(gap + 2, (size_t)(close - gap - 2), value->name))
            value++;
        if (value->name == NULL)
            return err_set(
                err, ERR_REFUSED, NULL, "a template has a gap \"%.*s\" without a value", (int)(close - gap - 2), gap + 2);
        buf_puts(to, value->text);
        line = close + 2;
    }
}

bool
template_fill(struct buf *to, const char *template, const struct template_fill *fill, struct err *err)
{
    enum place place = PLACE_PLAIN;

    while (*template != '\0') {
        const char *line = template;
        size_t length = strcspn(line, "\n");

        template += length + (line[length] == '\n');
        if (strncmp(line, "{{if ", 5) == 0 && length > 7) {
            if (place != PLACE_PLAIN)
                return err_set(err, ERR_REFUSED, NULL, "blocks of a template nest");
            place = is_any_on(fill, line, length) ? PLACE_KEPT : PLACE_LEFT_OUT;
        } else if (is_text(line, length, "{{else}}") && place != PLACE_PLAIN) {
            place = place == PLACE_KEPT ? PLACE_LEFT_OUT : PLACE_KEPT;
        } else if (is_text(line, length, "{{end}}") && place != PLACE_PLAIN) {
            place = PLACE_PLAIN;
        } else if (place != PLACE_LEFT_OUT && !fill_line(to, line, (size_t)(template - line), fill, err)) {
            return false;
        }
    }
    if (place != PLACE_PLAIN)
        return err_set(err, ERR_REFUSED, NULL, "a block of a template is not closed");
    return !to->overflowed || err_set(err, ERR_LIMIT, NULL, "the text is longer than %zu bytes", to->ceiling);
}
