/* Answers of peers, for every channel: the first byte is the channel, the second the status; then come headers and body. */
#include <jansson.h>

#include "channel/channel.h"
#include "fuzz.h"

static const struct {
    const char *adapter;
    const char *payload;
} calls[] = {
    {"email", "{\"from_address\":\"a@x\",\"to_address\":\"b@y\",\"subject\":\"s\",\"html\":\"h\"}"},
    {"sms", "{\"to_number\":\"+1\",\"body\":\"b\"}"},
    {"file_delete", "{\"file_id\":\"f\",\"bucket\":\"b\",\"key\":\"k\",\"object_key\":\"k\"}"},
    {"http", "{\"url\":\"https://example.com/\",\"method\":\"POST\"}"},
    {"http", "{\"url\":\"https://example.com/\",\"method\":\"POST\",\"job\":true}"},
    {"email", "{\"from_address\":\"a@x\",\"to_address\":\"b@y\",\"subject\":\"s\",\"html\":\"h\"}"},
};

static void
check_outcome(struct channel_call *call)
{
    struct channel_outcome outcome;
    json_t *json;

    channel_call_outcome(call, &outcome);
    fuzz_check(outcome.outcome != NULL);
    if (outcome.result != NULL) {
        json = json_loads(outcome.result, 0, NULL);
        fuzz_check(json_is_object(json) && utf8_is_valid(outcome.result, strlen(outcome.result)));
        fuzz_check(strlen(outcome.result) < 8 * BOUND_BODY_BYTES);
        json_decref(json);
    }
    fuzz_check(outcome.error == NULL || strlen(outcome.error) < 4096);
    free(outcome.result);
    free(outcome.error);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const int statuses[] = {200, 201, 204, 250, 302, 400, 404, 409, 410, 422, 429, 450, 500, 503, 550, 0};
    struct channel_options options = {.resend_key = "key-of-resend",
        .resend_url = "https://api.resend.com",
        .twilio_sid = "AC1",
        .twilio_token = "token",
        .twilio_from = "+1",
        .twilio_url = "https://api.twilio.com",
        .file_service_url = "https://files.example.com",
        .file_service_key = "key-of-files",
        .email_rate = -1,
        .sms_rate = -1};
    struct fuzz_texts split;
    struct channel_set *set = NULL;
    struct channel_call *call;
    struct http_request request;
    struct buf head;
    struct buf body;
    size_t n;
    size_t start;
    enum channel_step step;

    if (size < 2)
        return 0;
    n = data[0] % LENGTH(calls);
    if (n == LENGTH(calls) - 1) {
        options.resend_key = NULL;
        options.smtp_url = "smtp://mail.example.com";
    }
    fuzz_check(channel_set_new(&options, &set, NULL));
    split = fuzz_split(data + 2, size - 2, 1);
    start = strlen(split.texts[0]) + 3;
    call = channel_call_new(set, channel_find(calls[n].adapter), calls[n].payload, NULL, NULL, "key", NULL);
    buf_init(&head, BOUND_HEADER_BYTES);
    buf_init(&body, BOUND_BODY_BYTES);
    buf_puts(&head, split.texts[0]);
    if (start < size)
        buf_add(&body, (const char *)data + start, size - start);
    step = channel_call_begin(call, &request);
    /* file_delete asks twice */
    for (int i = 0; i < 3 && step == CHANNEL_SEND; i++) {
        struct http_answer answer = {.end = HTTP_ANSWERED,
            .status = statuses[(data[1] + i) % LENGTH(statuses)],
            .headers = &head,
            .body = &body,
            .is_truncated = (data[1] & 0x80) != 0,
            .problem = ""};
        size_t length;

        (void)http_answer_header(&answer, "retry-after", &length);
        http_request_release(&request);
        step = channel_call_take(call, &answer, &request);
    }
    if (step == CHANNEL_DONE)
        check_outcome(call);
    http_request_release(&request);
    channel_call_free(call);
    channel_set_free(set);
    buf_release(&head);
    buf_release(&body);
    free(split.all);
    return 0;
}
