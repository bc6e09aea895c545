/*
 * Finds the command in the arguments, calls its function, and returns its exit code.
 */
#include <stdio.h>
#include <string.h>

#include "cli/bundle.h"
#include "cli/command.h"
#include "base/exit.h"
#include "cli/terminal.h"
#include "program/launcher.h"

static void
print_usage(FILE *to)
{
    (void)fprintf(
        to, "reeve %s: supervised background work for PostgreSQL\n\nusage: reeve COMMAND [OPTION ...]\n\n", PROGRAM_VERSION);
    for (int i = 0; i < command_count; i++)
        (void)fprintf(to, "  %-18s %s\n", commands[i].name, commands[i].summary);
    (void)fputs("\nreeve COMMAND --help lists the options of a command.\n", to);
}

static void
print_help(const struct command *command)
{
    bool has_options_first = strncmp(command->operands, "--", 2) == 0;

    (void)printf("usage: reeve %s%s%s%s%s\n\n%s\n\n", command->name, has_options_first ? " [OPTION ...]" : "",
        command->operands[0] == '\0' ? "" : " ", command->operands, has_options_first ? "" : " [OPTION ...]", command->summary);
    config_print_help(stdout, command->keys);
}

/* The command named by the first word, or by the first two. */
static const struct command *
find_command(int argc, char **argv, int *ret_words)
{
    for (int i = 0; i < command_count; i++) {
        const char *space = strchr(commands[i].name, ' ');
        size_t first = space == NULL ? strlen(commands[i].name) : (size_t)(space - commands[i].name);

        if (strlen(argv[1]) != first || strncmp(argv[1], commands[i].name, first) != 0)
            continue;
        if (space == NULL || (argc > 2 && strcmp(argv[2], space + 1) == 0)) {
            *ret_words = space == NULL ? 2 : 3;
            return &commands[i];
        }
    }
    return NULL;
}

static int
usage_error(const char *message, const char *command)
{
    terminal_print(stderr, "reeve: %s\nhint: reeve %s--help\n", message, command);
    return EXIT_USAGE;
}

/* An argument in the wrong position may be a URL with a password, so it is not repeated. */
static const char *
shown(const char *argument)
{
    return strstr(argument, "://") != NULL || strchr(argument, '=') != NULL ? "..." : argument;
}

int
main(int argc, char **argv)
{
    const struct command *command;
    struct config config;
    struct err err;
    char where[64];
    int words = 0;
    int code;

    if (argc > 1 && strcmp(argv[1], LAUNCHER_FLAG) == 0)
        launcher_run(argc, argv);
    argv = config_take_arguments(argc, argv);
    if (argc < 2)
        return usage_error("no command given", "");
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        print_usage(stdout);
        return EXIT_OK;
    }
    if (strcmp(argv[1], "--version") == 0) {
        (void)printf("reeve %s (schema %d)\n", PROGRAM_VERSION, bundle_schema_version());
        return EXIT_OK;
    }
    if (strcmp(argv[1], "--options") == 0) {
        config_print_table(stdout);
        return EXIT_OK;
    }
    command = find_command(argc, argv, &words);
    if (command == NULL) {
        char text[128];

        (void)snprintf(text, sizeof(text), "unknown command \"%.60s%s%.20s\"", shown(argv[1]), argc > 2 ? " " : "",
            argc > 2 ? shown(argv[2]) : "");
        return usage_error(text, "");
    }
    (void)snprintf(where, sizeof(where), "%s ", command->name);
    if (!config_read(&config, command->keys, argc - words, argv + words, &err)) {
        bool is_usage = strcmp(err.code, "usage") == 0;

        config_release(&config);
        (void)usage_error(err.message, where);
        return is_usage ? EXIT_USAGE : EXIT_CONFIG;
    }
    if (config.wants_help) {
        print_help(command);
        code = EXIT_OK;
    } else if (config.wants_version) {
        (void)printf("reeve %s (schema %d)\n", PROGRAM_VERSION, bundle_schema_version());
        code = EXIT_OK;
    } else if (config.positional_count < command->operands_min || config.positional_count > command->operands_max) {
        code = usage_error(config.positional_count < command->operands_min ? "too few arguments" : "too many arguments", where);
    } else {
        code = command->function(command, &config);
    }
    config_release(&config);
    return code;
}
