/* Traceparents, and the settings of the exporter of traces. */
#include "fuzz.h"
#include "trace/trace_export.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_texts split = fuzz_split(data, size, 3);
    struct trace_options options = {.url = split.texts[1], .headers = split.texts[2]};
    struct trace_context context;
    struct err err;

    if (trace_read(split.texts[0], &context)) {
        fuzz_check(strlen(split.texts[0]) == TRACE_PARENT_SIZE - 1);
        fuzz_check(strncmp(split.texts[0] + 3, context.trace_id, TRACE_ID_SIZE - 1) == 0);
        fuzz_check(strncmp(split.texts[0] + 36, context.span_id, TRACE_SPAN_SIZE - 1) == 0);
    }
    if (!trace_options_check(&options, &err))
        fuzz_check(err.message[0] != '\0');
    free(split.all);
    return 0;
}
