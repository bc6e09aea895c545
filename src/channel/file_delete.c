/*
 * Deletion of a file: the files service returns a signed URL, and a DELETE goes there.  The URL is a credential: it is not
 * stored, not returned and not logged.  A second deletion does no harm, so a lost answer is a plain failure.
 */
#include "channel/channel_private.h"
#include "http/http_policy.h"

void
file_delete_begin(struct channel_call *call)
{
    json_t *question = json_pack("{s:O}", "file_id", json_object_get(call->payload, "file_id"));
    char *text = question == NULL ? NULL : json_dumps(question, JSON_COMPACT);
    char *url;

    json_decref(question);
    if (text == NULL) {
        channel_fail(call, "payload", "file_delete payload: missing \"file_id\"");
        return;
    }
    url = must_format("%s/signed_delete_url", call->set->file_service_url);
    http_request_start(call->request, "POST", url, true);
    http_request_body(call->request, text, strlen(text));
    channel_uses(call, call->set->file_service_key);
    call->request->is_repeatable = true;
    free(url);
    free(text);
    if (channel_header(call, "X-File-Service-Api-Key", call->set->file_service_key)
        && channel_header(call, "Content-Type", "application/json"))
        channel_send(call);
}

/* A request that was not sent or not answered can be repeated, so both are plain failures. */
static bool
ended_unanswered(struct channel_call *call, const struct http_answer *answer, const char *what)
{
    if (answer->end == HTTP_ANSWERED)
        return false;
    if (answer->end == HTTP_REFUSED)
        channel_fail(call, "policy", "%s", answer->problem);
    else
        channel_fail(call, "network", "%s: %s", what, answer->problem);
    return true;
}

static bool
lists_host(const char *list, const char *host)
{
    size_t length = strlen(host);

    for (const char *item = list; *item != '\0';) {
        size_t size;

        item += strspn(item, ", ");
        size = strcspn(item, ", ");
        if (size == length && strncasecmp(item, host, length) == 0)
            return true;
        item += size;
    }
    return false;
}

static void
ask_store(struct channel_call *call, const char *url)
{
    char host[256];

    if (!http_url_host(url, host, sizeof(host))) {
        channel_fail(call, "policy", "signed delete url refused: not an http url");
    } else if (call->set->file_delete_hosts != NULL && !lists_host(call->set->file_delete_hosts, host)) {
        channel_fail(call, "policy", "signed delete url refused: host \"%s\"", host);
    } else {
        http_request_start(call->request, "DELETE", url, false);
        channel_uses(call, url);
        call->request->is_repeatable = true;
        channel_send(call);
    }
}

static void
take_signed_url(struct channel_call *call, const struct http_answer *answer)
{
    json_t *object;

    if (ended_unanswered(call, answer, "files service"))
        return;
    object = channel_answer_object(answer);
    if (answer->status >= 300)
        channel_fail(call, channel_class_of(answer->status), "files service returned status %d", answer->status);
    else if (channel_string_in(object, "url") == NULL)
        channel_fail(call, "server", "files service answer has no url");
    else
        ask_store(call, channel_string_in(object, "url"));
    json_decref(object);
}

void
file_delete_take(struct channel_call *call, const struct http_answer *answer)
{
    bool is_gone;

    if (call->request_no == 1) {
        take_signed_url(call, answer);
        return;
    }
    if (ended_unanswered(call, answer, "delete"))
        return;
    is_gone = answer->status == 404 || answer->status == 410;
    if (is_gone || (answer->status >= 200 && answer->status < 300))
        channel_succeed(call, json_pack("{s:O, s:s}", "file_id", json_object_get(call->payload, "file_id"), "delete_status",
                                  is_gone ? "already_gone" : "deleted"));
    else
        channel_fail(call, channel_class_of(answer->status), "delete returned status %d", answer->status);
}
