/*
 * reeve run: a worker whose tasks are carried out by children, in any language.
 */
#include <errno.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/bounds.h"
#include "base/buf.h"
#include "base/exit.h"
#include "base/log.h"
#include "cli/child_env.h"
#include "cli/command.h"
#include "program/launcher.h"
#include "program/program.h"
#include "program/protocol.h"

/* Can the program be executed?  It is looked up like the shell does. */
static bool
is_executable(const char *name)
{
    const char *path = getenv("PATH");

    if (strchr(name, '/') != NULL)
        return access(name, X_OK) == 0;
    for (const char *at = path == NULL ? "/usr/bin:/bin" : path; at != NULL; at = strchr(at, ':')) {
        char *file;
        bool is_there;

        at += *at == ':';
        file = must_format("%.*s/%s", (int)strcspn(at, ":"), at, name);
        is_there = access(file, X_OK) == 0;
        free(file);
        if (is_there)
            return true;
    }
    return false;
}

/* Turns a,b into {"a","b"}. */
static bool
read_types(const char *list, struct buf *literal, struct err *err)
{
    char *copy = must_strdup(list);
    char *rest = copy;
    char *item;
    bool is_fine = true;

    while (is_fine && (item = strsep(&rest, ",")) != NULL) {
        if (item[0] == '\0')
            continue;
        is_fine = protocol_is_type(item) || err_set(err, ERR_REFUSED, "", "\"%s\" is not the name of a task type", item);
        buf_printf(literal, "%s\"%s\"", literal->length == 0 ? "{" : ",", item);
    }
    buf_puts(literal, "}");
    free(copy);
    return is_fine;
}

/* Reads the options of the children.  False: one is wrong, as `err` says. */
static bool
read_options(const struct config *config, struct program_options *options, struct buf *types, struct err *err)
{
    const char *list = config_text(config, CONFIG_TYPES);

    if (options->is_once && list == NULL)
        return err_set(err, ERR_REFUSED, "", "--once-per-task needs --types") || err_hint(err, "Such a program says no hello.");
    if (options->is_once && options->is_stdio)
        return err_set(err, ERR_REFUSED, "", "--stdio and --once-per-task exclude each other");
    if (list != NULL && !read_types(list, types, err))
        return false;
    options->types = list == NULL ? NULL : types->text;
    if (!launcher_check(options->mask, options->limits, options->user, err))
        return false;
    if (options->directory != NULL && access(options->directory, X_OK) != 0)
        return err_set(err, ERR_REFUSED, "", "cannot enter directory \"%s\": %s", options->directory, strerror(errno));
    if (options->directory == NULL && !is_executable(options->command[0]))
        return err_set(err, ERR_REFUSED, "", "cannot execute \"%s\"", options->command[0]);
    return child_env_make(config_text(config, CONFIG_ENV), config_text(config, CONFIG_ENV_FILE), &options->environment, err);
}

int
cmd_run(const struct command *command, const struct config *config)
{
    struct program_options options = {
        .processes = (int)config_number(config, CONFIG_PROCESSES),
        .is_stdio = config_is_on(config, CONFIG_STDIO),
        .is_once = config_is_on(config, CONFIG_ONCE_PER_TASK),
        .hello_ms = config_ms(config, CONFIG_HELLO_TIMEOUT),
        .kill_ms = config_ms(config, CONFIG_KILL_GRACE),
        .ping_ms = config_ms(config, CONFIG_PING),
        .max_tasks = config_number(config, CONFIG_MAX_TASKS_PER_CHILD),
        .memory_bytes = config_number(config, CONFIG_CHILD_MEMORY) * 1048576,
        .keeps_output = config_is_on(config, CONFIG_KEEP_OUTPUT),
        .mask = config_text(config, CONFIG_UMASK),
        .limits = config_text(config, CONFIG_LIMITS),
        .user = config_text(config, CONFIG_USER),
        .directory = config_text(config, CONFIG_DIRECTORY),
    };
    struct program *program;
    struct buf types;
    struct err err;
    int code;

    (void)command;
    buf_init(&types, 65536);
    options.command = must_alloc(((size_t)config->positional_count + 1) * sizeof(*options.command));
    for (int i = 0; i < config->positional_count; i++)
        options.command[i] = must_strdup(config->positionals[i]);
    /* A child of the same user cannot read our environment and memory, which hold secrets. */
    (void)prctl(PR_SET_DUMPABLE, 0);
    if (!read_options(config, &options, &types, &err)) {
        (void)command_fail(&err);
        code = EXIT_CONFIG;
    } else {
        program = program_new(&options);
        code = work_with(config, program_carrier(program));
        program_free(program);
    }
    child_env_free(options.environment);
    for (int i = 0; i < config->positional_count; i++)
        free(options.command[i]);
    free(options.command);
    buf_release(&types);
    return code;
}
