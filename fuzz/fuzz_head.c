/* Header lines of HTTP and replies of SMTP, as the library passes them. */
#include "../src/http/http_client.c" /* The functions are static. */

#include "fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct http_transfer transfer = {.target.is_smtp = false};
    struct http_answer answer = {.headers = &transfer.head};
    size_t length = 0;
    const char *value;

    buf_init(&transfer.head, BOUND_HEADER_BYTES);
    for (size_t at = 0; at < size;) {
        const char *line = (const char *)data + at;
        const char *end = memchr(line, '\n', size - at);
        size_t bytes = end == NULL ? size - at : (size_t)(end - line) + 1;

        if (memchr(line, '\0', bytes) == NULL)
            keep_header(&transfer, line, bytes);
        at += bytes;
    }
    fuzz_check(transfer.head.length == 0 || transfer.head.overflowed || transfer.head.text[transfer.head.length - 1] == '\n');
    value = http_answer_header(&answer, "retry-after", &length);
    fuzz_check(value == NULL || value + length <= transfer.head.text + transfer.head.length);
    buf_clear(&transfer.head);
    transfer.target.is_smtp = true;
    if (size > 0)
        http_mail_take_reply(&transfer, (const char *)data, size);
    buf_release(&transfer.head);
    return 0;
}
