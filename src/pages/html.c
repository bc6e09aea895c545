#include "pages/html.h"

#include <assert.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "pages/page.h"

/* Where in the HTML a byte of a template stands. */
enum place { IN_TEXT, IN_TAG, IN_ATTRIBUTE, IN_ADDRESS };

enum { NAME_MAX_BYTES = 32 };

/* The reader of a template. */
struct reader {
    enum place place;
    char word[NAME_MAX_BYTES]; /* the attribute's name that is being read */
    size_t word_length;
    bool is_start; /* nothing of the attribute's value has been read */
};

static bool
is_address(const char *name)
{
    static const char *const names[] = {"href", "src", "action", "formaction"};

    for (size_t i = 0; i < LENGTH(names); i++) {
        if (strcmp(names[i], name) == 0)
            return true;
    }
    return false;
}

/* Attributes whose value would be run: no value of theirs is written. */
static bool
is_code(const char *name)
{
    return strncmp(name, "on", 2) == 0 || strcmp(name, "style") == 0 || strcmp(name, "srcdoc") == 0;
}

static void
read_byte(struct reader *reader, char byte)
{
    switch (reader->place) {
    case IN_TEXT:
        if (byte == '<') {
            reader->place = IN_TAG;
            reader->word_length = 0;
        }
        break;
    case IN_TAG:
        if (byte == '>') {
            reader->place = IN_TEXT;
        } else if (byte == '"') {
            reader->word[reader->word_length] = '\0';
            assert(reader->word_length > 0 && !is_code(reader->word));
            reader->place = is_address(reader->word) ? IN_ADDRESS : IN_ATTRIBUTE;
            reader->is_start = true;
        } else if (byte == ' ' || byte == '\n') {
            reader->word_length = 0;
        } else if (byte != '=') {
            assert(byte != '\'' && reader->word_length < NAME_MAX_BYTES - 1);
            reader->word[reader->word_length++] = byte;
        }
        break;
    case IN_ATTRIBUTE:
    case IN_ADDRESS:
        if (byte == '"') {
            reader->place = IN_TAG;
            reader->word_length = 0;
        } else {
            reader->is_start = false;
        }
        break;
    }
}

/* Adds one character that is not plain; `number` is its code point. */
static void
add_odd(struct buf *out, enum place place, enum utf8_kind kind, const char *bytes, size_t length, unsigned int number)
{
    char mark[32];

    if (kind == UTF8_BROKEN)
        (void)snprintf(mark, sizeof(mark), "\xef\xbf\xbd");
    else if (number == '\n' || number == '\t' || number == '\r')
        (void)snprintf(mark, sizeof(mark), "%c", (char)number);
    else if (kind == UTF8_SEEN)
        (void)snprintf(mark, sizeof(mark), "%.*s", (int)length, bytes);
    else if (place == IN_TEXT)
        (void)snprintf(mark, sizeof(mark), "<i class=\"odd\">U+%04X</i>", number);
    else
        (void)snprintf(mark, sizeof(mark), "[U+%04X]", number);
    buf_puts(out, mark);
}

/* Adds at most `most` characters of a text; returns the bytes that were read. */
static size_t
add_escaped(struct buf *out, enum place place, const char *text, size_t most)
{
    size_t left = strlen(text);
    size_t used = 0;

    for (size_t count = 0; left > used && count < most; count++) {
        const char *at = text + used;
        size_t length = 1;
        unsigned int number = 0;
        enum utf8_kind kind;

        switch (*at) {
        case '&':
            buf_puts(out, "&amp;");
            break;
        case '<':
            buf_puts(out, "&lt;");
            break;
        case '>':
            buf_puts(out, "&gt;");
            break;
        case '"':
            buf_puts(out, "&quot;");
            break;
        case '\'':
            buf_puts(out, "&#39;");
            break;
        default:
            kind = utf8_next(at, left - used, &length, &number);
            if (kind == UTF8_SEEN)
                buf_add(out, at, length);
            else
                add_odd(out, place, kind, at, length, number);
            break;
        }
        used += length;
    }
    return used;
}

void
html_encode(struct buf *to, const char *text)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";

    for (const char *byte = text; *byte != '\0'; byte++) {
        if (strchr(plain, *byte) != NULL)
            buf_add(to, byte, 1);
        else
            buf_printf(to, "%%%02X", (unsigned)(unsigned char)*byte);
    }
}

/* A path of ours begins with one slash.  Two slashes, or a backslash, would name another host. */
static bool
is_own_path(const char *text)
{
    return text[0] == '/' && text[1] != '/' && text[1] != '\\';
}

static void
add_value(struct html *html, const struct reader *reader, bool is_whole, const char *text)
{
    switch (reader->place) {
    case IN_TEXT:
    case IN_ATTRIBUTE:
        (void)add_escaped(html->out, reader->place, text, SIZE_MAX);
        break;
    case IN_ADDRESS:
        if (!is_whole) {
            html_encode(html->out, text);
        } else if (is_own_path(text)) {
            (void)add_escaped(html->out, IN_ATTRIBUTE, html->viewer->prefix, SIZE_MAX);
            (void)add_escaped(html->out, IN_ATTRIBUTE, text, SIZE_MAX);
        } else {
            buf_puts(html->out, "#");
        }
        break;
    case IN_TAG:
        assert(reader->place != IN_TAG); /* a value stands outside quotes */
        break;
    }
}

/* Adds a byte of the template itself. */
static void
add_byte(struct html *html, struct reader *reader, char byte)
{
    if (reader->place == IN_ADDRESS && reader->is_start && byte != '"') {
        assert(byte == '~' || byte == '?' || byte == '#');
        if (byte == '~') {
            (void)add_escaped(html->out, IN_ATTRIBUTE, html->viewer->prefix, SIZE_MAX);
            reader->is_start = false;
            return;
        }
    }
    read_byte(reader, byte);
    buf_add(html->out, &byte, 1);
}

/* Takes the arguments of one directive, and returns the end of the directive. */
static const char *
add_directive(struct html *html, struct reader *reader, const char *at, va_list *arguments)
{
    char number[32];

    if (*at == '%') {
        add_byte(html, reader, '%');
        return at + 1;
    }
    if (*at == 's') {
        const char *text = va_arg(*arguments, const char *);
        bool is_whole = reader->is_start && at[1] == '"';

        assert(reader->place != IN_ADDRESS || is_whole || !reader->is_start);
        add_value(html, reader, is_whole, text == NULL ? "" : text);
        reader->is_start = false;
        return at + 1;
    }
    if (*at == 'd') {
        (void)snprintf(number, sizeof(number), "%d", va_arg(*arguments, int));
        at++;
    } else {
        assert(strncmp(at, "lld", 3) == 0);
        (void)snprintf(number, sizeof(number), "%lld", va_arg(*arguments, long long));
        at += 3;
    }
    assert(reader->place != IN_TAG && !(reader->place == IN_ADDRESS && reader->is_start));
    buf_puts(html->out, number);
    reader->is_start = false;
    return at;
}

void
html_put(struct html *html, const char *template, ...)
{
    struct reader reader = {.place = IN_TEXT};
    va_list arguments;

    va_start(arguments, template);
    for (const char *at = template; *at != '\0';) {
        if (*at != '%')
            add_byte(html, &reader, *at++);
        else
            at = add_directive(html, &reader, at + 1, &arguments);
    }
    va_end(arguments);
    assert(reader.place == IN_TEXT);
}

bool
html_text_cut(struct html *html, const char *text, size_t most)
{
    size_t used = add_escaped(html->out, IN_TEXT, text, most);

    if (text[used] == '\0')
        return false;
    html_put(html, "\xe2\x80\xa6");
    return true;
}
