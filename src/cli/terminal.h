/*
 * Text on a terminal.  Much of what we print was written by strangers: payloads, errors of
 * peers, names.  Whatever a terminal would obey is shown instead, and secrets are masked.
 */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdio.h>

#include "base/attr.h"

/* printf for texts that are not our own.  Line breaks and tabs stay. */
void terminal_print(FILE *to, const char *format, ...) FORMAT(2, 3);

#endif
