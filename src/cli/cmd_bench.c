#include "cli/command.h"
int
cmd_bench(const struct command *command, const struct config *config)
{
    (void)command;
    (void)config;
    return 0;
}
