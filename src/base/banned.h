/*
 * Functions that cannot be used safely become compile errors.  Included by every
 * source file through base/log.h or base/err.h.
 */
#ifndef BASE_BANNED_H
#define BASE_BANNED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Under clang some of these are macros already; gcc checks the same sources. */
#ifndef __clang__
#pragma GCC poison strcpy strcat strncpy strncat sprintf vsprintf strtok gets atoi atol atoll atof
#pragma GCC poison gmtime localtime ctime asctime
#endif

#endif
