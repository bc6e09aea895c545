/*
 * E-mail through a Resend-compatible API: one POST with the idempotency key, so that a repetition does not send a second
 * mail.
 */
#include "channel/channel_private.h"

void
resend_begin(struct channel_call *call)
{
    static const char *const lines[] = {"from_address", "to_address", "subject", "reply_to"};
    json_t *mail;
    char *url;
    char *bearer;
    char *text;
    bool ok;

    for (size_t i = 0; i < LENGTH(lines); i++) {
        if (!channel_is_one_line(call, "email", lines[i]))
            return;
    }
    mail = json_pack("{s:s?, s:[s?], s:s?, s:s?, s:s*, s:s*}", "from", channel_text(call, "from_address"), "to",
        channel_text(call, "to_address"), "subject", channel_text(call, "subject"), "html", channel_text(call, "html"), "text",
        channel_text(call, "text"), "reply_to", channel_text(call, "reply_to"));
    text = mail == NULL ? NULL : json_dumps(mail, JSON_COMPACT);
    json_decref(mail);
    if (text == NULL) {
        channel_fail(call, "payload", "email payload cannot be sent as JSON");
        return;
    }
    url = must_format("%s/emails", call->set->resend_url);
    bearer = must_format("Bearer %s", call->set->resend_key);
    http_request_start(call->request, "POST", url, true);
    channel_uses(call, call->set->resend_key);
    http_request_body(call->request, text, strlen(text));
    call->request->is_repeatable = true;
    ok = channel_header(call, "Authorization", bearer) && channel_header(call, "Content-Type", "application/json")
         && channel_header(call, "Idempotency-Key", call->key);
    explicit_bzero(bearer, strlen(bearer));
    free(bearer);
    free(url);
    free(text);
    if (ok)
        channel_send(call);
}

void
resend_take(struct channel_call *call, const struct http_answer *answer)
{
    json_t *object;
    const char *id;

    if (channel_ended_unanswered(call, answer))
        return;
    object = channel_answer_object(answer);
    if (answer->status >= 200 && answer->status < 300) {
        id = channel_string_in(object, "id");
        channel_succeed(call, json_pack("{s:s?, s:s}", "id", id, "provider", "resend"));
        if (id == NULL)
            call->outcome.error = must_strdup("resend answer has no id");
    } else if (channel_string_in(object, "name") != NULL && channel_string_in(object, "message") != NULL) {
        channel_fail(call, channel_class_of(answer->status), "resend API error (status %d): %.128s: %.512s", answer->status,
            channel_string_in(object, "name"), channel_string_in(object, "message"));
    } else {
        channel_fail(call, channel_class_of(answer->status), "resend API error (status %d)", answer->status);
    }
    json_decref(object);
}
