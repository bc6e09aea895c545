#include "channel/mime.h"

#include <ctype.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

enum { LINE_BYTES = 57, WORD_BYTES = 36 }; /* before base64: 76 and 48 characters */

void
mime_address(const char *text, struct buf *ret_address)
{
    const char *open = strrchr(text, '<');
    const char *start = open == NULL ? text : open + 1;
    size_t length = open == NULL ? strlen(text) : strcspn(start, ">");

    while (length > 0 && isspace((unsigned char)*start)) {
        start++;
        length--;
    }
    while (length > 0 && isspace((unsigned char)start[length - 1]))
        length--;
    buf_add(ret_address, start, length);
}

void
mime_message_id(const char *key, const char *from, struct buf *ret_id)
{
    struct buf address;
    const char *at;

    buf_init(&address, 512);
    mime_address(from, &address);
    at = strrchr(address.text, '@');
    buf_puts(ret_id, "<");
    for (const unsigned char *c = (const unsigned char *)key; *c != '\0'; c++) {
        if (isalnum(*c) || strchr("!#$%&'*+-/=?^_`{|}~.", *c) != NULL)
            buf_add(ret_id, (const char *)c, 1);
        else
            buf_printf(ret_id, "_%02x", *c);
    }
    buf_printf(ret_id, "@%s>", at == NULL || at[1] == '\0' ? "localhost" : at + 1);
    buf_release(&address);
}

static void
add_base64(struct buf *to, const char *bytes, size_t length)
{
    unsigned char out[4 * ((LINE_BYTES + 2) / 3) + 1];

    (void)EVP_EncodeBlock(out, (const unsigned char *)bytes, (int)length);
    buf_puts(to, (const char *)out);
}

static bool
is_plain(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)text[i] < ' ' || (unsigned char)text[i] > '~')
            return false;
    }
    return true;
}

/* Adds the text of a header: as it is, or as encoded words of whole characters. */
static void
add_words(struct buf *to, const char *text, size_t length)
{
    const char *separator = "";

    if (is_plain(text, length) && length < 900 && memmem(text, length, "=?", 2) == NULL) {
        buf_add(to, text, length);
        return;
    }
    while (length > 0) {
        size_t size = length < WORD_BYTES ? length : WORD_BYTES;

        while (size < length && size > 1 && ((unsigned char)text[size] & 0xc0) == 0x80)
            size--;
        buf_printf(to, "%s=?UTF-8?B?", separator);
        add_base64(to, text, size);
        buf_puts(to, "?=");
        separator = "\r\n ";
        text += size;
        length -= size;
    }
}

/* The name before an address, without the quotes around it. */
static void
read_name(const char *text, size_t length, struct buf *name)
{
    bool is_quoted;

    while (length > 0 && isspace((unsigned char)text[length - 1]))
        length--;
    is_quoted = length > 1 && text[0] == '"' && text[length - 1] == '"';
    for (size_t i = is_quoted; i < length - is_quoted; i++) {
        if (is_quoted && text[i] == '\\' && i + 2 < length)
            i++;
        buf_add(name, text + i, 1);
    }
}

/* Adds a name as it is, in quotes, or as encoded words. */
static void
add_name(struct buf *to, const struct buf *name)
{
    if (strpbrk(name->text, "()<>[]:;@\\,.\"") == NULL || !is_plain(name->text, name->length) || name->length > 900) {
        add_words(to, name->text, name->length);
        return;
    }
    buf_puts(to, "\"");
    for (const char *c = name->text; *c != '\0'; c++)
        buf_printf(to, "%s%c", *c == '"' || *c == '\\' ? "\\" : "", *c);
    buf_puts(to, "\"");
}

/* Adds "Name <a@b>" with an encoded name and the address as it is. */
static void
add_mailbox(struct buf *to, const char *header, const char *text)
{
    const char *open = strrchr(text, '<');
    struct buf address;
    struct buf name;

    buf_init(&address, 1024);
    buf_init(&name, strlen(text));
    mime_address(text, &address);
    read_name(text, open == NULL ? 0 : (size_t)(open - text), &name);
    buf_printf(to, "%s: ", header);
    if (name.length > 0) {
        add_name(to, &name);
        buf_printf(to, "%s<%s>\r\n", is_plain(name.text, name.length) ? " " : "\r\n ", address.text);
    } else {
        buf_printf(to, "%s\r\n", address.text);
    }
    buf_release(&address);
    buf_release(&name);
}

static void
add_part(struct buf *to, const char *boundary, const char *type, const char *text)
{
    size_t length = strlen(text);

    buf_printf(to, "--%s\r\nContent-Type: %s; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n", boundary, type);
    for (size_t i = 0; i < length; i += LINE_BYTES) {
        add_base64(to, text + i, length - i < LINE_BYTES ? length - i : LINE_BYTES);
        buf_puts(to, "\r\n");
    }
    buf_puts(to, "\r\n");
}

/* Names of days and months are English in any locale. */
static void
add_date(struct buf *to, time_t date)
{
    static const char days[][4] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static const char months[][4] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    struct tm t;

    (void)gmtime_r(&date, &t);
    buf_printf(to, "Date: %s, %02d %s %04d %02d:%02d:%02d +0000\r\n", days[t.tm_wday], t.tm_mday, months[t.tm_mon],
        t.tm_year + 1900, t.tm_hour, t.tm_min, t.tm_sec);
}

void
mime_write(const struct mime_mail *mail, struct buf *to)
{
    /* Base64 has no "=_", so no line of a part can look like it. */
    const char *boundary = "=_reeve_alternative";
    struct buf text;

    add_mailbox(to, "From", mail->from);
    add_mailbox(to, "To", mail->to);
    if (mail->reply_to != NULL)
        add_mailbox(to, "Reply-To", mail->reply_to);
    buf_puts(to, "Subject: ");
    add_words(to, mail->subject, strlen(mail->subject));
    buf_puts(to, "\r\n");
    add_date(to, mail->date);
    buf_printf(to, "Message-ID: %s\r\nMIME-Version: 1.0\r\n", mail->message_id);
    buf_printf(to, "Content-Type: multipart/alternative; boundary=\"%s\"\r\n\r\n", boundary);
    buf_init(&text, strlen(mail->html) + 1);
    if (mail->text == NULL)
        mime_text_of_html(mail->html, &text);
    add_part(to, boundary, "text/plain", mail->text == NULL ? text.text : mail->text);
    add_part(to, boundary, "text/html", mail->html);
    buf_printf(to, "--%s--\r\n", boundary);
    buf_release(&text);
}

/* --- HTML to text ------------------------------------------------------------------- */

static bool
is_tag(const char *tag, const char *name)
{
    size_t length = strlen(name);

    tag += *tag == '/';
    return strncasecmp(tag, name, length) == 0 && !isalnum((unsigned char)tag[length]);
}

/* The text after an element whose content is not shown. */
static const char *
skip_content(const char *after, const char *name)
{
    for (const char *c = after; *c != '\0'; c++) {
        if (c[0] == '<' && c[1] == '/' && is_tag(c + 1, name))
            return c;
    }
    return after + strlen(after);
}

/* Adds the character of a common entity; other entities stay as they are. */
static size_t
entity(const char *at, const char **ret_text)
{
    static const char *const known[][2] = {
        {"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&#39;", "'"}, {"&apos;", "'"}, {"&nbsp;", " "}};

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (strncmp(at, known[i][0], strlen(known[i][0])) == 0) {
            *ret_text = known[i][1];
            return strlen(known[i][0]);
        }
    }
    return 0;
}

static void
add_newline(struct buf *to)
{
    while (to->length > 0 && to->text[to->length - 1] == ' ')
        to->text[--to->length] = '\0';
    if (to->length > 0 && !(to->length > 1 && to->text[to->length - 1] == '\n' && to->text[to->length - 2] == '\n'))
        buf_puts(to, "\n");
}

static const char *
take_tag(struct buf *to, const char *at)
{
    static const char *const hidden[] = {"head", "style", "script", "title"};
    static const char *const breaks[] = {"br", "p", "div", "li", "tr", "h1", "h2", "h3", "h4", "ul", "ol", "table"};
    const char *end = strncmp(at, "<!--", 4) == 0 ? strstr(at, "-->") : strchr(at, '>');
    const char *after = end == NULL ? at + strlen(at) : end + (*end == '-' ? 3 : 1);

    for (size_t i = 0; i < sizeof(hidden) / sizeof(hidden[0]); i++) {
        if (at[1] != '/' && is_tag(at + 1, hidden[i]))
            return skip_content(after, hidden[i]);
    }
    for (size_t i = 0; i < sizeof(breaks) / sizeof(breaks[0]); i++) {
        if (is_tag(at + 1, breaks[i])) {
            add_newline(to);
            break;
        }
    }
    return after;
}

void
mime_text_of_html(const char *html, struct buf *to)
{
    for (const char *c = html; *c != '\0';) {
        const char *text;
        size_t length = 0;

        if (*c == '<' && (isalpha((unsigned char)c[1]) || c[1] == '/' || c[1] == '!')) {
            c = take_tag(to, c);
        } else if (*c == '&' && (length = entity(c, &text)) > 0) {
            buf_puts(to, text);
            c += length;
        } else if (isspace((unsigned char)*c)) {
            if (to->length > 0 && !isspace((unsigned char)to->text[to->length - 1]))
                buf_puts(to, " ");
            c++;
        } else {
            buf_add(to, c++, 1);
        }
    }
    while (to->length > 0 && isspace((unsigned char)to->text[to->length - 1]))
        to->text[--to->length] = '\0';
    buf_puts(to, "\n");
}
