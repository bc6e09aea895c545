/*
 * One call of a channel, as its owner sees it: begin, check the request, give an answer, check the outcome.
 */
#ifndef UNIT_CALLS_H
#define UNIT_CALLS_H

#include <jansson.h>
#include <strings.h>

#include "channel/channel.h"

struct call {
    struct channel_set *set;
    struct channel_call *channel;
    struct http_request request;
    enum channel_step step;
    struct channel_outcome outcome;
};

static inline struct channel_set *
set_of(struct channel_options options)
{
    struct channel_set *set = NULL;
    struct err err = {0};

    if (!channel_set_new(&options, &set, &err))
        fail_msg("%s", err.message);
    return set;
}

/* Begins a call with the values that the database has for it.  The call owns the set from now on. */
static inline struct call
call_begin_with(
    struct channel_set *set, const char *adapter, const char *payload, const char *body, const char *secrets, const char *key)
{
    struct call call = {.set = set};

    assert_non_null(channel_provider(set, channel_find(adapter)));
    call.channel = channel_call_new(set, channel_find(adapter), payload, body, secrets, key, NULL);
    call.step = channel_call_begin(call.channel, &call.request);
    if (call.step == CHANNEL_DONE)
        channel_call_outcome(call.channel, &call.outcome);
    return call;
}

static inline struct call
call_begin(struct channel_set *set, const char *adapter, const char *payload, const char *body, const char *key)
{
    return call_begin_with(set, adapter, payload, body, NULL, key);
}

static inline void
call_take(struct call *call, struct http_answer answer, const char *body, size_t length, const char *headers)
{
    struct buf head;
    struct buf content;

    assert_int_equal(call->step, CHANNEL_SEND);
    http_request_release(&call->request);
    buf_init(&head, BOUND_HEADER_BYTES);
    buf_init(&content, BOUND_BODY_BYTES);
    buf_puts(&head, headers);
    buf_add(&content, body, length);
    answer.headers = &head;
    answer.body = &content;
    call->step = channel_call_take(call->channel, &answer, &call->request);
    if (call->step == CHANNEL_DONE)
        channel_call_outcome(call->channel, &call->outcome);
    buf_release(&head);
    buf_release(&content);
}

/* The provider answers with this status and body. */
static inline void
call_answer(struct call *call, int status, const char *body)
{
    call_take(
        call, (struct http_answer){.end = HTTP_ANSWERED, .status = status, .took_ms = 12, .problem = ""}, body, strlen(body), "");
}

/* The transfer ends without an answer. */
static inline void
call_lose(struct call *call, enum http_end end, const char *problem)
{
    call_take(call, (struct http_answer){.end = end, .problem = problem}, "", 0, "");
}

static inline void
call_end(struct call *call)
{
    free(call->outcome.result);
    free(call->outcome.error);
    http_request_release(&call->request);
    channel_call_free(call->channel);
    channel_set_free(call->set);
}

/* The value of a header of the request, or NULL; names may differ in case. */
static inline const char *
call_header(const struct call *call, const char *name)
{
    size_t length = strlen(name);

    for (int i = 0; i < call->request.header_count; i++) {
        const char *line = call->request.headers[i];

        if (strncasecmp(line, name, length) == 0 && strncmp(line + length, ": ", 2) == 0)
            return line + length + 2;
    }
    return NULL;
}

/* Are both equal as JSON?  NULL: no text. */
static inline void
assert_json_equal(const char *text, const char *expected)
{
    json_t *a = text == NULL ? NULL : json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    json_t *b = expected == NULL ? NULL : json_loads(expected, JSON_REJECT_DUPLICATES, NULL);

    if (a == NULL || b == NULL ? text != NULL || expected != NULL : !json_equal(a, b))
        fail_msg("%s is not %s", text == NULL ? "NULL" : text, expected == NULL ? "NULL" : expected);
    json_decref(a);
    json_decref(b);
}

static inline void
assert_text_equal(const char *text, const char *expected)
{
    if (text == NULL || expected == NULL)
        assert_ptr_equal(text, expected);
    else
        assert_string_equal(text, expected);
}

static inline void
assert_outcome(const struct call *call, const char *outcome, const char *result, const char *error, const char *error_class)
{
    assert_int_equal(call->step, CHANNEL_DONE);
    assert_string_equal(call->outcome.outcome, outcome);
    assert_json_equal(call->outcome.result, result);
    assert_text_equal(call->outcome.error, error);
    assert_text_equal(call->outcome.error_class, error_class);
}

#endif
