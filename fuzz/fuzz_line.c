/* What a child of a program writes: bytes as lines, lines as messages, and its output. */
#include "fuzz.h"
#include "program/lines.h"
#include "program/program_private.h"
#include "program/protocol.h"

static bool
take_line(void *cookie, const char *text, size_t length)
{
    struct protocol_message message;
    struct err err;

    (void)cookie;
    if (text == NULL)
        return true;
    fuzz_check(length <= 4096 && text[length] == '\0');
    if (!protocol_read(text, length, &message, &err)) {
        fuzz_check(err.message[0] != '\0');
        return true;
    }
    if (message.kind == PROTOCOL_HELLO) {
        fuzz_check(message.at_once >= 1 && message.at_once <= BOUND_CHILD_TASKS && message.types[0] == '{');
        fuzz_check(strlen(message.types) > 4);
    } else {
        fuzz_check(message.id >= 1);
    }
    if (message.kind == PROTOCOL_RESULT || message.kind == PROTOCOL_PROGRESS)
        fuzz_check(protocol_is_json(message.value, strlen(message.value)));
    if (message.kind == PROTOCOL_FAILURE)
        fuzz_check(utf8_is_valid(message.error, strlen(message.error)) && message.retry_after <= BOUND_RETRY_AFTER_S);
    protocol_message_release(&message);
    return true;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lines lines;
    struct output output;
    size_t half = size == 0 ? 0 : data[0] % size;
    char *words;
    char *result;

    lines_init(&lines, 4096);
    lines_take(&lines, (const char *)data, half, take_line, NULL);
    lines_take(&lines, (const char *)data + half, size - half, take_line, NULL);
    (void)lines_are_broken(&lines);
    lines_release(&lines);

    fuzz_check(log_set_level("error"));
    output_init(&output);
    output_take(&output, 0, (const char *)data, half, 1, 0);
    output_take(&output, 1, (const char *)data + half, size - half, 1, 17);
    output_end(&output, 1, 0);
    words = output_last_words(&output);
    fuzz_check(fuzz_is_harmless(words));
    result = output_result(&output, true, 1);
    fuzz_check(protocol_is_json(result, strlen(result)) && strlen(result) <= BOUND_CHILD_OUTPUT_BYTES);
    free(words);
    free(result);
    output_release(&output);
    return 0;
}
