#include "base/utf8.h"

#include <string.h>

/* The length of the character at `s`, or 0 if there is none. */
static size_t
sequence(const unsigned char *s, size_t left)
{
    size_t length = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : s[0] < 0xf5 ? 4 : 0;

    if (length == 0 || length > left || s[0] == 0)
        return 0;
    for (size_t i = 1; i < length; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    }
    /* Forms that are too long, surrogates, and what lies beyond Unicode. */
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf0 && s[1] < 0x90)
        || (s[0] == 0xf4 && s[1] > 0x8f))
        return 0;
    return length;
}

static bool
clean(struct buf *to, const char *bytes, size_t length, size_t most, bool is_line)
{
    const unsigned char *s = (const unsigned char *)bytes;
    size_t start = to->length;

    for (size_t i = 0; i < length;) {
        size_t found = sequence(s + i, length - i);
        const char *add = found == 0 ? "\xef\xbf\xbd" : (const char *)s + i;
        size_t size = found == 0 ? 3 : found;

        if (is_line && ((found == 1 && (s[i] < ' ' || s[i] == 0x7f)) || (found == 2 && s[i] == 0xc2 && s[i + 1] < 0xa0))) {
            add = " ";
            size = 1;
        }
        if (to->length - start + size > most)
            return false;
        buf_add(to, add, size);
        i += found == 0 ? 1 : found;
    }
    return true;
}

bool
utf8_clean(struct buf *to, const char *bytes, size_t length, size_t most)
{
    return clean(to, bytes, length, most, false);
}

bool
utf8_clean_line(struct buf *to, const char *bytes, size_t length, size_t most)
{
    return clean(to, bytes, length, most, true);
}

bool
utf8_is_valid(const char *bytes, size_t length)
{
    for (size_t i = 0; i < length;) {
        size_t found = sequence((const unsigned char *)bytes + i, length - i);

        if (found == 0)
            return false;
        i += found;
    }
    return true;
}
