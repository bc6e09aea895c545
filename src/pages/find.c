#include <string.h>

#include "base/utf8.h"
#include "pages/page.h"

static int
hex_digit(char byte)
{
    if (byte >= '0' && byte <= '9')
        return byte - '0';
    if (byte >= 'a' && byte <= 'f')
        return byte - 'a' + 10;
    return byte >= 'A' && byte <= 'F' ? byte - 'A' + 10 : -1;
}

/* Decodes one segment of a path. */
static bool
decode(const char *text, size_t length, char *to, size_t size)
{
    size_t used = 0;

    for (size_t i = 0; i < length; i++) {
        char byte = text[i];

        if (byte == '%') {
            int high = i + 2 < length ? hex_digit(text[i + 1]) : -1;
            int low = i + 2 < length ? hex_digit(text[i + 2]) : -1;

            if (high < 0 || low < 0 || (high == 0 && low == 0))
                return false;
            byte = (char)(high * 16 + low);
            i += 2;
        }
        if (used + 1 >= size)
            return false;
        to[used++] = byte;
    }
    to[used] = '\0';
    return used > 0 && utf8_is_valid(to, used);
}

bool
page_path_fits(const char *pattern, const char *path, char *ret_operand, size_t size)
{
    size_t before = strcspn(pattern, "{");
    bool is_number = pattern[before] == '{' && pattern[before + 1] == '#';
    const char *after = pattern + before + (is_number ? 3 : 2);
    size_t length;

    ret_operand[0] = '\0';
    if (pattern[before] == '\0')
        return strcmp(pattern, path) == 0;
    if (strncmp(pattern, path, before) != 0)
        return false;
    length = strcspn(path + before, "/");
    if (strcmp(path + before + length, after) != 0 || !decode(path + before, length, ret_operand, size))
        return false;
    /* A number has at most 18 digits, so it fits a bigint. */
    return !is_number || (strspn(ret_operand, "0123456789") == strlen(ret_operand) && strlen(ret_operand) <= 18);
}

const struct page *
page_find(const char *path, enum page_right right, char *ret_operand, size_t size, bool *ret_is_refused)
{
    *ret_is_refused = false;
    for (int i = 0; i < page_count; i++) {
        if (!page_path_fits(pages[i].path, path, ret_operand, size))
            continue;
        if (pages[i].right <= right)
            return &pages[i];
        *ret_is_refused = true;
    }
    return NULL;
}

const struct page_act *
page_find_act(const char *path, enum page_right right, char *ret_operand, size_t size, bool *ret_is_refused)
{
    *ret_is_refused = false;
    for (int i = 0; i < page_act_count; i++) {
        if (!page_path_fits(page_acts[i].path, path, ret_operand, size))
            continue;
        if (page_acts[i].right <= right)
            return &page_acts[i];
        *ret_is_refused = true;
    }
    return NULL;
}
