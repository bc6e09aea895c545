/*
 * reeve new process, command and webhook: SQL that is the same each time, written into files of the user's own.  The texts are in
 * templates/; this file has the values for their gaps.
 */
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/exit.h"
#include "cli/command.h"
#include "cli/new_files.h"
#include "cli/new_values.h"
#include "cli/sql_name.h"
#include "cli/terminal.h"

enum {
    PROCESS_AFFIX = 21, /* bytes of record_lost_..._attempts */
    COMMAND_AFFIX = 8,  /* bytes of enqueue_... */
    HOUR_MS = 3600000,
    FIRST_DELAY_DAYS = 30, /* longest first delay */
    DRAFT_VALUES = 24,     /* most gaps of a template */
    DRAFT_WORDS = 4,       /* most words that are on */
};

/* What carries out an attempt. */
struct via {
    const char *word;       /* value of --via */
    const char *does;       /* a process that ... */
    const char *sends;      /* what one attempt ... */
    const char *request;    /* the before handler returns ... */
    const char *parameters; /* parameters of the kickoff function */
    const char *columns;    /* columns of the root */
    const char *arguments;  /* the parameters again, as values of these columns */
    const char *types;      /* their types */
    const char *example;    /* values for them */
    const char *worker;     /* options with which a worker can be tried without credentials; "": none are needed */
};

/* clang-format off */
static const struct via vias[] = {
    {"http", "calls an HTTP API", "sends", "the HTTP request", "_body jsonb", "body", "_body", "jsonb", "'{\"n\": 1}'", ""},
    {"email", "sends an e-mail", "sends", "the e-mail", "_to_address text, _subject text, _html text",
        "to_address, subject, html", "_to_address, _subject, _html", "text, text, text", "'ann@example.net', 'Hello', '<p>Hello</p>'",
        " --email-provider log"},
    {"sms", "sends a text message", "sends", "the text message", "_to_number text, _body text", "to_number, body",
        "_to_number, _body", "text, text", "'+15558675310', 'Hello'", " --sms-provider log"},
    {"file_delete", "deletes a stored file", "deletes", "the file that is to be deleted", "_file_id bigint", "file_id", "_file_id",
        "bigint", "17", ""},
    {"db_function", "runs a database function", "does", "", "_details jsonb", "details", "_details", "jsonb", "'{\"n\": 1}'", ""},
    {"program", "is carried out by a program", "gets", "the payload that the program gets", "_details jsonb", "details", "_details",
        "jsonb", "'{\"n\": 1}'", ""},
};

static const struct new_file process_files[NEW_FILES] = {
    {".sql", "tables, supervisor, handlers, kickoff, rights", {"process.sql", NULL}},
    {".test.sql", "its test for psql", {"head.test.sql", "process.steps.sql", "process.test.sql", NULL}},
    {".pgtap.sql", "the same test for pgTAP", {"head.pgtap.sql", "process.steps.sql", "process.pgtap.sql", NULL}},
};
static const struct new_file command_files[NEW_FILES] = {
    {".sql", "handler, enqueue function, registration, rights", {"command.sql", NULL}},
    {".test.sql", "its test for psql", {"head.test.sql", "command.steps.sql", "command.test.sql", NULL}},
    {".pgtap.sql", "the same test for pgTAP", {"head.pgtap.sql", "command.steps.sql", "command.pgtap.sql", NULL}},
};
static const struct new_file webhook_files[NEW_FILES] = {
    {".webhook.sql", "the webhook", {"webhook.sql", NULL}},
    {".webhook.test.sql", "its test for psql", {"head.test.sql", "webhook.test.sql", NULL}},
    {".webhook.pgtap.sql", "the same test for pgTAP", {"head.pgtap.sql", "webhook.pgtap.sql", NULL}},
};
/* clang-format on */

/* --- drafts ------------------------------------------------------------------------ */

/* What one call writes: its name, the values of the gaps and the words that are on.  draft_release frees it. */
struct draft {
    const struct config *config; /* not owned */
    const struct new_file *files;
    struct sql_name name;
    char full[2 * SQL_NAME_BYTES + 2];              /* schema.name */
    struct template_value values[DRAFT_VALUES + 1]; /* they point to texts[] */
    char *texts[DRAFT_VALUES];                      /* owned */
    int value_count;
    const char *words[DRAFT_WORDS + 1]; /* static texts */
    int word_count;
};

/* Adds the value of a gap, which is copied. */
FORMAT(3, 4)
static void
draft_put(struct draft *draft, const char *name, const char *format, ...)
{
    char *text = NULL;
    va_list args;

    assert(draft->value_count < DRAFT_VALUES);
    va_start(args, format);
    if (vasprintf(&text, format, args) < 0)
        abort();
    va_end(args);
    draft->texts[draft->value_count] = text;
    draft->values[draft->value_count++] = (struct template_value){name, text};
}

static void
draft_turn_on(struct draft *draft, const char *word)
{
    assert(draft->word_count < DRAFT_WORDS);
    draft->words[draft->word_count++] = word;
}

static void
draft_release(struct draft *draft)
{
    for (int i = 0; i < draft->value_count; i++)
        free(draft->texts[i]);
}

/* Reads the operand.  `affix` as in sql_name_read. */
static bool
draft_begin(struct draft *draft, const struct config *config, const struct new_file files[NEW_FILES], enum sql_name_kind kind,
    int affix, struct err *err)
{
    *draft = (struct draft){.config = config, .files = files};
    if (!sql_name_read(config->positionals[0], kind, affix, &draft->name, err))
        return false;
    (void)snprintf(draft->full, sizeof(draft->full), "%s.%s", draft->name.schema, draft->name.name);
    draft_put(draft, "schema", "%s", sql_name_quote(draft->name.schema).text);
    draft_put(draft, "schema_text", "%s", draft->name.schema);
    draft_put(draft, "name", "%s", draft->name.name);
    draft_put(draft, "full", "%s", draft->full);
    draft_put(draft, "stem", "%s%.*s", draft->full, (int)(strlen(files[0].suffix) - strlen(".sql")), files[0].suffix);
    return true;
}

/* Adds --owner, --attempts and --first-delay. */
static bool
draft_add_options(struct draft *draft, struct err *err)
{
    const char *owner = config_text(draft->config, CONFIG_OWNER);
    int64_t attempts = config_number(draft->config, CONFIG_ATTEMPTS);
    int64_t first_ms = config_ms(draft->config, CONFIG_FIRST_DELAY);
    struct new_interval first = new_interval(first_ms);

    if (first_ms > (int64_t)FIRST_DELAY_DAYS * 24 * HOUR_MS)
        return err_set(err, ERR_LIMIT, "usage", "--first-delay \"%.40s\" is longer than %d days",
            config_text(draft->config, CONFIG_FIRST_DELAY), FIRST_DELAY_DAYS);
    if (owner != NULL && !sql_name_check("--owner", owner, SQL_NAME_EXISTING, err))
        return false;
    draft_put(draft, "attempts", "%lld", (long long)attempts);
    draft_put(draft, "attempts_s", "%s", attempts > 1 ? "s" : "");
    draft_put(draft, "first_delay", "%s", first.text);
    draft_put(draft, "longest_delay", "%s", new_interval(first_ms > HOUR_MS ? first_ms : HOUR_MS).text);
    draft_put(
        draft, "retry_words", attempts > 1 ? "  After a failure it waits %s, then twice as long each time." : "%.0s", first.text);
    if (attempts > 1)
        draft_turn_on(draft, "retries");
    if (owner != NULL) {
        draft_turn_on(draft, "owner");
        draft_put(draft, "owner", "%s", sql_name_quote(owner).text);
        draft_put(draft, "owner_text", "%s", owner);
    }
    return true;
}

/* Writes the files, and prints how to apply and test them. */
static bool
draft_write(const struct draft *draft, struct err *err)
{
    const char *folder = config_text(draft->config, CONFIG_INTO);
    const char *slash = "/";
    struct template_fill fill = {draft->values, draft->words};

    if (!new_files_write(draft->files, folder, draft->full, config_is_on(draft->config, CONFIG_FORCE), &fill, err))
        return false;
    if (strcmp(folder, ".") == 0)
        folder = slash = "";
    terminal_print(stdout, "\nnext, with a connection in PG* or -d:\n");
    terminal_print(stdout, "  psql -q -1 -v ON_ERROR_STOP=1 -f %s%s%s%s\n", folder, slash, draft->full, draft->files[0].suffix);
    terminal_print(stdout, "  psql -f %s%s%s%s\n", folder, slash, draft->full, draft->files[1].suffix);
    return true;
}

/* --- processes --------------------------------------------------------------------- */

static const struct via *
find_via(const char *word, struct err *err)
{
    for (size_t i = 0; word != NULL && i < LENGTH(vias); i++) {
        if (strcmp(vias[i].word, word) == 0)
            return &vias[i];
    }
    (void)err_set(err, ERR_REFUSED, "usage", "--via is missing");
    (void)err_hint(err, "--via http, email, sms, file_delete, db_function or program");
    return NULL;
}

/* Adds --url, or a URL that the user will change. */
static bool
draft_add_url(struct draft *draft, const struct via *via, struct err *err)
{
    const char *url = config_text(draft->config, CONFIG_URL);

    if (url != NULL && strcmp(via->word, "http") != 0)
        return err_set(err, ERR_REFUSED, "usage", "--url is for --via http");
    if (url != NULL && !new_check_url(url, err))
        return false;
    draft_put(draft, "url", url == NULL ? "https://example.org/%s" : "%s", url == NULL ? draft->name.name : url);
    draft_put(draft, "url_mark", "%s", url == NULL ? " -- CHANGE: your URL" : "");
    return true;
}

static bool
write_process(struct draft *draft, const struct via *via, struct err *err)
{
    bool is_program = strcmp(via->word, "program") == 0;
    char type[2 * SQL_NAME_BYTES + 2];

    if (!draft_add_options(draft, err) || !draft_add_url(draft, via, err))
        return false;
    (void)snprintf(type, sizeof(type), "%s%s%s", is_program ? draft->name.schema : via->word, is_program ? "_" : "",
        is_program ? draft->name.name : "");
    if (strlen(type) > SQL_NAME_BYTES) {
        (void)err_set(err, ERR_LIMIT, "usage", "task type \"%s\" is longer than %d characters", type, SQL_NAME_BYTES);
        return err_hint(err, "use a shorter schema or name");
    }
    draft_turn_on(draft, via->word);
    draft_put(draft, "type", "%s", type);
    draft_put(draft, "does", "%s", via->does);
    draft_put(draft, "sends", "%s", via->sends);
    draft_put(draft, "request", "%s", via->request);
    draft_put(draft, "parameters", "%s", via->parameters);
    draft_put(draft, "columns", "%s", via->columns);
    draft_put(draft, "arguments", "%s", via->arguments);
    draft_put(draft, "types", "%s", via->types);
    draft_put(draft, "example", "%s", via->example);
    if (!draft_write(draft, err))
        return false;
    terminal_print(stdout, "  in SQL: select %s.kickoff_%s('first', %s);\n  reeve work%s\n",
        sql_name_quote(draft->name.schema).text, draft->name.name, via->example, via->worker);
    if (is_program)
        terminal_print(stdout, "  reeve run --once-per-task --types %s -- YOUR_PROGRAM\n", type);
    terminal_print(stdout, "  reeve process list\n");
    return true;
}

int
cmd_new_process(const struct command *command, const struct config *config)
{
    struct err err;
    struct draft draft;
    const struct via *via = find_via(config_text(config, CONFIG_VIA), &err);
    bool ok;

    (void)command;
    if (via == NULL || !draft_begin(&draft, config, process_files, SQL_NAME_NEW, PROCESS_AFFIX, &err))
        return command_fail(&err);
    ok = write_process(&draft, via, &err);
    draft_release(&draft);
    return ok ? EXIT_OK : command_fail(&err);
}

/* --- commands ---------------------------------------------------------------------- */

static bool
write_command(struct draft *draft, struct err *err)
{
    const char *queue = config_text(draft->config, CONFIG_IN_QUEUE);

    if (!draft_add_options(draft, err) || (queue != NULL && !sql_name_check("--queue", queue, SQL_NAME_EXISTING, err)))
        return false;
    draft_put(draft, "queue", "%s", queue == NULL ? "default" : queue);
    if (queue != NULL)
        draft_turn_on(draft, "queue");
    if (!draft_write(draft, err))
        return false;
    terminal_print(stdout, "  in SQL: select %s.enqueue_%s('{1,2}');\n  reeve work\n", sql_name_quote(draft->name.schema).text,
        draft->name.name);
    return true;
}

int
cmd_new_command(const struct command *command, const struct config *config)
{
    struct err err;
    struct draft draft;
    bool ok;

    (void)command;
    if (!draft_begin(&draft, config, command_files, SQL_NAME_NEW, COMMAND_AFFIX, &err))
        return command_fail(&err);
    ok = write_command(&draft, &err);
    draft_release(&draft);
    return ok ? EXIT_OK : command_fail(&err);
}

/* --- webhooks ---------------------------------------------------------------------- */

static bool
write_webhook(struct draft *draft, struct err *err)
{
    const char *url = config_text(draft->config, CONFIG_URL);

    if (url == NULL) {
        (void)err_set(err, ERR_REFUSED, "usage", "--url is missing");
        return err_hint(err, "--url https://example.org/hook, where the changed rows are sent");
    }
    if (!new_check_url(url, err))
        return false;
    draft_put(draft, "url", "%s", url);
    draft_put(draft, "events", "%s", new_events(config_text(draft->config, CONFIG_EVENTS)).text);
    draft_put(draft, "table", "%s.%s", sql_name_quote(draft->name.schema).text, sql_name_quote(draft->name.name).text);
    if (!draft_write(draft, err))
        return false;
    terminal_print(stdout, "  reeve webhook test %s\n  reeve work\n", draft->full);
    return true;
}

int
cmd_new_webhook(const struct command *command, const struct config *config)
{
    struct err err;
    struct draft draft;
    bool ok;

    (void)command;
    if (!draft_begin(&draft, config, webhook_files, SQL_NAME_EXISTING, 0, &err))
        return command_fail(&err);
    ok = write_webhook(&draft, &err);
    draft_release(&draft);
    return ok ? EXIT_OK : command_fail(&err);
}
