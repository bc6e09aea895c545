/*
 * E-mail through SMTP: one recipient, one message.  If the connection is lost after the message was sent, the outcome is in
 * doubt; the Message-ID identifies a repetition.
 */
#include <ctype.h>

#include "base/outside.h"
#include "base/utf8.h"
#include "channel/channel_private.h"
#include "channel/mime.h"
#include "http/http_policy.h"

/* Is this an address without characters that end the envelope or that are invisible? */
static bool
is_address(const char *text)
{
    if (strchr(text, '@') == NULL || strpbrk(text, " <>") != NULL)
        return false;
    for (size_t left = strlen(text), length; left > 0; text += length, left -= length) {
        unsigned int number;

        if (utf8_next(text, left, &length, &number) != UTF8_SEEN)
            return false;
    }
    return true;
}

static bool
has_address(struct channel_call *call, const char *field)
{
    struct buf address;
    bool ok;

    buf_init(&address, 1024);
    mime_address(channel_text(call, field), &address);
    ok = !address.overflowed && is_address(address.text);
    buf_release(&address);
    if (!ok)
        channel_fail(call, "payload", "email payload: \"%s\" is not an address", field);
    return ok;
}

static char *
envelope(const char *text)
{
    struct buf address;
    char *envelope;

    buf_init(&address, 1024);
    mime_address(text, &address);
    envelope = must_format("<%s>", address.text);
    buf_release(&address);
    return envelope;
}

/* The password in the URL, between the first colon and the last @ of its user part: masked as it is, and decoded. */
static void
use_password(struct channel_call *call)
{
    const char *user = strstr(call->set->smtp_url, "://");
    const char *end = user == NULL ? NULL : memrchr(user + 3, '@', strcspn(user + 3, "/?#"));
    const char *colon = end == NULL ? NULL : memchr(user + 3, ':', (size_t)(end - user - 3));
    struct buf password;

    if (colon == NULL)
        return;
    buf_init(&password, (size_t)(end - colon));
    for (const char *c = colon + 1; c < end; c++) {
        char letter = *c;

        if (*c == '%' && end - c > 2 && isxdigit((unsigned char)c[1]) && isxdigit((unsigned char)c[2])) {
            letter = (char)strtol((char[]){c[1], c[2], '\0'}, NULL, 16);
            c += 2;
        }
        buf_add(&password, &letter, 1);
    }
    mask_add(&call->mask, password.text, password.length);
    mask_add(&call->mask, colon + 1, (size_t)(end - colon - 1));
    explicit_bzero(password.text, password.length);
    buf_release(&password);
}

void
smtp_begin(struct channel_call *call)
{
    static const char *const needed[] = {"from_address", "to_address", "subject", "html"};
    struct mime_mail mail = {.date = (time_t)(outside_wall_ms() / 1000)};
    struct buf text;
    struct buf id;

    for (size_t i = 0; i < LENGTH(needed); i++) {
        if (i < 3 && !channel_is_one_line(call, "email", needed[i]))
            return;
        if (channel_text(call, needed[i]) == NULL) {
            channel_fail(call, "payload", "email payload: \"%s\" is not a text", needed[i]);
            return;
        }
    }
    if (!channel_is_one_line(call, "email", "reply_to") || !has_address(call, "from_address") || !has_address(call, "to_address")
        || (channel_text(call, "reply_to") != NULL && !has_address(call, "reply_to")))
        return;
    mail.from = channel_text(call, "from_address");
    mail.to = channel_text(call, "to_address");
    mail.reply_to = channel_text(call, "reply_to");
    mail.subject = channel_text(call, "subject");
    mail.html = channel_text(call, "html");
    mail.text = channel_text(call, "text");
    buf_init(&id, 2048);
    mime_message_id(call->key, mail.from, &id);
    mail.message_id = id.text;
    buf_init(&text, BOUND_MAIL_BYTES);
    mime_write(&mail, &text);
    buf_release(&id);
    if (text.overflowed) {
        channel_fail(call, "payload", "email payload: the message is too large");
    } else {
        http_request_start(call->request, "", call->set->smtp_url, true);
        use_password(call);
        http_request_body(call->request, text.text, text.length);
        call->request->mail_from = envelope(mail.from);
        call->request->mail_to = envelope(mail.to);
        call->request->needs_tls = !http_url_is_loopback(call->set->smtp_url);
        channel_send(call);
    }
    buf_release(&text);
}

/* Fails with a reply such as "550 5.1.1 no such user", without its number. */
static void
fail_with_reply(struct channel_call *call, const struct http_answer *answer)
{
    const char *reply = answer->headers->text;
    struct buf line;

    if (strlen(reply) > 3 && strspn(reply, "0123456789") == 3)
        reply += 4;
    buf_init(&line, BOUND_FOREIGN_BYTES);
    (void)utf8_clean_line(&line, reply, strcspn(reply, "\r\n"), BOUND_FOREIGN_BYTES);
    channel_fail(call, answer->status >= 500 ? "refused" : "server", "smtp error %d: %s", answer->status, line.text);
    buf_release(&line);
}

void
smtp_take(struct channel_call *call, const struct http_answer *answer)
{
    struct buf id;

    if (channel_ended_unanswered(call, answer))
        return;
    if (answer->status != 250) {
        fail_with_reply(call, answer);
        return;
    }
    buf_init(&id, 2048);
    mime_message_id(call->key, channel_text(call, "from_address"), &id);
    channel_succeed(call, json_pack("{s:s, s:s}", "id", id.text, "provider", "smtp"));
    buf_release(&id);
}
