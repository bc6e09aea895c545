/*
 * Provider "log", for development: sends nothing, logs that, and answers like the other providers.
 */
#include "base/log.h"
#include "channel/channel_private.h"

static json_t *
made_id(struct channel_call *call, const char *prefix)
{
    const char *id = channel_text(call, "message_id");

    return json_sprintf("%s_%s", prefix, id == NULL ? call->key : id);
}

void
email_log_begin(struct channel_call *call)
{
    const char *to = channel_text(call, "to_address");

    if (!channel_is_one_line(call, "email", "to_address") || !channel_is_one_line(call, "email", "subject")
        || !channel_is_one_line(call, "email", "from_address"))
        return;
    log_event(LOG_INFO, "e-mail not sent, its provider is log", "key", call->key, NULL);
    if (to != NULL && strcmp(to, "fail@example.com") == 0)
        channel_fail(call, "refused", "simulated failure");
    else
        channel_succeed(call, json_pack("{s:o, s:s}", "id", made_id(call, "email"), "provider", "log"));
}

void
sms_log_begin(struct channel_call *call)
{
    const char *to = channel_text(call, "to_number");
    size_t length;

    if (to == NULL)
        to = "";
    length = strlen(to);
    if (!channel_is_one_line(call, "sms", "to_number"))
        return;
    log_event(
        LOG_INFO, "sms not sent, its provider is log", "key", call->key, "to_ends", length < 2 ? "" : to + length - 2, NULL);
    if (strcmp(to, "+15005550001") == 0)
        channel_fail(call, "refused", "simulated failure");
    else
        channel_succeed(call, json_pack("{s:o, s:s}", "message_id", made_id(call, "sms"), "status", "sent"));
}
