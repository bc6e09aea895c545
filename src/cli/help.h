/*
 * Help pages, made from the tables of commands and options, and the texts of an option that man pages and completions share
 * with them.
 */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include <stdio.h>

#include "base/buf.h"
#include "cli/command.h"

/* Print the overview of all commands, the commands of a noun, and the page of a command, in lines of `width` characters. */
void help_overview(FILE *to, int width);
void help_noun(FILE *to, const struct noun *noun, int width);
void help_command(FILE *to, const struct command *command, int width);

/* Adds the form of an option: "-o, --output FORMAT"; for an option without a flag, its variable. */
void help_option_form(struct buf *to, const struct option_row *row);

/* Adds the meaning of an option: its help, its words, its default and its variable. */
void help_option_text(struct buf *to, const struct option_row *row);

/* Prints why the words name no command, and the command that was probably meant.  Returns the exit code. */
int help_refuse(int count, char **words);

#endif
