/*
 * Named secrets.  The program reads a value from standard input and seals it; the plain value never leaves the program.
 */
#include <ctype.h>

#include "base/buf.h"
#include "channel/secret.h"
#include "channel/vault.h"
#include "cli/command.h"
#include "base/exit.h"

static bool
read_key(const struct config *config, struct vault_key *ret_key, struct err *err)
{
    const char *text = config_text(config, CONFIG_VAULT_KEY);

    if (text != NULL && text[0] != '\0')
        return vault_key_read(text, ret_key, err);
    (void)err_set(err, ERR_REFUSED, "", "REEVE_VAULT_KEY, the key that seals secrets, is not set");
    return err_hint(err, "Make a key, and set the same key for every worker: openssl rand -hex 32");
}

/* All of standard input, without the line end that an editor or echo adds.  NULL: it is empty, too long, or has a NUL. */
static char *
read_value(void)
{
    char *value = must_alloc(BOUND_SECRET_BYTES + 2);
    size_t length = fread(value, 1, BOUND_SECRET_BYTES + 1, stdin);

    while (length > 0 && (value[length - 1] == '\n' || value[length - 1] == '\r'))
        length--;
    value[length] = '\0';
    if (length > 0 && length <= BOUND_SECRET_BYTES && strlen(value) == length)
        return value;
    secret_free(value);
    return NULL;
}

int
cmd_secret_set(const struct command *command, const struct config *config)
{
    const char *name = config->positionals[0];
    struct vault_key key;
    struct err err;
    struct db_once *db;
    char *value;
    char *sealed;
    int code = EXIT_OK;

    (void)command;
    if (!read_key(config, &key, &err)) {
        (void)command_fail(&err);
        return EXIT_CONFIG;
    }
    value = read_value();
    if (value == NULL) {
        (void)err_set(&err, ERR_REFUSED, "usage", "the value is read from standard input: it is empty, too long, or has a NUL");
        return command_fail(&err);
    }
    sealed = vault_seal(&key, name, value);
    explicit_bzero(&key, sizeof(key));
    secret_free(value);
    if (command_connect(config, &db, &code)) {
        const char *params[] = {name, sealed, config->positional_count > 1 ? config->positionals[1] : NULL};

        if (!command_print(db, config, "select $1 as name, internal.put_secret($1, $2, $3) as answer", 3, params, NULL, &err))
            code = command_fail(&err);
        db_once_close(db);
    }
    free(sealed);
    return code;
}
