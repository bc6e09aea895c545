#include "cli/help.h"

#include <ctype.h>

#include "base/exit.h"
#include "base/suggest.h"
#include "cli/terminal.h"

enum { OPTION_COLUMN = 30, NAME_COLUMN = 16, VERB_COLUMN = 20, TEXT_MAX = 4096 };

/* --- text ---------------------------------------------------------------------------- */

/* Prints a text whose first line begins at column `at` and whose other lines begin at column `indent`. */
static void
wrap(FILE *to, const char *text, int at, int indent, int width)
{
    bool is_first = true;

    while (*text != '\0') {
        int length = (int)strcspn(text, " ");

        if (!is_first && at + 1 + length > width) {
            (void)fprintf(to, "\n%*s", indent, "");
            at = indent;
            is_first = true;
        }
        (void)fprintf(to, "%s%.*s", is_first ? "" : " ", length, text);
        at += length + !is_first;
        is_first = false;
        text += length;
        text += strspn(text, " ");
    }
    (void)fputc('\n', to);
}

/* Prints a name and, from column `column` on, its text. */
static void
print_entry(FILE *to, const char *name, const char *text, int column, int width)
{
    int at = (int)strlen(name) + 2;

    (void)fprintf(to, "  %s", name);
    if (at + 2 > column) {
        (void)fprintf(to, "\n%*s", column, "");
        at = column;
    }
    (void)fprintf(to, "%*s", column - at, "");
    wrap(to, text, column, column, width);
}

/* Prints a text as a sentence: it begins with a capital and ends with a period. */
static void
print_sentence(FILE *to, const char *text, int width)
{
    char *sentence = must_format("%s.", text);

    sentence[0] = (char)toupper((unsigned char)sentence[0]);
    wrap(to, sentence, 0, 0, width);
    free(sentence);
}

/* --- options ------------------------------------------------------------------------- */

void
help_option_form(struct buf *to, const struct option_row *row)
{
    if (row->flag == NULL) {
        buf_puts(to, row->environment);
        return;
    }
    if (row->letter != 0)
        buf_printf(to, "-%c, ", row->letter);
    buf_printf(to, "--%s", row->flag);
    if (row->placeholder != NULL)
        buf_printf(to, row->bare != NULL ? " [%s]" : " %s", row->placeholder);
}

void
help_option_text(struct buf *to, const struct option_row *row)
{
    bool has_standard = row->standard != NULL && row->standard[0] != '\0';
    bool is_bare_seconds = has_standard && row->type == OPTION_DURATION
                           && strspn(row->standard, "0123456789.") == strlen(row->standard);

    buf_puts(to, row->help);
    for (const struct option_word *word = row->words; word != NULL && word->word != NULL; word++)
        buf_printf(to, "%s%s", word == row->words ? ": " : ", ", word->word);
    if (row->fallback != NULL)
        buf_printf(to, " [default: %s]", row->fallback);
    else if (has_standard)
        buf_printf(to, " [default: %s%s]", row->standard, is_bare_seconds ? " s" : "");
    if (row->environment != NULL)
        buf_printf(to, row->flag == NULL ? " [environment or file]" : " [%s]", row->environment);
}

static void
print_options(FILE *to, const struct command *command, enum option_group group, int width)
{
    bool has_title = false;
    struct buf form;
    struct buf text;

    buf_init(&form, TEXT_MAX);
    buf_init(&text, TEXT_MAX);
    for (int key = 0; key < CONFIG_COUNT; key++) {
        if (option_rows[key].group != group || !option_is_in(command->keys, (enum config_key)key))
            continue;
        if (!has_title)
            (void)fprintf(to, "\n%s:\n", option_group_title(group));
        has_title = true;
        buf_clear(&form);
        buf_clear(&text);
        help_option_form(&form, &option_rows[key]);
        help_option_text(&text, &option_rows[key]);
        print_entry(to, form.text, text.text, OPTION_COLUMN, width);
    }
    buf_release(&form);
    buf_release(&text);
}

static void
print_examples(FILE *to, const struct command *command)
{
    (void)fputs("\nExamples:\n", to);
    for (const struct example *example = command->examples; example->line != NULL; example++)
        (void)fprintf(to, "  %s\n      %s\n", example->line, example->meaning);
}

/* --- pages --------------------------------------------------------------------------- */

void
help_command(FILE *to, const struct command *command, int width)
{
    const char *operands = command->operands == NULL ? "" : command->operands;
    bool has_options_first = strncmp(operands, "--", 2) == 0;

    (void)fprintf(to, "usage: reeve %s%s%s%s%s\n\n", command->name, has_options_first ? " [OPTION ...]" : "",
        operands[0] == '\0' ? "" : " ", operands, has_options_first ? "" : " [OPTION ...]");
    print_sentence(to, command->summary, width);
    if (command->about != NULL) {
        (void)fputc('\n', to);
        wrap(to, command->about, 0, 0, width);
    }
    for (int group = 0; group < OPTIONS_GROUPS; group++)
        print_options(to, command, (enum option_group)group, width);
    print_examples(to, command);
}

void
help_noun(FILE *to, const struct noun *noun, int width)
{
    (void)fprintf(to, "usage: reeve %s COMMAND [OPERAND ...] [OPTION ...]\n\n", noun->name);
    print_sentence(to, noun->summary, width);
    (void)fputc('\n', to);
    for (int i = 0; i < command_count; i++) {
        if (command_is_of(&commands[i], noun->name))
            print_entry(to, commands[i].name, commands[i].summary, VERB_COLUMN, width);
    }
    (void)fprintf(to, "\nreeve %s COMMAND --help has the operands, options and examples of a command.\n", noun->name);
}

/* One line for all commands of a noun. */
static void
print_noun(FILE *to, const struct noun *noun, int width)
{
    struct buf verbs;

    buf_init(&verbs, TEXT_MAX);
    buf_printf(&verbs, "%s:", noun->summary);
    for (int i = 0; i < command_count; i++) {
        if (command_is_of(&commands[i], noun->name))
            buf_printf(
                &verbs, "%s %s", verbs.text[verbs.length - 1] == ':' ? "" : ",", commands[i].name + strlen(noun->name) + 1);
    }
    print_entry(to, noun->name, verbs.text, NAME_COLUMN, width);
    buf_release(&verbs);
}

void
help_overview(FILE *to, int width)
{
    (void)fprintf(to, "reeve %s: supervised background work for PostgreSQL\n\nusage: reeve COMMAND [OPERAND ...] [OPTION ...]\n",
        PROGRAM_VERSION);
    for (int section = 0; section < SECTION_COUNT; section++) {
        (void)fprintf(to, "\n%s:\n", command_section_title((enum command_section)section));
        for (int i = 0; i < noun_count; i++) {
            if ((int)nouns[i].section == section)
                print_noun(to, &nouns[i], width);
        }
        for (int i = 0; i < command_count; i++) {
            char first[32];

            (void)snprintf(first, sizeof(first), "%.*s", (int)strcspn(commands[i].name, " "), commands[i].name);
            if ((int)commands[i].section == section && command_noun(first) == NULL)
                print_entry(to, commands[i].name, commands[i].summary, NAME_COLUMN, width);
        }
    }
    (void)fputs("\nreeve COMMAND --help has the options and examples of a command.\n"
                "New here?  reeve dev shows everything in a private database.\n",
        to);
}

/* --- wrong words --------------------------------------------------------------------- */

/* An argument in the wrong position may be a URL with a password, so it is not repeated. */
static const char *
shown(const char *argument)
{
    return strstr(argument, "://") != NULL || strchr(argument, '=') != NULL ? "..." : argument;
}

/* Offers all commands, and all nouns if only the first word counts. */
static void
offer_all(struct suggestion *near, bool is_first_word)
{
    for (int i = 0; i < noun_count && is_first_word; i++)
        suggestion_offer(near, nouns[i].name, strlen(nouns[i].name));
    for (int i = 0; i < command_count; i++)
        suggestion_offer(near, commands[i].name, strlen(commands[i].name));
}

int
help_refuse(int count, char **words)
{
    bool has_two = count > 1 && words[1][0] != '-';
    const struct noun *noun = command_noun(words[0]);
    struct suggestion near = {0};
    char joined[3][64];

    (void)snprintf(joined[0], sizeof(joined[0]), "%.30s %.30s", words[0], has_two ? words[1] : "");
    (void)snprintf(joined[1], sizeof(joined[1]), "%.30s %.30s", has_two ? words[1] : "", words[0]); /* "list task" */
    (void)snprintf(joined[2], sizeof(joined[2]), "%.60s", words[0]);
    for (int i = has_two ? 0 : 2; i < 3 && near.best == NULL; i++) {
        suggestion_begin(&near, joined[i], strlen(joined[i]));
        offer_all(&near, i == 2);
    }
    if (noun != NULL && near.is_exact)
        near.best = NULL; /* the noun is right, and no verb is near */
    terminal_print(
        stderr, "reeve: unknown command \"%.60s%s%.20s\"\n", shown(words[0]), has_two ? " " : "", has_two ? shown(words[1]) : "");
    if (near.best != NULL)
        terminal_print(stderr, "hint: did you mean \"reeve %.*s\"?  All commands: ", (int)near.best_length, near.best);
    else
        terminal_print(stderr, "hint: all commands: ");
    terminal_print(stderr, "reeve %s%s--help\n", noun == NULL ? "" : noun->name, noun == NULL ? "" : " ");
    return EXIT_USAGE;
}
