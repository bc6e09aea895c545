/*
 * A fuzz target is a function that reads whatever it is given.  It says what must hold by
 * fuzz_check; everything else is seen by the sanitizers.  The same file is linked with libFuzzer
 * (make fuzz), and with replay.c, which plays the corpus again (make check-unit).
 */
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the program where something does not hold. */
static inline void
fuzz_check(bool holds)
{
    if (!holds)
        abort();
}

/* The input as texts that are separated by NUL, as many as are wanted; what is missing is empty. */
struct fuzz_texts {
    char *all;
    const char *texts[16];
};

static inline struct fuzz_texts
fuzz_split(const uint8_t *data, size_t size, int count)
{
    struct fuzz_texts split = {.all = must_alloc(size + 2)};
    size_t at = 0;

    if (size > 0)
        memcpy(split.all, data, size);
    for (int i = 0; i < count; i++) {
        split.texts[i] = split.all + at;
        at += strlen(split.all + at);
        at += at < size;
    }
    return split;
}

/* Nothing that a terminal, a log or the other side of a connection would obey. */
static inline bool
fuzz_is_harmless(const char *text)
{
    return utf8_is_valid(text, strlen(text)) && !utf8_has_control(text);
}

#endif
