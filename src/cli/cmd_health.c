/*
 * reeve health: asks a worker on this machine how it is.  For health checks of containers, which have no other program.
 */
#include "base/exit.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "web/web_probe.h"

int
cmd_health(const struct command *command, const struct config *config)
{
    const char *address = config_text(config, CONFIG_LISTEN);
    const char *path = config->positional_count > 0 ? config->positionals[0] : "/readyz";
    struct web_reply reply;
    struct err err;

    (void)command;
    if (!web_probe(address == NULL ? "127.0.0.1:9464" : address, path, &reply, &err)) {
        terminal_print(stderr, "reeve: %s\n", err.message);
        return EXIT_UNEXPECTED;
    }
    terminal_print(stdout, "%s\n", reply.text);
    return reply.status == 200 ? EXIT_OK : EXIT_UNEXPECTED;
}
