#include "channel/mask.h"

#include <ctype.h>
#include <string.h>

#include "base/err.h"

struct mask_item {
    struct mask_item *next;
    size_t length;
    char bytes[];
};

void
mask_add(struct mask *mask, const char *bytes, size_t length)
{
    struct mask_item **link = &mask->items;
    struct mask_item *item;

    if (length < MASK_LEAST)
        return;
    while (*link != NULL && (*link)->length > length)
        link = &(*link)->next;
    for (item = *link; item != NULL && item->length == length; item = item->next) {
        if (memcmp(item->bytes, bytes, length) == 0)
            return;
    }
    item = must_alloc(sizeof(*item) + length + 1);
    item->length = length;
    memcpy(item->bytes, bytes, length);
    item->bytes[length] = '\0';
    item->next = *link;
    *link = item;
}

void
mask_release(struct mask *mask)
{
    while (mask->items != NULL) {
        struct mask_item *item = mask->items;

        mask->items = item->next;
        explicit_bzero(item->bytes, item->length);
        free(item);
    }
}

/* --- one spelling -------------------------------------------------------------------- */

/* Replaces in one pass, since *** is shorter than any secret. */
static void
hide_whole(struct buf *text, const char *form, size_t length)
{
    const char *from = text->text;
    const char *end = text->text + text->length;
    char *to = text->text;
    const char *found;

    while ((found = memmem(from, (size_t)(end - from), form, length)) != NULL) {
        memmove(to, from, (size_t)(found - from));
        to += found - from;
        memcpy(to, "***", 3);
        to += 3;
        from = found + length;
    }
    memmove(to, from, (size_t)(end - from));
    text->length = (size_t)(to - text->text) + (size_t)(end - from);
    text->text[text->length] = '\0';
}

/* Length of the longest beginning of the secret that the text ends with. */
static void
hide_beginning(struct buf *text, const char *form, size_t length)
{
    for (size_t size = length - 1 < text->length ? length - 1 : text->length; size >= MASK_LEAST; size--) {
        if (memcmp(text->text + text->length - size, form, size) == 0) {
            text->length -= size - 3;
            memcpy(text->text + text->length - 3, "***", 4);
            return;
        }
    }
}

static void
hide(struct buf *text, const char *form, size_t length, bool is_cut)
{
    if (length < MASK_LEAST || text->length == 0)
        return;
    hide_whole(text, form, length);
    if (is_cut)
        hide_beginning(text, form, length);
}

/* --- all spellings ------------------------------------------------------------------- */

static void
spell_json(struct buf *form, const struct mask_item *item, bool escapes_slash)
{
    for (size_t i = 0; i < item->length; i++) {
        unsigned char c = (unsigned char)item->bytes[i];
        const char *short_form = strchr("\"\\/\b\f\n\r\t", c);

        if (c == '/' && !escapes_slash)
            buf_puts(form, "/");
        else if (c != '\0' && short_form != NULL)
            buf_printf(form, "\\%c", "\"\\/bfnrt"[short_form - "\"\\/\b\f\n\r\t"]);
        else if (c < ' ')
            buf_printf(form, "\\u%04x", c);
        else
            buf_add(form, (const char *)&c, 1);
    }
}

static void
spell_percent(struct buf *form, const struct mask_item *item, bool is_upper, bool is_form)
{
    for (size_t i = 0; i < item->length; i++) {
        unsigned char c = (unsigned char)item->bytes[i];

        if (isalnum(c) || (c != '\0' && strchr("-._~", c) != NULL))
            buf_add(form, (const char *)&c, 1);
        else if (c == ' ' && is_form)
            buf_puts(form, "+");
        else
            buf_printf(form, is_upper ? "%%%02X" : "%%%02x", c);
    }
}

static void
spell_html(struct buf *form, const struct mask_item *item)
{
    for (size_t i = 0; i < item->length; i++) {
        char c = item->bytes[i];

        if (c == '&' || c == '<' || c == '>' || c == '"' || c == '\'')
            buf_puts(form, c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" : "&#39;");
        else
            buf_add(form, &c, 1);
    }
}

/* The base64 digits of the secret that do not depend on the text around it, if `before` bytes (modulo 3) come before it. */
static void
spell_base64(struct buf *form, const struct mask_item *item, size_t before, const char *digits)
{
    size_t first = (8 * before + 5) / 6;
    size_t end = 8 * (before + item->length) / 6;

    for (size_t digit = first; digit < end; digit++) {
        size_t bit = 6 * digit - 8 * before;
        unsigned int high = (unsigned char)item->bytes[bit / 8];
        unsigned int low = bit / 8 + 1 < item->length ? (unsigned char)item->bytes[bit / 8 + 1] : 0;

        buf_add(form, &digits[(high << 8 | low) >> (10 - bit % 8) & 63], 1);
    }
}

static void
hide_form(struct buf *text, struct buf *form, bool is_cut)
{
    hide(text, form->text, form->length, is_cut);
    explicit_bzero(form->text, form->length);
    buf_clear(form);
}

static void
hide_item(struct buf *text, const struct mask_item *item, bool is_cut)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    static const char for_urls[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    struct buf form;

    hide(text, item->bytes, item->length, is_cut);
    buf_init(&form, item->length * 6 + 8);
    spell_json(&form, item, false);
    hide_form(text, &form, is_cut);
    spell_json(&form, item, true);
    hide_form(text, &form, is_cut);
    spell_percent(&form, item, true, false);
    hide_form(text, &form, is_cut);
    spell_percent(&form, item, false, false);
    hide_form(text, &form, is_cut);
    spell_percent(&form, item, true, true);
    hide_form(text, &form, is_cut);
    spell_html(&form, item);
    hide_form(text, &form, is_cut);
    for (size_t i = 0; i < item->length; i++)
        buf_printf(&form, "%02x", (unsigned char)item->bytes[i]);
    hide_form(text, &form, is_cut);
    for (size_t i = 0; i < item->length; i++)
        buf_printf(&form, "%02X", (unsigned char)item->bytes[i]);
    hide_form(text, &form, is_cut);
    for (size_t before = 0; before < 3 && item->length > MASK_LEAST; before++) {
        spell_base64(&form, item, before, plain);
        hide_form(text, &form, is_cut);
        spell_base64(&form, item, before, for_urls);
        hide_form(text, &form, is_cut);
    }
    buf_release(&form);
}

void
mask_apply(const struct mask *mask, struct buf *text, bool is_cut)
{
    for (const struct mask_item *item = mask->items; item != NULL; item = item->next)
        hide_item(text, item, is_cut);
}
