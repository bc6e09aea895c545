#include "cli/man.h"

#include <ctype.h>

#include "base/exit.h"
#include "cli/help.h"

enum { TEXT_MAX = 4096 };

/* What each exit code means. */
static const struct {
    int code;
    const char *meaning;
} exit_codes[] = {
    {EXIT_OK, "done, or stopped in order"},
    {EXIT_UNEXPECTED, "unexpected failure; doctor found a problem; the task of enqueue --wait did not succeed"},
    {EXIT_USAGE, "wrong usage"},
    {EXIT_CONFIG, "bad configuration"},
    {EXIT_SCHEMA, "the versions of schema and program do not match, or there is no schema"},
    {EXIT_UNREACHABLE, "the database cannot be reached"},
    {EXIT_INSTANCE, "another instance holds the lock of --single-instance"},
    {EXIT_NOT_ADOPTED, "the database is a copy that was not adopted"},
    {EXIT_REFUSED, "the server refused; the SQLSTATE is on stderr"},
    {EXIT_NOTHING, "show found nothing"},
    {EXIT_INTERRUPTED, "interrupted; the command says how to go on"},
};

/* --- roff ---------------------------------------------------------------------------- */

/* Prints a text that roff does not take for requests or hyphens. */
static void
put(FILE *to, const char *text)
{
    if (*text == '.' || *text == '\'')
        (void)fputs("\\&", to);
    for (; *text != '\0'; text++) {
        if (*text == '\\')
            (void)fputs("\\e", to);
        else if (*text == '-')
            (void)fputs("\\-", to);
        else
            (void)fputc(*text, to);
    }
}

/* Prints one line of text, in a font if `request` names one (".B"). */
static void
put_line(FILE *to, const char *request, const char *text)
{
    if (request != NULL)
        (void)fprintf(to, "%s ", request);
    put(to, text);
    (void)fputc('\n', to);
}

/* Prints a text as a sentence. */
static void
put_sentence(FILE *to, const char *text)
{
    char *sentence = must_format("%s.", text);

    sentence[0] = (char)toupper((unsigned char)sentence[0]);
    put_line(to, NULL, sentence);
    free(sentence);
}

/* Prints an entry of a list: a term in bold, and its text. */
static void
put_entry(FILE *to, const char *term, const char *text)
{
    (void)fputs(".TP\n", to);
    put_line(to, ".B", term);
    put_line(to, NULL, text);
}

static void
put_head(FILE *to, const char *name, int section, const char *summary)
{
    (void)fprintf(to, ".\\\" Made by reeve --man from its tables of commands and options.\n.TH \"");
    for (const char *c = name; *c != '\0'; c++)
        (void)fputc(toupper((unsigned char)*c), to);
    (void)fprintf(to, "\" %d \"\" \"reeve %s\" \"Reeve\"\n.SH NAME\n", section, PROGRAM_VERSION);
    put(to, name);
    (void)fputs(" \\- ", to);
    put_line(to, NULL, summary);
}

static void
put_reference(FILE *to, const char *name, int section, bool is_last)
{
    (void)fputs(".BR ", to);
    put(to, name);
    (void)fprintf(to, " (%d)%s\n", section, is_last ? "" : ",");
}

/* --- parts --------------------------------------------------------------------------- */

static void
put_option(FILE *to, const struct option_row *row)
{
    struct buf form;
    struct buf text;

    buf_init(&form, TEXT_MAX);
    buf_init(&text, TEXT_MAX);
    help_option_form(&form, row);
    help_option_text(&text, row);
    put_entry(to, form.text, text.text);
    buf_release(&form);
    buf_release(&text);
}

static void
put_options(FILE *to, const struct command *command)
{
    for (int group = 0; group < OPTIONS_GROUPS; group++) {
        bool has_title = false;

        for (int key = 0; key < CONFIG_COUNT; key++) {
            if ((int)option_rows[key].group != group || !option_is_in(command->keys, (enum config_key)key))
                continue;
            if (!has_title) {
                (void)fputs(".PP\n", to);
                put_line(to, ".I", option_group_title((enum option_group)group));
            }
            has_title = true;
            put_option(to, &option_rows[key]);
        }
    }
}

static void
put_command(FILE *to, const struct command *command)
{
    put_sentence(to, command->summary);
    if (command->about != NULL)
        put_line(to, NULL, command->about);
    put_options(to, command);
    (void)fputs(".PP\n.I Examples\n", to);
    for (const struct example *example = command->examples; example->line != NULL; example++)
        put_entry(to, example->line, example->meaning);
}

static void
put_synopsis(FILE *to, const struct command *command)
{
    bool has_options_first = command->operands != NULL && strncmp(command->operands, "--", 2) == 0;

    (void)fprintf(to, "\\fBreeve %s\\fR %s", command->name, has_options_first ? "[\\fIOPTION\\fR ...] " : "");
    if (command->operands != NULL) {
        (void)fputs("\\fI", to);
        put(to, command->operands);
        (void)fputs("\\fR ", to);
    }
    (void)fputs(has_options_first ? "\n" : "[\\fIOPTION\\fR ...]\n", to);
}

/* Is this the first command with its first word? */
static bool
is_first_of_word(int i)
{
    size_t length = strcspn(commands[i].name, " ");

    for (int j = 0; j < i; j++) {
        if (strcspn(commands[j].name, " ") == length && strncmp(commands[j].name, commands[i].name, length) == 0)
            return false;
    }
    return true;
}

/* The first word of a command, with the summary that its page has. */
static const char *
word_summary(int i, char *ret_word, size_t size)
{
    (void)snprintf(ret_word, size, "%.*s", (int)strcspn(commands[i].name, " "), commands[i].name);
    return command_noun(ret_word) != NULL ? command_noun(ret_word)->summary : commands[i].summary;
}

static void
put_word_list(FILE *to, const struct option_word *words)
{
    for (; words->word != NULL; words++)
        put_entry(to, words->word, words->meaning);
}

static void
put_exit_codes(FILE *to)
{
    (void)fputs(".SH EXIT STATUS\n", to);
    for (size_t i = 0; i < LENGTH(exit_codes); i++) {
        char code[16];

        (void)snprintf(code, sizeof(code), "%d", exit_codes[i].code);
        put_entry(to, code, exit_codes[i].meaning);
    }
}

static void
put_see_also(FILE *to, const char *self)
{
    (void)fputs(".SH SEE ALSO\n", to);
    if (strcmp(self, "reeve.1") != 0)
        put_reference(to, "reeve", 1, false);
    if (strcmp(self, "reeve.env.5") != 0)
        put_reference(to, "reeve.env", 5, strcmp(self, "reeve.7") == 0);
    if (strcmp(self, "reeve.7") != 0)
        put_reference(to, "reeve", 7, true);
}

/* --- pages --------------------------------------------------------------------------- */

/* reeve(1): all commands. */
static void
print_program(FILE *to)
{
    put_head(to, "reeve", 1, "supervised background work for PostgreSQL");
    (void)fputs(
        ".SH SYNOPSIS\n.B reeve\n.I COMMAND\n[\\fIOPERAND\\fR ...] [\\fIOPTION\\fR ...]\n.SH DESCRIPTION\n"
        "Reeve runs background work that is kept in a PostgreSQL database: functions of the database, calls to the outside,\n"
        "and programs in any language. The database decides, and the program carries out.\n.PP\n"
        "This page lists the commands. Each has a page of its own, and\n.B reeve\n.I COMMAND\n.B \\-\\-help\nprints a short "
        "one.\n",
        to);
    for (int section = 0; section < SECTION_COUNT; section++) {
        (void)fputs(".SS ", to);
        put_line(to, NULL, command_section_title((enum command_section)section));
        for (int i = 0; i < command_count; i++) {
            char word[32];
            const char *summary = word_summary(i, word, sizeof(word));
            const struct noun *noun = command_noun(word);
            char *page;

            if (!is_first_of_word(i) || (int)(noun == NULL ? commands[i].section : noun->section) != section)
                continue;
            page = must_format("reeve-%s", word);
            (void)fputs(".TP\n", to);
            put_reference(to, page, 1, true);
            put_line(to, NULL, summary);
            free(page);
        }
    }
    put_exit_codes(to);
    put_see_also(to, "reeve.1");
}

/* reeve-WORD(1): one command, or all commands of a noun. */
static void
print_word(FILE *to, const char *word, const char *summary)
{
    char *name = must_format("reeve-%s", word);
    bool is_one = command_noun(word) == NULL;

    put_head(to, name, 1, summary);
    (void)fputs(".SH SYNOPSIS\n.nf\n", to);
    for (int i = 0; i < command_count; i++) {
        if (strcmp(commands[i].name, word) == 0 || command_is_of(&commands[i], word))
            put_synopsis(to, &commands[i]);
    }
    (void)fputs(".fi\n.SH DESCRIPTION\n", to);
    if (!is_one)
        put_sentence(to, summary);
    for (int i = 0; i < command_count; i++) {
        if (strcmp(commands[i].name, word) != 0 && !command_is_of(&commands[i], word))
            continue;
        (void)fputs(".SS reeve ", to);
        put_line(to, NULL, commands[i].name);
        put_command(to, &commands[i]);
    }
    put_see_also(to, name);
    free(name);
}

/* reeve.env(5): all variables. */
static void
print_environment(FILE *to)
{
    put_head(to, "reeve.env", 5, "environment of the Reeve worker");
    (void)fputs(
        ".SH DESCRIPTION\nThe unit file of the worker reads\n.IR /etc/reeve/reeve.env ,\nwhich has one NAME=VALUE per line. "
        "Every line is\n"
        "optional. All commands read the same variables from the environment. A flag wins over a variable, a variable over\n"
        "its older name, and both over the default. Values are trimmed, and an empty value counts as not set.\n.PP\n"
        "A secret has no flag, because every user of the machine can read the flags of a program. It comes from the\n"
        "variable NAME, from the file that NAME_FILE names, or from the file NAME in $CREDENTIALS_DIRECTORY.\n.PP\n"
        "A duration is a number of seconds, or has a unit: 250ms, 30s, 5min, 1h, 1d.\n",
        to);
    for (int group = 0; group < OPTIONS_GROUPS; group++) {
        bool has_title = false;

        for (int key = 0; key < CONFIG_COUNT; key++) {
            const struct option_row *row = &option_rows[key];
            char *text;

            if ((int)row->group != group || row->environment == NULL)
                continue;
            if (!has_title)
                (void)fputs(".SH ", to);
            if (!has_title)
                put_line(to, NULL, option_group_title((enum option_group)group));
            has_title = true;
            text = must_format("%s%s%s%s%s%s%s%s", row->help, row->flag == NULL ? "; a secret" : "",
                row->standard == NULL || row->standard[0] == '\0' ? "" : "; default: ",
                row->standard == NULL ? "" : row->standard,
                row->fallback == NULL ? "" : "; default: ", row->fallback == NULL ? "" : row->fallback,
                row->older == NULL ? "" : "; older names: ", row->older == NULL ? "" : row->older);
            put_entry(to, row->environment, text);
            free(text);
        }
    }
    (void)fputs(".SH FILES\n.TP\n.I /etc/reeve/reeve.env\nread by the unit file of the worker\n", to);
    put_see_also(to, "reeve.env.5");
}

/* reeve(7): the words that all commands share. */
static void
print_words(FILE *to)
{
    put_head(to, "reeve", 7, "the words of Reeve");
    (void)fputs(
        ".SH DESCRIPTION\nA\n.I task\nis one unit of work, a row that is inserted once and never changed. A worker takes a task "
        "with a\n"
        ".IR lease ,\nwhich it renews while the task runs; the lease of a worker that died runs out, and another worker takes "
        "the\n"
        "task. Each lease has a number, and only the newest may end the task. What happened to a task is kept as\n.IR facts :\n"
        "leases, calls, errors and the one completion.\n.PP\nA\n.I process\nis work of many tasks that a\n.I supervisor\n"
        "keeps alive: a function that looks at the facts, decides, and plans its next run.\n.SH STATES OF A TASK\n",
        to);
    put_word_list(to, task_states);
    (void)fputs(".SH OUTCOMES OF A TASK\n", to);
    put_word_list(to, task_outcomes);
    (void)fputs(".SH STATUSES OF A JOB\n", to);
    put_word_list(to, job_statuses);
    (void)fputs(".SH TIMES AND DURATIONS\nA time has any form that PostgreSQL reads: 2030\\-01\\-31 09:00, tomorrow. A duration "
                "is a number of\n"
                "seconds, or has a unit: 250ms, 30s, 5min, 1h, 1d.\n",
        to);
    put_exit_codes(to);
    put_see_also(to, "reeve.7");
}

void
man_print_names(FILE *to)
{
    (void)fputs("reeve.1\nreeve.env.5\nreeve.7\n", to);
    for (int i = 0; i < command_count; i++) {
        if (is_first_of_word(i))
            (void)fprintf(to, "reeve-%.*s.1\n", (int)strcspn(commands[i].name, " "), commands[i].name);
    }
}

bool
man_print(FILE *to, const char *name)
{
    if (strcmp(name, "reeve.1") == 0) {
        print_program(to);
        return true;
    }
    if (strcmp(name, "reeve.env.5") == 0) {
        print_environment(to);
        return true;
    }
    if (strcmp(name, "reeve.7") == 0) {
        print_words(to);
        return true;
    }
    for (int i = 0; i < command_count; i++) {
        char word[32];
        const char *summary = word_summary(i, word, sizeof(word));
        char *page = must_format("reeve-%s.1", word);
        bool is_it = strcmp(page, name) == 0;

        free(page);
        if (is_it) {
            print_word(to, word, summary);
            return true;
        }
    }
    return false;
}

void
man_print_exit_codes(FILE *to)
{
    for (size_t i = 0; i < LENGTH(exit_codes); i++)
        (void)fprintf(to, "%d|%s\n", exit_codes[i].code, exit_codes[i].meaning);
}
