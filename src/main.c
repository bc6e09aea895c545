/*
 * Finds the command in the arguments, calls its function, and returns its exit code.
 */
#include <stdio.h>
#include <string.h>

#include "cli/bundle.h"
#include "cli/command.h"
#include "base/exit.h"
#include "cli/completion.h"
#include "cli/help.h"
#include "cli/man.h"
#include "cli/terminal.h"
#include "program/launcher.h"

static bool
is_one_of(const char *argument, const char *name, const char *letter)
{
    return strcmp(argument, name) == 0 || strcmp(argument, letter) == 0;
}

static int
print_version(void)
{
    (void)printf("reeve %s (schema %d)\n", PROGRAM_VERSION, bundle_schema_version());
    return EXIT_OK;
}

/* Prints the page that the words name: of a command, of a noun, or the overview. */
static int
print_help(int count, char **words)
{
    int width = terminal_width(stdout);
    int used = 0;
    const struct command *command = command_find(count, words, &used);

    if (count == 0)
        help_overview(stdout, width);
    else if (command != NULL && used == count)
        help_command(stdout, command, width);
    else if (count == 1 && command_noun(words[0]) != NULL)
        help_noun(stdout, command_noun(words[0]), width);
    else
        return help_refuse(count, words);
    return EXIT_OK;
}

/* Does a user ask for help, before the operands that follow "--"? */
static bool
wants_help(int argc, char **argv)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (is_one_of(argv[i], "--help", "-h"))
            return true;
    }
    return false;
}

static int
fail_usage(const struct command *command, const struct err *err)
{
    terminal_print(stderr, "reeve: %s\nhint: %s%sreeve %s --help\n", err->message, err->hint,
        err->hint[0] == '\0' ? "" : "  See: ", command->name);
    return strcmp(err->code, "usage") == 0 ? EXIT_USAGE : EXIT_CONFIG;
}

/* Has the command the operands that it needs, and no more? */
static bool
check_operands(const struct command *command, const struct config *config, struct err *err)
{
    int least;
    int most;

    command_operands(command, &least, &most);
    if (config->positional_count < least)
        return err_set(err, ERR_REFUSED, "usage", "too few arguments: reeve %s needs %s", command->name, command->operands);
    if (config->positional_count <= most)
        return true;
    return err_set(err, ERR_REFUSED, "usage", "too many arguments: reeve %s takes %s", command->name,
        command->operands == NULL ? "none" : command->operands);
}

static int
carry_out(const struct command *command, int argc, char **argv)
{
    struct config config;
    struct err err;
    int code;

    if (!config_read(&config, command->keys, argc, argv, &err))
        code = fail_usage(command, &err);
    else if (config.wants_version)
        code = print_version();
    else if (!check_operands(command, &config, &err))
        code = fail_usage(command, &err);
    else if (config_is_on(&config, CONFIG_WATCH))
        code = command_watch(command, &config);
    else
        code = command_run(command, &config);
    config_release(&config);
    return code;
}

/* Tables and pages for packages and for the check of the documents. */
static int
print_for_machines(const char *what, const char *name)
{
    if (strcmp(what, "--options") == 0)
        option_print_all(stdout);
    else if (strcmp(what, "--commands") == 0)
        command_print_all(stdout);
    else if (strcmp(what, "--exit-codes") == 0)
        man_print_exit_codes(stdout);
    else if (strcmp(what, "--man") == 0 && name == NULL)
        man_print_names(stdout);
    else if (strcmp(what, "--man") == 0)
        return man_print(stdout, name) ? EXIT_OK : EXIT_USAGE;
    else if (strcmp(what, "--completion") == 0)
        return name != NULL && completion_print(stdout, name) ? EXIT_OK : EXIT_USAGE;
    else
        return -1;
    return EXIT_OK;
}

int
main(int argc, char **argv)
{
    const struct command *command;
    int words = 0;
    int code;

    if (argc > 1 && strcmp(argv[1], LAUNCHER_FLAG) == 0)
        launcher_run(argc, argv);
    argv = config_take_arguments(argc, argv);
    if (argc < 2) {
        (void)print_help(0, NULL);
        return EXIT_USAGE;
    }
    if (is_one_of(argv[1], "--help", "-h") || strcmp(argv[1], "help") == 0)
        return print_help(argc - 2, argv + 2);
    if (is_one_of(argv[1], "--version", "-V"))
        return print_version();
    code = print_for_machines(argv[1], argc > 2 ? argv[2] : NULL);
    if (code >= 0)
        return code;
    command = command_find(argc - 1, argv + 1, &words);
    if (command != NULL && wants_help(argc - 1 - words, argv + 1 + words))
        return print_help(words, argv + 1);
    if (command != NULL)
        return carry_out(command, argc - 1 - words, argv + 1 + words);
    if (command_noun(argv[1]) != NULL && (argc == 2 || is_one_of(argv[2], "--help", "-h"))) {
        (void)print_help(1, argv + 1);
        return argc == 2 ? EXIT_USAGE : EXIT_OK;
    }
    return help_refuse(argc - 1, argv + 1);
}
