/*
 * Man pages in roff, made from the tables of commands and options.
 */
#ifndef CLI_MAN_H
#define CLI_MAN_H

#include <stdbool.h>
#include <stdio.h>

/* Prints the names of all pages, one per line: "reeve.1", "reeve-task.1", "reeve.env.5", "reeve.7". */
void man_print_names(FILE *to);

/* Prints the page of this name.  False: there is none. */
bool man_print(FILE *to, const char *name);

/* Prints the exit codes as "code|meaning", for machines. */
void man_print_exit_codes(FILE *to);

#endif
