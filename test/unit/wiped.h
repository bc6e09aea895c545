/*
 * What the program wipes.  The two functions below stand in for libc's explicit_bzero, by its
 * plain and by its fortified name: they note the text, then wipe it.
 */
#ifndef UNIT_WIPED_H
#define UNIT_WIPED_H

#include <stdbool.h>
#include <string.h>

static char wiped_texts[8192]; /* each followed by a newline */
static size_t wiped_length;

void wiped_note(void *memory, size_t length) __asm__("explicit_bzero");
void wiped_note_checked(void *memory, size_t length, size_t most) __asm__("__explicit_bzero_chk");

void
wiped_note(void *memory, size_t length)
{
    size_t size = strnlen(memory, length);

    if (wiped_length + size + 2 < sizeof(wiped_texts)) {
        memcpy(wiped_texts + wiped_length, memory, size);
        wiped_length += size;
        wiped_texts[wiped_length++] = '\n';
        wiped_texts[wiped_length] = '\0';
    }
    for (volatile char *c = memory; length > 0; length--)
        *c++ = 0;
}

void
wiped_note_checked(void *memory, size_t length, size_t most)
{
    (void)most;
    wiped_note(memory, length);
}

/* Was memory wiped that held this text? */
static inline bool
was_wiped(const char *text)
{
    return strstr(wiped_texts, text) != NULL;
}

static inline void
wiped_forget(void)
{
    wiped_length = 0;
    wiped_texts[0] = '\0';
}

#endif
