/*
 * Completions of shells, made from the tables of commands and options.
 */
#ifndef CLI_COMPLETION_H
#define CLI_COMPLETION_H

#include <stdbool.h>
#include <stdio.h>

/* Prints the script for bash, zsh or fish.  False: it is none of these. */
bool completion_print(FILE *to, const char *shell);

#endif
