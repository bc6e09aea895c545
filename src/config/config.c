#include "config/config.h"

#include <ctype.h>
#include <errno.h>

#include "base/log.h"
#include "base/parse.h"

enum option_type {
    OPTION_TEXT,
    OPTION_FLAG,
    OPTION_NUMBER,
    OPTION_DURATION,
    OPTION_LIST,
    OPTION_WORD,
    OPTION_DECIMAL,
    OPTION_SECRET
};

struct option_row {
    const char *flag;        /* NULL: a secret, which has no flag */
    const char *environment; /* environment variable; NULL: none */
    const char *older;       /* older environment variables, separated by commas; NULL: none */
    enum option_type type;
    const char *standard; /* default; NULL: none */
    const char *words;    /* OPTION_WORD: allowed words; OPTION_NUMBER: "low-high"; OPTION_DURATION: value of a bare flag */
    const char *help;
};

/* clang-format off */
static const struct option_row options[CONFIG_COUNT] = {
    [CONFIG_DATABASE_URL] = {"database-url", "REEVE_DATABASE_URL", "DATABASE_URL", OPTION_SECRET, "", NULL,
        "connection string or URI of the database, without its password; default: PG* and libpq's defaults"},
    [CONFIG_LOG_LEVEL] = {"log-level", "REEVE_LOG_LEVEL", "LOG_LEVEL", OPTION_WORD, "info", "error,warn,info,debug",
        "least severe level that is logged"},
    [CONFIG_LOG_FORMAT] = {"log-format", "REEVE_LOG_FORMAT", "LOG_FORMAT", OPTION_WORD, "text", "text,json",
        "format of log lines on stderr"},
    [CONFIG_OUTPUT] = {"output", "REEVE_OUTPUT", NULL, OPTION_WORD, "table", "table,json", "format of lists; short: -o"},
    [CONFIG_CONCURRENCY] = {"concurrency", "REEVE_CONCURRENCY", "WORKER_CONCURRENCY,WORKER_DEFAULT_CONCURRENCY", OPTION_NUMBER,
        "2", "1-256", "number of work connections: database functions that run at once"},
    [CONFIG_QUEUE] = {"queue", "REEVE_QUEUES", NULL, OPTION_LIST, NULL, NULL,
        "queue to serve, as NAME or NAME:CONCURRENCY; may be repeated; default: all"},
    [CONFIG_QUEUE_CONCURRENCY] = {"queue-concurrency", "REEVE_QUEUE_CONCURRENCY", "WORKER_QUEUE_CONCURRENCY", OPTION_LIST, NULL,
        NULL, "limits of single queues while all queues are served, as NAME:CONCURRENCY,..."},
    [CONFIG_TYPES] = {"types", "REEVE_TYPES", NULL, OPTION_LIST, NULL, NULL,
        "task types to serve; default: all that this worker can run"},
    [CONFIG_NAME] = {"name", "REEVE_NAME", NULL, OPTION_TEXT, NULL, NULL, "name of this worker; default: host:pid"},
    [CONFIG_POLL_INTERVAL] = {"poll-interval", "REEVE_POLL_INTERVAL", "WORKER_POLL_INTERVAL_SECONDS", OPTION_DURATION, "1", NULL,
        "longest time between two claims when no notification arrives"},
    [CONFIG_LEASE] = {"lease", "REEVE_LEASE", NULL, OPTION_DURATION, "60", NULL,
        "length of a lease; the worker renews its leases after each third of it"},
    [CONFIG_STOP_GRACE] = {"stop-grace", "REEVE_STOP_GRACE", NULL, OPTION_DURATION, "30", NULL,
        "time that running tasks have to finish after TERM"},
    [CONFIG_LOCK_TIMEOUT] = {"lock-timeout", "REEVE_LOCK_TIMEOUT", NULL, OPTION_DURATION, "30", NULL,
        "longest time that user code waits for a lock"},
    [CONFIG_IDLE_LOG] = {"idle-log", "REEVE_IDLE_LOG", "WORKER_MAX_IDLE_TIME_SECONDS", OPTION_DURATION, "30", NULL,
        "time between two debug log lines of an idle worker"},
    [CONFIG_LISTEN] = {"listen", "REEVE_LISTEN", NULL, OPTION_TEXT, NULL, NULL,
        "address for figures and health over HTTP, as HOST:PORT; default: none for work, 127.0.0.1:9465 for metrics"},
    [CONFIG_STALL_AFTER] = {"stall-after", "REEVE_STALL_AFTER", NULL, OPTION_DURATION, "60", NULL,
        "/progressz fails if a task is due and this worker has started none for so long"},
    [CONFIG_CHANNEL_CONCURRENCY] = {"channel-concurrency", "REEVE_CHANNEL_CONCURRENCY", NULL, OPTION_NUMBER, "32", "1-10000",
        "calls to providers and other hosts at once"},
    [CONFIG_PER_HOST] = {"per-host", "REEVE_PER_HOST", NULL, OPTION_NUMBER, "8", "1-10000",
        "calls to one host at once"},
    [CONFIG_HANDLER_TIMEOUT] = {"handler-timeout", "REEVE_HANDLER_TIMEOUT", NULL, OPTION_DURATION, "30", NULL,
        "longest run of a channel's handler"},
    [CONFIG_EMAIL_PROVIDER] = {"email-provider", "REEVE_EMAIL_PROVIDER", NULL, OPTION_WORD, NULL, "resend,smtp,log,none",
        "sender of e-mail; default: resend if its key is set, smtp if its URL is set, else none"},
    [CONFIG_RESEND_API_KEY] = {NULL, "REEVE_RESEND_API_KEY", "RESEND_API_KEY", OPTION_SECRET, NULL, NULL,
        "key of the Resend-compatible API"},
    [CONFIG_RESEND_URL] = {"resend-url", "REEVE_RESEND_URL", NULL, OPTION_TEXT, "https://api.resend.com", NULL,
        "base URL of the Resend-compatible API"},
    [CONFIG_SMTP_URL] = {NULL, "REEVE_SMTP_URL", "SMTP_URL", OPTION_SECRET, NULL, NULL,
        "smtp:// or smtps:// URL of the mail server, with user and password if it needs them"},
    [CONFIG_EMAIL_RATE] = {"email-rate", "REEVE_EMAIL_RATE", NULL, OPTION_DECIMAL, NULL, NULL,
        "e-mails per second; 0: no limit; default: 2 for api.resend.com, else 0"},
    [CONFIG_SMS_PROVIDER] = {"sms-provider", "REEVE_SMS_PROVIDER", NULL, OPTION_WORD, NULL, "twilio,log,none",
        "sender of SMS; default: twilio if it is configured, else none"},
    [CONFIG_TWILIO_ACCOUNT_SID] = {"twilio-account-sid", "REEVE_TWILIO_ACCOUNT_SID",
        "TWILIO_ACCOUNT_SID", OPTION_TEXT, NULL, NULL,
        "account of the Twilio-compatible API"},
    [CONFIG_TWILIO_AUTH_TOKEN] = {NULL, "REEVE_TWILIO_AUTH_TOKEN", "TWILIO_AUTH_TOKEN", OPTION_SECRET, NULL, NULL,
        "token of the account of the Twilio-compatible API"},
    [CONFIG_TWILIO_FROM] = {"twilio-from", "REEVE_TWILIO_FROM", "TWILIO_FROM_NUMBER", OPTION_TEXT, NULL, NULL,
        "sender: a number, or a messaging service (MG...)"},
    [CONFIG_TWILIO_URL] = {"twilio-url", "REEVE_TWILIO_URL", NULL, OPTION_TEXT, "https://api.twilio.com", NULL,
        "base URL of the Twilio-compatible API"},
    [CONFIG_SMS_RATE] = {"sms-rate", "REEVE_SMS_RATE", NULL, OPTION_DECIMAL, NULL, NULL, "SMS per second; default: no limit"},
    [CONFIG_FILE_SERVICE_URL] = {"file-service-url", "REEVE_FILE_SERVICE_URL", "FILE_SERVICE_URL", OPTION_TEXT, NULL, NULL,
        "base URL of the service that signs delete URLs"},
    [CONFIG_FILE_SERVICE_API_KEY] = {NULL, "REEVE_FILE_SERVICE_API_KEY", "FILE_SERVICE_API_KEY", OPTION_SECRET, NULL, NULL,
        "key of the service that signs delete URLs"},
    [CONFIG_FILE_DELETE_HOSTS] = {"file-delete-hosts", "REEVE_FILE_DELETE_HOSTS", NULL, OPTION_LIST, NULL, NULL,
        "hosts that signed delete URLs may name; default: all that the outbound policy allows"},
    [CONFIG_VAULT_KEY] = {NULL, "REEVE_VAULT_KEY", NULL, OPTION_SECRET, NULL, NULL,
        "key that seals secrets, as 64 hexadecimal digits"},
    [CONFIG_ALLOW_HOSTS] = {"allow-hosts", "REEVE_ALLOW_HOSTS", NULL, OPTION_LIST, NULL, NULL,
        "hosts, as HOST or HOST:PORT, that tasks may call with any scheme, address and port"},
    [CONFIG_ALLOW_HTTP_HOSTS] = {"allow-http-hosts", "REEVE_ALLOW_HTTP_HOSTS", NULL, OPTION_LIST, NULL, NULL,
        "hosts that tasks may call with plain http; *: all"},
    [CONFIG_ALLOW_NETWORKS] = {"allow-networks", "REEVE_ALLOW_NETWORKS", NULL, OPTION_LIST, NULL, NULL,
        "networks that are not public and that tasks may call, as ADDRESS/BITS"},
    [CONFIG_ALLOW_PORTS] = {"allow-ports", "REEVE_ALLOW_PORTS", NULL, OPTION_LIST, NULL, NULL,
        "ports that tasks may call besides 80, 443 and 8443"},
    [CONFIG_ALLOW_LOOPBACK] = {"allow-loopback", NULL, NULL, OPTION_FLAG, NULL, NULL,
        "for development: tasks may call this machine, with http and on any port"},
    [CONFIG_CA_FILE] = {"ca-file", "REEVE_CA_FILE", NULL, OPTION_TEXT, NULL, NULL,
        "certificates to trust instead of the system's, as a PEM file"},
    [CONFIG_INSTALLATION] = {"installation", "REEVE_INSTALLATION", NULL, OPTION_TEXT, NULL, NULL,
        "id that the database must have; detects a copy of the database"},
    [CONFIG_SINGLE_INSTANCE] = {"single-instance", "REEVE_SINGLE_INSTANCE", NULL, OPTION_FLAG, NULL, NULL,
        "work only while no other worker with this option works"},
    [CONFIG_UNTIL_EMPTY] = {"until-empty", NULL, NULL, OPTION_FLAG, NULL, NULL, "end when no task is due"},
    [CONFIG_PROCESSES] = {"processes", "REEVE_PROCESSES", NULL, OPTION_NUMBER, "2", "1-1000", "children of the program at once"},
    [CONFIG_STDIO] = {"stdio", NULL, NULL, OPTION_FLAG, NULL, NULL,
        "the program speaks the protocol on stdin and stdout instead of descriptors 3 and 4"},
    [CONFIG_ONCE_PER_TASK] = {"once-per-task", NULL, NULL, OPTION_FLAG, NULL, NULL,
        "start the program for each task: payload on stdin, result on stdout, exit code 0, 75 (retry) or other (failed)"},
    [CONFIG_ENV] = {"env", NULL, NULL, OPTION_LIST, NULL, NULL,
        "environment variables of the program, as NAME or NAME=VALUE; it gets no others but PATH, LANG, LC_ALL and TZ"},
    [CONFIG_ENV_FILE] = {"env-file", NULL, NULL, OPTION_TEXT, NULL, NULL,
        "file with environment variables of the program, one NAME=VALUE per line"},
    [CONFIG_DIRECTORY] = {"directory", NULL, NULL, OPTION_TEXT, NULL, NULL, "working directory of the program"},
    [CONFIG_USER] = {"user", NULL, NULL, OPTION_TEXT, NULL, NULL, "user of the program; needs root"},
    [CONFIG_UMASK] = {"umask", NULL, NULL, OPTION_TEXT, NULL, NULL, "umask of the program, octal"},
    [CONFIG_LIMITS] = {"limit", NULL, NULL, OPTION_LIST, NULL, NULL,
        "resource limits of the program, as NAME=VALUE: as, core, cpu, data, fsize, memlock, nice, nofile, nproc, stack"},
    [CONFIG_HELLO_TIMEOUT] = {"hello-timeout", NULL, NULL, OPTION_DURATION, "30", NULL,
        "time that a child has to say hello"},
    [CONFIG_KILL_GRACE] = {"kill-grace", NULL, NULL, OPTION_DURATION, "5", NULL,
        "time between the request to end, TERM and KILL"},
    [CONFIG_PING] = {"ping", NULL, NULL, OPTION_DURATION, "20", NULL,
        "ask a child that can answer pings after this time without a line from it; after two pings in vain it is killed; 0: never"},
    [CONFIG_MAX_TASKS_PER_CHILD] = {"max-tasks-per-child", NULL, NULL, OPTION_NUMBER, "0", "0-1000000000",
        "replace a child after this many tasks; 0: never"},
    [CONFIG_CHILD_MEMORY] = {"child-memory", NULL, NULL, OPTION_NUMBER, "0", "0-1048576",
        "resident memory in MiB with which a child is replaced; twice as much kills it; 0: no limit"},
    [CONFIG_KEEP_OUTPUT] = {"keep-output", NULL, NULL, OPTION_FLAG, NULL, NULL,
        "keep the last 64 KiB that a failed task printed with its error"},
    [CONFIG_YES] = {"yes", NULL, NULL, OPTION_FLAG, NULL, NULL, "do not ask for confirmation"},
    [CONFIG_DRY_RUN] = {"dry-run", NULL, NULL, OPTION_FLAG, NULL, NULL, "change nothing; print the SQL, or what would be imported"},
    [CONFIG_RUNNER] = {"runner", NULL, NULL, OPTION_WORD, "invoker", "invoker,definer",
        "rights of business functions: those of the invoker or of the definer"},
    [CONFIG_STRICT] = {"strict", NULL, NULL, OPTION_FLAG, NULL, NULL,
        "revoke the single-row functions and the runner from the worker's role"},
    [CONFIG_WITHOUT] = {"without", NULL, NULL, OPTION_LIST, NULL, NULL, "modules to leave out: comms, files"},
    [CONFIG_PATIENCE] = {"patience", NULL, NULL, OPTION_DURATION, "240", NULL,
        "longest time that one step of a migration waits for other transactions"},
    [CONFIG_WITH_EXAMPLE] = {"with-example", NULL, NULL, OPTION_FLAG, NULL, NULL,
        "also install the example of a supervision tree: deletion of an account"},
    [CONFIG_AT] = {"at", NULL, NULL, OPTION_TEXT, NULL, NULL, "earliest time of the run, in any format that PostgreSQL reads"},
    [CONFIG_IN_QUEUE] = {"queue", NULL, NULL, OPTION_TEXT, NULL, NULL, "queue of the task; in lists: only tasks of this queue"},
    [CONFIG_PRIORITY] = {"priority", NULL, NULL, OPTION_NUMBER, NULL, NULL,
        "priority of the task; smaller numbers are claimed first"},
    [CONFIG_DEDUP_KEY] = {"dedup-key", NULL, NULL, OPTION_TEXT, NULL, NULL,
        "if a task with this key waits already, return that task and enqueue none"},
    [CONFIG_COMMAND] = {"command", NULL, NULL, OPTION_TEXT, NULL, NULL,
        "command to enqueue; its registration gives the queue and the key"},
    [CONFIG_WAIT] = {"wait", NULL, NULL, OPTION_DURATION, NULL, "60",
        "wait up to VALUE, or 60 s without a value; exit 0 only if the task succeeded"},
    [CONFIG_FUNCTION] = {"function", NULL, NULL, OPTION_TEXT, NULL, NULL,
        "registered function that the schedule runs; for import: function that gets commands it cannot read"},
    [CONFIG_ZONE] = {"zone", NULL, NULL, OPTION_TEXT, NULL, NULL, "time zone of a schedule; default: that of the database"},
    [CONFIG_OVERLAP] = {"overlap", NULL, NULL, OPTION_TEXT, NULL, NULL,
        "if earlier work is open: skip, queue_one, cancel_running, allow; default: skip"},
    [CONFIG_CATCH_UP] = {"catch-up", NULL, NULL, OPTION_TEXT, NULL, NULL, "slots that were missed: skip, once, all; default: once"},
    [CONFIG_STATE] = {"state", NULL, NULL, OPTION_TEXT, NULL, NULL, "only tasks in this state"},
    [CONFIG_TYPE] = {"type", NULL, NULL, OPTION_TEXT, NULL, NULL, "only tasks of this type"},
    [CONFIG_OUTCOME] = {"outcome", NULL, NULL, OPTION_TEXT, NULL, NULL, "only tasks with this outcome"},
    [CONFIG_LIMIT] = {"limit", NULL, NULL, OPTION_NUMBER, "50", "1-100000", "largest number of rows"},
    [CONFIG_FOR] = {"for", NULL, NULL, OPTION_DURATION, NULL, NULL, "length of the pause; default: until resumed"},
    [CONFIG_REASON] = {"reason", NULL, NULL, OPTION_TEXT, NULL, NULL, "reason, stored in the recorded fact"},
    [CONFIG_KIND] = {"kind", NULL, NULL, OPTION_TEXT, "task", NULL, "task, supervisor, before, success, error, job, facts"},
    [CONFIG_CANCEL_OPEN] = {"cancel-open", NULL, NULL, OPTION_FLAG, NULL, NULL, "cancel every open channel task first"},
    [CONFIG_REPAIR] = {"repair", NULL, NULL, OPTION_FLAG, NULL, NULL, "rebuild the working set from the facts"},
    [CONFIG_FULL] = {"full", NULL, NULL, OPTION_FLAG, NULL, NULL, "check the invariants of all tasks, not only of open ones"},
    [CONFIG_ONCE] = {"once", NULL, NULL, OPTION_FLAG, NULL, NULL, "run the demo, check every recorded fact, and stop"},
    [CONFIG_TASKS] = {"tasks", NULL, NULL, OPTION_NUMBER, "100000", "100-10000000", "number of tasks to measure with"},
};
/* clang-format on */

static const enum config_key always[] = {CONFIG_DATABASE_URL, CONFIG_LOG_LEVEL, CONFIG_LOG_FORMAT};

static bool
takes(const enum config_key *keys, enum config_key key)
{
    for (size_t i = 0; i < LENGTH(always); i++) {
        if (always[i] == key)
            return true;
    }
    for (int i = 0; keys[i] != CONFIG_COUNT; i++) {
        if (keys[i] == key)
            return true;
    }
    return false;
}

/* Frees a value.  A secret is wiped first. */
static void
drop_value(struct config *config, enum config_key key)
{
    if (config->heap[key] != NULL && options[key].type == OPTION_SECRET)
        explicit_bzero(config->heap[key], strlen(config->heap[key]));
    free(config->heap[key]);
}

static void
set_value(struct config *config, enum config_key key, const char *text)
{
    const char *end;
    char *trimmed;

    while (isspace((unsigned char)*text))
        text++;
    end = text + strlen(text);
    while (end > text && isspace((unsigned char)end[-1]))
        end--;
    if (end == text)
        return;
    trimmed = strndup(text, (size_t)(end - text));
    if (options[key].type == OPTION_LIST && config->heap[key] != NULL) {
        char *joined = must_format("%s,%s", config->heap[key], trimmed);

        free(trimmed);
        trimmed = joined;
    }
    drop_value(config, key);
    config->heap[key] = trimmed;
    config->values[key] = trimmed;
}

static bool
check_value(const struct config *config, enum config_key key, const char *source, struct err *err)
{
    const struct option_row *row = &options[key];
    const char *text = config->values[key];
    int64_t low = INT64_MIN;
    int64_t high = INT64_MAX;
    int64_t number;
    long long a;
    long long b;
    double decimal;
    char *end;
    struct err inner;

    switch (row->type) {
    case OPTION_TEXT:
    case OPTION_FLAG:
    case OPTION_LIST:
    case OPTION_SECRET:
        return true;
    case OPTION_DECIMAL:
        errno = 0;
        decimal = strtod(text, &end);
        if (errno == 0 && *end == '\0' && decimal >= 0 && decimal <= 1e6)
            return true;
        return err_set(err, ERR_REFUSED, "", "%s: \"%s\" is not a number from 0 to 1000000", source, text);
    case OPTION_NUMBER:
        if (row->words != NULL && sscanf(row->words, "%lld-%lld", &a, &b) == 2) {
            low = a;
            high = b;
        }
        if (parse_int(text, low, high, &number, &inner))
            return true;
        return err_set(err, ERR_REFUSED, "", "%s: %s", source, inner.message);
    case OPTION_DURATION:
        if (parse_duration_ms(text, &number, &inner) && number > 0)
            return true;
        return err_set(err, ERR_REFUSED, "", "%s: \"%s\" is not a positive duration", source, text);
    case OPTION_WORD:
        for (const char *word = row->words; word != NULL; word = strchr(word, ',')) {
            word += *word == ',';
            if (strcspn(word, ",") == strlen(text) && strncmp(word, text, strlen(text)) == 0)
                return true;
        }
        return err_set(err, ERR_REFUSED, "", "%s: \"%s\" is not one of %s", source, text, row->words);
    }
    return true;
}

/* May this connection string hold a password? */
static bool
may_have_password(const char *text)
{
    return strcasestr(text, "password") != NULL || (strstr(text, "://") != NULL && strchr(text, '@') != NULL);
}

/* Overwrites a connection string that may hold a password. */
static void
hide_argument(char *text)
{
    if (may_have_password(text))
        memset(text, 'x', strlen(text));
}

char **
config_take_arguments(int argc, char **argv)
{
    static char **copies; /* never freed: the options point to these texts */
    size_t length = strlen("--database-url");

    copies = must_alloc(sizeof(*copies) * ((size_t)argc + 1));
    for (int i = 0; i < argc; i++)
        copies[i] = must_strdup(argv[i]);
    for (int i = 0; i < argc; i++) {
        if (strncmp(argv[i], "--database-url", length) != 0)
            continue;
        if (argv[i][length] == '=')
            hide_argument(argv[i] + length + 1);
        else if (argv[i][length] == '\0' && i + 1 < argc)
            hide_argument(argv[i + 1]);
    }
    return copies;
}

/* Only among the keys that the command takes: --queue means one thing to a worker and another to a list. */
static enum config_key
find_flag(const enum config_key *keys, const char *name, size_t length)
{
    for (int key = 0; key < CONFIG_COUNT; key++) {
        if (options[key].flag != NULL && strncmp(options[key].flag, name, length) == 0 && options[key].flag[length] == '\0'
            && takes(keys, (enum config_key)key))
            return (enum config_key)key;
    }
    return CONFIG_COUNT;
}

static bool
read_flag(struct config *config, const enum config_key *keys, int *i, int argc, char **argv, struct err *err)
{
    const char *name = strcmp(argv[*i], "-o") == 0 ? "output" : argv[*i] + 2;
    size_t length = strcspn(name, "=");
    enum config_key key = find_flag(keys, name, length);
    const char *value = name[length] == '=' ? name + length + 1 : NULL;
    char source[64];

    if (key == CONFIG_COUNT)
        return err_set(err, ERR_REFUSED, "usage", "unknown option \"--%.*s\"", (int)length, name);
    if (options[key].type == OPTION_FLAG) {
        if (value != NULL)
            return err_set(err, ERR_REFUSED, "usage", "option \"--%s\" takes no value", options[key].flag);
        config->values[key] = "on";
        return true;
    }
    if (value == NULL && options[key].type == OPTION_DURATION && options[key].words != NULL
        && (*i + 1 >= argc || !isdigit((unsigned char)argv[*i + 1][0])))
        value = options[key].words;
    if (value == NULL && *i + 1 < argc)
        value = argv[++*i];
    if (value == NULL)
        return err_set(err, ERR_REFUSED, "usage", "option \"--%s\" needs a value", options[key].flag);
    (void)snprintf(source, sizeof(source), "--%s", options[key].flag);
    set_value(config, key, value);
    return config->values[key] == NULL || check_value(config, key, source, err);
}

static bool
read_arguments(struct config *config, const enum config_key *keys, int argc, char **argv, struct err *err)
{
    bool only_positionals = false;

    for (int i = 0; i < argc; i++) {
        if (!only_positionals && strcmp(argv[i], "--") == 0) {
            only_positionals = true;
        } else if (!only_positionals && (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)) {
            config->wants_help = true;
        } else if (!only_positionals && strcmp(argv[i], "--version") == 0) {
            config->wants_version = true;
        } else if (!only_positionals && (strncmp(argv[i], "--", 2) == 0 || strcmp(argv[i], "-o") == 0)) {
            if (!read_flag(config, keys, &i, argc, argv, err))
                return false;
        } else if (!only_positionals && argv[i][0] == '-' && argv[i][1] != '\0') {
            return err_set(err, ERR_REFUSED, "usage", "unknown option \"%s\"", argv[i]);
        } else if (config->positional_count == CONFIG_POSITIONALS) {
            return err_set(err, ERR_REFUSED, "usage", "too many arguments");
        } else {
            config->positionals[config->positional_count++] = argv[i];
        }
    }
    return true;
}

/* Sets a secret to the content of a file.  False: the file is too long, or it is needed and cannot be read. */
static bool
read_secret_file(
    struct config *config, enum config_key key, const char *source, const char *path, bool is_needed, struct err *err)
{
    char *text = NULL;
    FILE *file = fopen(path, "re");
    size_t size;

    if (file == NULL)
        return !is_needed || err_set(err, ERR_REFUSED, "", "%s: cannot read \"%s\": %s", source, path, strerror(errno));
    (void)setvbuf(file, NULL, _IONBF, 0); /* A buffer of stdio would hold a copy that we cannot wipe. */
    text = must_alloc(BOUND_SECRET_BYTES + 2);
    size = fread(text, 1, BOUND_SECRET_BYTES + 1, file);
    (void)fclose(file);
    if (size <= BOUND_SECRET_BYTES)
        set_value(config, key, text);
    explicit_bzero(text, size);
    free(text);
    return size <= BOUND_SECRET_BYTES
           || err_set(err, ERR_LIMIT, "", "%s: \"%s\" is longer than %d bytes", source, path, BOUND_SECRET_BYTES);
}

static bool
read_secret(struct config *config, enum config_key key, const char *name, struct err *err)
{
    const char *folder = getenv("CREDENTIALS_DIRECTORY");
    char *source = must_format("%s_FILE", name);
    const char *path = getenv(source);
    char *credential = folder == NULL ? NULL : must_format("%s/%s", folder, name);
    bool ok = true;

    if (path != NULL && path[0] != '\0')
        ok = read_secret_file(config, key, source, path, true, err);
    if (ok && config->values[key] == NULL && credential != NULL)
        ok = read_secret_file(config, key, name, credential, false, err);
    free(source);
    free(credential);
    return ok;
}

/* Reads the word that a variable has for a flag.  False: the word is unknown. */
static bool
read_flag_word(const char *text, bool *ret_is_on)
{
    static const char *const words[] = {"off", "on", "false", "true", "0", "1", "no", "yes"};

    for (size_t i = 0; i < LENGTH(words); i++) {
        if (strcasecmp(text, words[i]) == 0) {
            *ret_is_on = i % 2 == 1;
            return true;
        }
    }
    return false;
}

/* Reads the variable of an option: our name first, then older names in their order. */
static bool
read_environment(struct config *config, enum config_key key, struct err *err)
{
    char name[64];

    if (options[key].environment == NULL)
        return true;
    (void)snprintf(name, sizeof(name), "%s", options[key].environment);
    for (const char *more = options[key].older;; more = strchr(more, ',') == NULL ? NULL : strchr(more, ',') + 1) {
        const char *value = getenv(name);

        if (value != NULL)
            set_value(config, key, value);
        if (config->values[key] == NULL && options[key].type == OPTION_SECRET && !read_secret(config, key, name, err))
            return false;
        if (config->values[key] != NULL && options[key].type == OPTION_SECRET)
            log_hide(config->values[key]);
        if (config->values[key] != NULL && options[key].type == OPTION_FLAG) {
            bool is_on = false;

            if (!read_flag_word(config->values[key], &is_on))
                return err_set(err, ERR_REFUSED, "", "%s: \"%s\" is neither on nor off", name, config->values[key]);
            config->values[key] = is_on ? "on" : NULL;
            return true;
        }
        if (config->values[key] != NULL)
            return check_value(config, key, name, err);
        if (more == NULL)
            return true;
        (void)snprintf(name, sizeof(name), "%.*s", (int)strcspn(more, ","), more);
    }
}

bool
config_read(struct config *config, const enum config_key *keys, int argc, char **argv, struct err *err)
{
    *config = (struct config){.keys = keys, .argc = argc, .argv = argv};
    if (!read_arguments(config, keys, argc, argv, err))
        return false;
    for (int key = 0; key < CONFIG_COUNT; key++) {
        if (!takes(keys, (enum config_key)key) || config->values[key] != NULL)
            continue;
        if (!read_environment(config, (enum config_key)key, err))
            return false;
        if (config->values[key] == NULL)
            config->values[key] = options[key].standard;
    }
    return (log_set_level(config->values[CONFIG_LOG_LEVEL]) && log_set_format(config->values[CONFIG_LOG_FORMAT]))
           || err_set(err, ERR_REFUSED, "", "unknown format or level of the log");
}

bool
config_read_again(const struct config *old, struct config *config, struct err *err)
{
    return config_read(config, old->keys, old->argc, old->argv, err);
}

const char *
config_text(const struct config *config, enum config_key key)
{
    return config->values[key];
}

bool
config_is_on(const struct config *config, enum config_key key)
{
    return config->values[key] != NULL;
}

int64_t
config_number(const struct config *config, enum config_key key)
{
    int64_t value = 0;

    (void)!parse_int(config->values[key], INT64_MIN, INT64_MAX, &value, NULL);
    return value;
}

double
config_decimal(const struct config *config, enum config_key key)
{
    return config->values[key] == NULL ? -1 : strtod(config->values[key], NULL);
}

int64_t
config_ms(const struct config *config, enum config_key key)
{
    int64_t value = 0;

    (void)!parse_duration_ms(config->values[key], &value, NULL);
    return value;
}

bool
config_is_secret(const char *variable)
{
    for (int key = 0; key < CONFIG_COUNT; key++) {
        const struct option_row *row = &options[key];
        size_t length;

        if (row->type != OPTION_SECRET || row->environment == NULL)
            continue;
        length = strlen(row->environment);
        if (strncmp(variable, row->environment, length) == 0)
            return true;
        for (const char *name = row->older; name != NULL && *name != '\0'; name += length + (name[length] == ',')) {
            length = strcspn(name, ",");
            if (strncmp(variable, name, length) == 0 && (variable[length] == '\0' || strcmp(variable + length, "_FILE") == 0))
                return true;
        }
    }
    return false;
}

void
config_print_help(FILE *to, const enum config_key *keys)
{
    for (int key = 0; key < CONFIG_COUNT; key++) {
        const struct option_row *row = &options[key];
        char flag[48];

        if (!takes(keys, (enum config_key)key))
            continue;
        if (row->flag == NULL)
            (void)snprintf(flag, sizeof(flag), "(no flag)");
        else
            (void)snprintf(flag, sizeof(flag), "--%s%s", row->flag, row->type == OPTION_FLAG ? "" : " VALUE");
        (void)fprintf(to, "  %-28s %s", flag, row->help);
        if (row->standard != NULL && row->standard[0] != '\0')
            (void)fprintf(to, " (default: %s)", row->standard);
        if (row->environment != NULL)
            (void)fprintf(to, "\n  %-28s %s", "", row->environment);
        (void)fputc('\n', to);
    }
}

void
config_print_table(FILE *to)
{
    for (int key = 0; key < CONFIG_COUNT; key++) {
        const struct option_row *row = &options[key];

        (void)fprintf(to, "%s%s|%s|%s|%s|%s\n", row->flag == NULL ? "" : "--", row->flag == NULL ? "" : row->flag,
            row->environment == NULL ? "" : row->environment, row->older == NULL ? "" : row->older,
            row->standard == NULL ? "" : row->standard, row->help);
    }
}

void
config_release(struct config *config)
{
    for (int key = 0; key < CONFIG_COUNT; key++)
        drop_value(config, (enum config_key)key);
    *config = (struct config){0};
}
