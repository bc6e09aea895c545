/* reeve top without a terminal: the same lines as plain text. */
#ifndef CLI_TOP_TEXT_H
#define CLI_TOP_TEXT_H

#include "config/config.h"

/* Prints one page; with an interval, one after each interval, until a signal or until nobody reads any more.  A connection that
 * is lost meanwhile is reported and made again.  Returns the exit code. */
int top_print(const struct config *config, int64_t interval_ms);

#endif
