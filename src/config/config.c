#include "config/config.h"

#include <ctype.h>
#include <errno.h>

#include "base/buf.h"
#include "base/log.h"
#include "base/parse.h"
#include "base/suggest.h"

/* Frees a value.  A secret is wiped first. */
static void
drop_value(struct config *config, enum config_key key)
{
    if (config->heap[key] != NULL && option_rows[key].type == OPTION_SECRET)
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
    if (option_rows[key].type == OPTION_LIST && config->heap[key] != NULL) {
        char *joined = must_format("%s,%s", config->heap[key], trimmed);

        free(trimmed);
        trimmed = joined;
    }
    drop_value(config, key);
    config->heap[key] = trimmed;
    config->values[key] = trimmed;
}

/* Refuses a word of a value, with all words that are allowed. */
static bool
refuse_word(const struct option_row *row, const char *source, const char *word, size_t length, struct err *err)
{
    struct suggestion near;
    struct buf words;

    buf_init(&words, BOUND_ERROR_BYTES);
    suggestion_begin(&near, word, length);
    for (const struct option_word *w = row->words; w->word != NULL; w++) {
        buf_printf(&words, "%s%s", words.length == 0 ? "" : ", ", w->word);
        suggestion_offer(&near, w->word, strlen(w->word));
    }
    (void)err_set(err, ERR_REFUSED, "", "%s: \"%.*s\" is not one of %s", source, (int)length, word, words.text);
    buf_release(&words);
    if (near.best != NULL)
        (void)err_hint(err, "did you mean %s?", near.best);
    return false;
}

static bool
has_word(const struct option_word *words, const char *word, size_t length)
{
    while (words->word != NULL && (strncmp(words->word, word, length) != 0 || words->word[length] != '\0'))
        words++;
    return words->word != NULL;
}

/* Is the value, or each part of a list, one of the words? */
static bool
check_words(const struct option_row *row, const char *text, const char *source, struct err *err)
{
    const char *separators = row->type == OPTION_LIST ? ", " : "";

    for (text += strspn(text, separators); *text != '\0'; text += strspn(text, separators)) {
        size_t length = strcspn(text, separators);

        if (!has_word(row->words, text, length))
            return refuse_word(row, source, text, length, err);
        text += length;
    }
    return true;
}

static bool
check_value(const struct config *config, enum config_key key, const char *source, struct err *err)
{
    const struct option_row *row = &option_rows[key];
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
    case OPTION_SECRET:
        return true;
    case OPTION_LIST:
    case OPTION_WORD:
        return row->words == NULL || check_words(row, text, source, err);
    case OPTION_DECIMAL:
        errno = 0;
        decimal = strtod(text, &end);
        if (errno == 0 && *end == '\0' && decimal >= 0 && decimal <= 1e6)
            return true;
        return err_set(err, ERR_REFUSED, "", "%s: \"%s\" is not a number from 0 to 1000000", source, text);
    case OPTION_NUMBER:
        if (row->range != NULL && sscanf(row->range, "%lld-%lld", &a, &b) == 2) {
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
find_flag(const enum config_key *keys, const char *name, size_t length, struct suggestion *near)
{
    for (; *keys != CONFIG_COUNT; keys++) {
        const char *flag = option_rows[*keys].flag;

        if (flag == NULL)
            continue;
        if (strncmp(flag, name, length) == 0 && flag[length] == '\0')
            return *keys;
        suggestion_offer(near, flag, strlen(flag));
    }
    return CONFIG_COUNT;
}

static enum config_key
find_letter(const enum config_key *keys, char letter)
{
    for (; *keys != CONFIG_COUNT && option_rows[*keys].letter != letter; keys++)
        ;
    return *keys;
}

/* Refuses an option that the command does not take. */
static bool
refuse_flag(const char *argument, const struct suggestion *near, struct err *err)
{
    (void)err_set(err, ERR_REFUSED, "usage", "unknown option \"%.*s\"", (int)strcspn(argument, "="), argument);
    if (near->best != NULL)
        (void)err_hint(err, "did you mean --%.*s?", (int)near->best_length, near->best);
    return false;
}

/* Finds the option of an argument: --NAME, --NAME=VALUE or -X. */
static bool
find_option(const enum config_key *keys, const char *argument, enum config_key *ret_key, const char **ret_value, struct err *err)
{
    bool is_long = argument[1] == '-';
    const char *name = argument + 1 + is_long;
    size_t length = strcspn(name, "=");
    struct suggestion near;

    suggestion_begin(&near, name, is_long ? length : 0);
    if (is_long)
        *ret_key = find_flag(keys, name, length, &near);
    else
        *ret_key = name[1] == '\0' ? find_letter(keys, name[0]) : CONFIG_COUNT;
    *ret_value = is_long && name[length] == '=' ? name + length + 1 : NULL;
    return *ret_key != CONFIG_COUNT || refuse_flag(argument, &near, err);
}

static bool
read_flag(struct config *config, const enum config_key *keys, int *i, int argc, char **argv, struct err *err)
{
    enum config_key key = CONFIG_COUNT;
    const char *value = NULL;
    char source[64];

    if (!find_option(keys, argv[*i], &key, &value, err))
        return false;
    if (option_rows[key].type == OPTION_FLAG) {
        if (value != NULL)
            return err_set(err, ERR_REFUSED, "usage", "option \"--%s\" takes no value", option_rows[key].flag);
        config->values[key] = "on";
        return true;
    }
    if (value == NULL && option_rows[key].type == OPTION_DURATION && option_rows[key].bare != NULL
        && (*i + 1 >= argc || !isdigit((unsigned char)argv[*i + 1][0])))
        value = option_rows[key].bare;
    if (value == NULL && *i + 1 < argc)
        value = argv[++*i];
    if (value == NULL)
        return err_set(
            err, ERR_REFUSED, "usage", "option \"--%s\" needs a value: %s", option_rows[key].flag, option_rows[key].placeholder);
    (void)snprintf(source, sizeof(source), "--%s", option_rows[key].flag);
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
        } else if (!only_positionals && (strcmp(argv[i], "--version") == 0 || strcmp(argv[i], "-V") == 0)) {
            config->wants_version = true;
        } else if (!only_positionals && argv[i][0] == '-' && argv[i][1] != '\0') {
            if (!read_flag(config, keys, &i, argc, argv, err))
                return false;
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

    if (option_rows[key].environment == NULL)
        return true;
    (void)snprintf(name, sizeof(name), "%s", option_rows[key].environment);
    for (const char *more = option_rows[key].older;; more = strchr(more, ',') == NULL ? NULL : strchr(more, ',') + 1) {
        const char *value = getenv(name);

        if (value != NULL)
            set_value(config, key, value);
        if (config->values[key] == NULL && option_rows[key].type == OPTION_SECRET && !read_secret(config, key, name, err))
            return false;
        if (config->values[key] != NULL && option_rows[key].type == OPTION_SECRET)
            log_hide(config->values[key]);
        if (config->values[key] != NULL && option_rows[key].type == OPTION_FLAG) {
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
        if (!option_is_in(keys, (enum config_key)key) || config->values[key] != NULL)
            continue;
        if (!read_environment(config, (enum config_key)key, err))
            return false;
        if (config->values[key] == NULL)
            config->values[key] = option_rows[key].standard;
    }
    if (!option_is_in(keys, CONFIG_LOG_LEVEL))
        return true;
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
        const struct option_row *row = &option_rows[key];
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
config_release(struct config *config)
{
    for (int key = 0; key < CONFIG_COUNT; key++)
        drop_value(config, (enum config_key)key);
    *config = (struct config){0};
}
