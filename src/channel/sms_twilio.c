/*
 * SMS by a Twilio-compatible API: one form POST.  There is no key to recognise a repetition
 * by, so a lost answer leaves the message in doubt.
 */
#include <ctype.h>

#include "channel/channel_private.h"

static void
add_field(struct buf *form, const char *name, const char *value)
{
    buf_printf(form, "%s%s=", form->length == 0 ? "" : "&", name);
    for (const unsigned char *c = (const unsigned char *)value; *c != '\0'; c++) {
        if (isalnum(*c) || strchr("-._~", *c) != NULL)
            buf_add(form, (const char *)c, 1);
        else
            buf_printf(form, "%%%02X", *c);
    }
}

void
twilio_begin(struct channel_call *call)
{
    const char *from = channel_text(call, "from_number");
    const char *to = channel_text(call, "to_number");
    const char *body = channel_text(call, "body");
    struct buf form;
    char *url;

    if (!channel_is_one_line(call, "sms", "to_number") || !channel_is_one_line(call, "sms", "from_number"))
        return;
    if (to == NULL || body == NULL) {
        channel_fail(call, "payload", "sms payload: \"%s\" is not a text", to == NULL ? "to_number" : "body");
        return;
    }
    if (from == NULL)
        from = call->set->twilio_from;
    buf_init(&form, 3 * (strlen(body) + strlen(to) + strlen(from)) + 64);
    add_field(&form, "To", to);
    add_field(&form, strncmp(from, "MG", 2) == 0 ? "MessagingServiceSid" : "From", from);
    add_field(&form, "Body", body);
    url = must_format("%s/2010-04-01/Accounts/%s/Messages.json", call->set->twilio_url, call->set->twilio_sid);
    http_request_start(call->request, "POST", url, true);
    http_request_body(call->request, form.text, form.length);
    call->request->user = must_strdup(call->set->twilio_sid);
    call->request->password = must_strdup(call->set->twilio_token);
    channel_uses(call, call->set->twilio_token);
    buf_release(&form);
    free(url);
    if (channel_header(call, "Content-Type", "application/x-www-form-urlencoded"))
        channel_send(call);
}

void
twilio_take(struct channel_call *call, const struct http_answer *answer)
{
    json_t *object;

    if (channel_ended_unanswered(call, answer))
        return;
    object = channel_answer_object(answer);
    if (answer->status >= 200 && answer->status < 300)
        channel_succeed(call, json_pack("{s:s?, s:s?, s:s}", "message_id", channel_string_in(object, "sid"), "status",
                                  channel_string_in(object, "status"), "provider", "twilio"));
    else if (json_is_integer(json_object_get(object, "code")) && channel_string_in(object, "message") != NULL)
        channel_fail(call, channel_class_of(answer->status), "twilio API error (status %d): %lld: %.512s", answer->status,
            (long long)json_integer_value(json_object_get(object, "code")), channel_string_in(object, "message"));
    else
        channel_fail(call, channel_class_of(answer->status), "twilio API error (status %d)", answer->status);
    json_decref(object);
}
