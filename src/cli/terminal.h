/*
 * Text on a terminal.  Strangers have written many texts that we print: payloads, errors of peers, names.  Characters that a
 * terminal would obey are written as escapes, and secrets are masked.
 */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdio.h>

#include "base/attr.h"

/* printf for foreign texts.  Line breaks and tabs stay.  A failure to write is ignored. */
void terminal_print(FILE *to, const char *format, ...) FORMAT(2, 3);

/* Columns of the terminal that `to` writes to; 80 if it is no terminal or does not say. */
int terminal_width(FILE *to);

/* Its lines; 24 if it does not say. */
int terminal_lines(FILE *to);

#endif
