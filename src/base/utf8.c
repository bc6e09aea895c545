#include "base/utf8.h"

#include <string.h>

/* Length in bytes of the character at `s`; 0: the bytes are not UTF-8. */
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
    /* Overlong encodings, surrogates, and numbers beyond Unicode. */
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf0 && s[1] < 0x90)
        || (s[0] == 0xf4 && s[1] > 0x8f))
        return 0;
    return length;
}

/* Characters that are not in the list are visible. */
static bool
is_hidden(unsigned int number)
{
    static const unsigned int ranges[][2] = {
        {0x00ad, 0x00ad},   /* soft hyphen */
        {0x061c, 0x061c},   /* Arabic letter mark */
        {0x180e, 0x180e},   /* Mongolian vowel separator */
        {0x200b, 0x200b},   /* zero width space; joiners stay, scripts and emoji need them */
        {0x200e, 0x200f},   /* direction marks */
        {0x2028, 0x202e},   /* line and paragraph separators, embeddings and overrides of direction */
        {0x2060, 0x206f},   /* invisible operators, isolates of direction */
        {0xfeff, 0xfeff},   /* byte order mark */
        {0xfff9, 0xfffb},   /* annotations */
        {0xe0000, 0xe007f}, /* tags */
    };

    for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
        if (number >= ranges[i][0] && number <= ranges[i][1])
            return true;
    }
    return false;
}

enum utf8_kind
utf8_next(const char *bytes, size_t left, size_t *ret_length, unsigned int *ret_number)
{
    static const unsigned char masks[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    const unsigned char *s = (const unsigned char *)bytes;
    size_t length = sequence(s, left);
    unsigned int number = 0xfffd;

    *ret_length = length == 0 ? 1 : length;
    if (length > 0) {
        number = s[0] & masks[length];
        for (size_t i = 1; i < length; i++)
            number = number << 6 | (s[i] & 0x3f);
    }
    *ret_number = number;
    if (length == 0)
        return UTF8_BROKEN;
    if (number < ' ' || (number >= 0x7f && number < 0xa0))
        return UTF8_CONTROL;
    return is_hidden(number) ? UTF8_HIDDEN : UTF8_SEEN;
}

void
utf8_show(struct buf *to, const char *bytes, size_t length, bool has_lines)
{
    for (size_t i = 0, found; i < length; i += found) {
        const char *at = bytes + i;
        unsigned int number;

        for (found = 0; i + found < length && at[found] >= ' ' && at[found] < 0x7f;)
            found++; /* nearly always the whole text */
        if (found > to->ceiling - to->length && to->length < to->ceiling)
            found = to->ceiling - to->length; /* Add the part that fits. */
        if (found > 0) {
            buf_add(to, at, found);
            continue;
        }
        if (utf8_next(at, length - i, &found, &number) == UTF8_SEEN || (has_lines && (*at == '\n' || *at == '\t')))
            buf_add(to, at, found);
        else if (number > 0xffff) /* as a surrogate pair, like JSON */
            buf_printf(to, "\\u%04x\\u%04x", 0xd7c0 + (number >> 10), 0xdc00 + (number & 0x3ff));
        else
            buf_printf(to, "\\u%04x", number);
    }
}

/* What becomes a space. */
enum blanks { BLANK_NOTHING, BLANK_ALL, BLANK_ALL_BUT_LINES };

static bool
clean(struct buf *to, const char *bytes, size_t length, size_t most, enum blanks blanks)
{
    size_t start = to->length;

    for (size_t i = 0, found; i < length; i += found) {
        unsigned int number;
        enum utf8_kind kind = utf8_next(bytes + i, length - i, &found, &number);
        const char *add = kind == UTF8_BROKEN ? "\xef\xbf\xbd" : bytes + i;
        size_t size = kind == UTF8_BROKEN ? 3 : found;

        if (blanks != BLANK_NOTHING && (kind == UTF8_CONTROL || kind == UTF8_HIDDEN)
            && (blanks == BLANK_ALL || (number != '\n' && number != '\t'))) {
            add = " ";
            size = 1;
        }
        if (to->length - start + size > most)
            return false;
        buf_add(to, add, size);
    }
    return true;
}

bool
utf8_clean(struct buf *to, const char *bytes, size_t length, size_t most)
{
    return clean(to, bytes, length, most, BLANK_NOTHING);
}

bool
utf8_clean_line(struct buf *to, const char *bytes, size_t length, size_t most)
{
    return clean(to, bytes, length, most, BLANK_ALL);
}

bool
utf8_clean_lines(struct buf *to, const char *bytes, size_t length, size_t most)
{
    return clean(to, bytes, length, most, BLANK_ALL_BUT_LINES);
}

bool
utf8_has_control(const char *text)
{
    for (size_t left = strlen(text), length; left > 0; text += length, left -= length) {
        unsigned int number;

        if (utf8_next(text, left, &length, &number) == UTF8_CONTROL && number != '\t')
            return true;
    }
    return false;
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
