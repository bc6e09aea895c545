/* Payloads of tasks, up to the request that would be sent: the first byte is the channel; then payload, body, secrets, key. */
#include "channel/channel.h"
#include "fuzz.h"

static void
check_request(const struct http_request *request)
{
    for (int i = 0; i < request->header_count; i++) {
        fuzz_check(!utf8_has_control(request->headers[i]));
        fuzz_check(strlen(request->headers[i]) <= BOUND_HEADER_BYTES + 256);
    }
    if (request->mail_to != NULL) {
        fuzz_check(fuzz_is_harmless(request->mail_from) && fuzz_is_harmless(request->mail_to));
        fuzz_check(strpbrk(request->mail_from, " \t") == NULL && strpbrk(request->mail_to, " \t") == NULL);
        fuzz_check(
            request->mail_from[0] == '<' && strchr(request->mail_to, '>') == request->mail_to + strlen(request->mail_to) - 1);
        /* Lines of a mail end in CR LF, are not too long, and have no control characters. */
        for (const char *c = request->body; *c != '\0';) {
            size_t length = strcspn(c, "\r\n");

            fuzz_check(length < 998 && c[length] == '\r' && c[length + 1] == '\n');
            for (size_t i = 0; i < length; i++)
                fuzz_check((unsigned char)c[i] >= ' ' || c[i] == '\t');
            c += length + 2;
        }
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const adapters[] = {"email", "sms", "file_delete", "http", "email"};
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
    struct channel_outcome outcome;
    struct http_request request;

    if (size < 1)
        return 0;
    if (data[0] % LENGTH(adapters) == LENGTH(adapters) - 1) {
        options.resend_key = NULL;
        options.smtp_url = "smtp://mail.example.com";
    }
    split = fuzz_split(data + 1, size - 1, 4);
    fuzz_check(channel_set_new(&options, &set, NULL));
    call = channel_call_new(set, channel_find(adapters[data[0] % LENGTH(adapters)]), split.texts[0],
        split.texts[1][0] == '\0' ? NULL : split.texts[1], split.texts[2], split.texts[3], NULL);
    if (channel_call_begin(call, &request) == CHANNEL_SEND) {
        check_request(&request);
    } else {
        channel_call_outcome(call, &outcome);
        fuzz_check(outcome.outcome != NULL);
        free(outcome.result);
        free(outcome.error);
    }
    http_request_release(&request);
    channel_call_free(call);
    channel_set_free(set);
    free(split.all);
    return 0;
}
