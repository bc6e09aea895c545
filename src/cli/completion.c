#include "cli/completion.h"

#include "base/buf.h"
#include "cli/help.h"

/* --- shared -------------------------------------------------------------------------- */

/* Is the value of the option a path? */
static bool
is_path(const struct option_row *row)
{
    return row->placeholder != NULL && (strcmp(row->placeholder, "FILE") == 0 || strcmp(row->placeholder, "DIR") == 0);
}

/* Prints words with spaces between them. */
static void
put_words(FILE *to, const struct option_word *words)
{
    for (const struct option_word *word = words; word->word != NULL; word++)
        (void)fprintf(to, "%s%s", word == words ? "" : " ", word->word);
}

/* Prints the inside of a text in single quotes.  `close` ends the quotes, writes a quote and begins them again. */
static void
put_quoted(FILE *to, const char *text, const char *close)
{
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            (void)fputs(close, to);
        else
            (void)fputc(*text, to);
    }
}

/* Prints the first words of all commands, each once. */
static void
put_first_words(FILE *to)
{
    for (int i = 0; i < noun_count; i++)
        (void)fprintf(to, " %s", nouns[i].name);
    for (int i = 0; i < command_count; i++) {
        if (strchr(commands[i].name, ' ') == NULL)
            (void)fprintf(to, " %s", commands[i].name);
    }
}

/* Prints the second words of the commands that begin with this one. */
static void
put_second_words(FILE *to, const char *first)
{
    for (int i = 0; i < command_count; i++) {
        if (command_is_of(&commands[i], first))
            (void)fprintf(to, " %s", commands[i].name + strlen(first) + 1);
    }
}

/* Has the command two words of which the first is a command, too, and no noun ("metrics list")? */
static bool
is_beside_its_word(const struct command *command)
{
    char first[32];

    (void)snprintf(first, sizeof(first), "%.*s", (int)strcspn(command->name, " "), command->name);
    return strchr(command->name, ' ') != NULL && command_noun(first) == NULL;
}

/* --- bash ---------------------------------------------------------------------------- */

static void
put_bash_values(FILE *to)
{
    for (int key = 0; key < CONFIG_COUNT; key++) {
        const struct option_row *row = &option_rows[key];

        if (row->flag == NULL || row->type == OPTION_FLAG)
            continue;
        for (int i = 0; i < command_count; i++) {
            if (!option_is_in(commands[i].keys, (enum config_key)key))
                continue;
            (void)fprintf(to, "    '%s --%s'", commands[i].name, row->flag);
            if (row->letter != 0)
                (void)fprintf(to, " | '%s -%c'", commands[i].name, row->letter);
            (void)fputs(") ", to);
            if (row->words != NULL) {
                (void)fputs("mapfile -t COMPREPLY < <(compgen -W '", to);
                put_words(to, row->words);
                (void)fputs("' -- \"$cur\"); ", to);
            } else if (is_path(row)) {
                (void)fputs("mapfile -t COMPREPLY < <(compgen -f -- \"$cur\"); ", to);
            }
            (void)fputs("return ;;\n", to);
        }
    }
}

static void
print_bash(FILE *to)
{
    (void)fputs("# Completion of reeve for bash, made by reeve --completion bash.\n_reeve() {\n"
                "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} name=${COMP_WORDS[1]} options='' i\n"
                "    COMPREPLY=()\n"
                "    if [ \"$prev\" = = ]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
                "    if [ \"$cur\" = = ]; then cur=''; fi\n"
                "    for ((i = 1; i < COMP_CWORD; i++)); do [ \"${COMP_WORDS[i]}\" != -- ] || { mapfile -t COMPREPLY < <(compgen "
                "-c -f -- \"$cur\"); return; }; done\n"
                "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        mapfile -t COMPREPLY < <(compgen -W '",
        to);
    put_first_words(to);
    (void)fputs(" help --help --version' -- \"$cur\")\n        return\n    fi\n    case $name in\n", to);
    for (int i = 0; i < noun_count; i++) {
        (void)fprintf(
            to, "    %s)\n        if [ \"$COMP_CWORD\" -eq 2 ]; then mapfile -t COMPREPLY < <(compgen -W '", nouns[i].name);
        put_second_words(to, nouns[i].name);
        (void)fputs(" --help' -- \"$cur\"); return; fi\n        name=\"$name ${COMP_WORDS[2]}\" ;;\n", to);
    }
    for (int i = 0; i < command_count; i++) {
        if (is_beside_its_word(&commands[i]))
            (void)fprintf(to, "    %.*s) [ \"$name ${COMP_WORDS[2]}\" != '%s' ] || name='%s' ;;\n",
                (int)strcspn(commands[i].name, " "), commands[i].name, commands[i].name, commands[i].name);
    }
    (void)fputs("    help)\n        mapfile -t COMPREPLY < <(compgen -W '", to);
    put_first_words(to);
    (void)fputs("' -- \"$cur\")\n        return ;;\n    esac\n    case \"$name $prev\" in\n", to);
    put_bash_values(to);
    (void)fputs("    esac\n    case $name in\n", to);
    for (int i = 0; i < command_count; i++) {
        (void)fprintf(to, "    '%s') options='", commands[i].name);
        for (int key = 0; key < CONFIG_COUNT; key++) {
            if (option_rows[key].flag != NULL && option_is_in(commands[i].keys, (enum config_key)key))
                (void)fprintf(to, "--%s ", option_rows[key].flag);
        }
        (void)fputs("--help' ;;\n", to);
    }
    (void)fputs("    esac\n    case $cur in\n    -*) mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$cur\") ;;\n"
                "    *) mapfile -t COMPREPLY < <(compgen -f -- \"$cur\") ;;\n    esac\n}\ncomplete -F _reeve reeve\n",
        to);
}

/* --- zsh ----------------------------------------------------------------------------- */

/* Prints a description inside [ ] inside single quotes. */
static void
put_zsh_text(FILE *to, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            (void)fputs("'\\''", to);
        else if (strchr("[]:\\", *text) != NULL)
            (void)fprintf(to, "\\%c", *text);
        else
            (void)fputc(*text, to);
    }
}

static void
put_zsh_option(FILE *to, const struct option_row *row)
{
    bool is_list = row->type == OPTION_LIST;

    if (row->letter != 0)
        (void)fprintf(to, " \\\n            '(--%s)-%c+[", row->flag, row->letter);
    else
        (void)fprintf(to, " \\\n            '%s--%s%s[", is_list ? "*" : "", row->flag, row->type == OPTION_FLAG ? "" : "=");
    put_zsh_text(to, row->help);
    (void)fputc(']', to);
    if (row->type != OPTION_FLAG) {
        (void)fputc(':', to);
        put_zsh_text(to, row->placeholder);
        (void)fputc(':', to);
        if (row->words != NULL) {
            (void)fputc('(', to);
            put_words(to, row->words);
            (void)fputc(')', to);
        } else if (is_path(row)) {
            (void)fputs("_files", to);
        }
    }
    (void)fputc('\'', to);
}

static void
put_zsh_command(FILE *to, const struct command *command)
{
    (void)fprintf(to, "    '%s')\n        _arguments", command->name);
    for (int key = 0; key < CONFIG_COUNT; key++) {
        const struct option_row *row = &option_rows[key];
        struct option_row without_letter = *row;

        if (row->flag == NULL || !option_is_in(command->keys, (enum config_key)key))
            continue;
        put_zsh_option(to, row);
        without_letter.letter = 0;
        if (row->letter != 0)
            put_zsh_option(to, &without_letter);
    }
    (void)fputs(" \\\n            '(- *)--help[explain this command]' '*: :_files' ;;\n", to);
}

static void
print_zsh(FILE *to)
{
    (void)fputs("#compdef reeve\n# Completion of reeve for zsh, made by reeve --completion zsh.\n_reeve() {\n"
                "    local -a found\n    local name=$words[2]\n"
                "    if (( CURRENT == 2 )); then\n        found=(",
        to);
    for (int i = 0; i < noun_count; i++) {
        (void)fprintf(to, "\n            '%s:", nouns[i].name);
        put_zsh_text(to, nouns[i].summary);
        (void)fputc('\'', to);
    }
    for (int i = 0; i < command_count; i++) {
        if (strchr(commands[i].name, ' ') != NULL)
            continue;
        (void)fprintf(to, "\n            '%s:", commands[i].name);
        put_zsh_text(to, commands[i].summary);
        (void)fputc('\'', to);
    }
    (void)fputs(
        "\n            'help:explain a command')\n        _describe command found\n        return\n    fi\n    case $name in\n",
        to);
    for (int i = 0; i < noun_count; i++) {
        (void)fprintf(to, "    %s)\n        if (( CURRENT == 3 )); then\n            found=(", nouns[i].name);
        for (int c = 0; c < command_count; c++) {
            if (!command_is_of(&commands[c], nouns[i].name))
                continue;
            (void)fprintf(to, "\n                '%s:", commands[c].name + strlen(nouns[i].name) + 1);
            put_zsh_text(to, commands[c].summary);
            (void)fputc('\'', to);
        }
        (void)fputs(")\n            _describe command found\n            return\n        fi\n        name=\"$name $words[3]\"\n"
                    "        (( CURRENT -= 1 ))\n        shift words ;;\n",
            to);
    }
    for (int i = 0; i < command_count; i++) {
        if (is_beside_its_word(&commands[i]))
            (void)fprintf(to,
                "    %.*s)\n        if [[ \"$name $words[3]\" == '%s' ]]; then name='%s'; (( CURRENT -= 1 )); shift words; fi "
                ";;\n",
                (int)strcspn(commands[i].name, " "), commands[i].name, commands[i].name, commands[i].name);
    }
    (void)fputs("    esac\n    (( CURRENT -= 1 ))\n    shift words\n    case $name in\n", to);
    for (int i = 0; i < command_count; i++)
        put_zsh_command(to, &commands[i]);
    (void)fputs("    esac\n}\n_reeve \"$@\"\n", to);
}

/* --- fish ---------------------------------------------------------------------------- */

static void
put_fish_text(FILE *to, const char *text)
{
    (void)fputs(" -d '", to);
    put_quoted(to, text, "\\'");
    (void)fputs("'\n", to);
}

static void
put_fish_options(FILE *to, const struct command *command)
{
    for (int key = 0; key < CONFIG_COUNT; key++) {
        const struct option_row *row = &option_rows[key];

        if (row->flag == NULL || !option_is_in(command->keys, (enum config_key)key))
            continue;
        (void)fprintf(to, "complete -c reeve -n '__reeve_is %s' -l %s", command->name, row->flag);
        if (row->letter != 0)
            (void)fprintf(to, " -s %c", row->letter);
        if (row->words != NULL) {
            (void)fputs(" -x -a '", to);
            put_words(to, row->words);
            (void)fputc('\'', to);
        } else if (row->type != OPTION_FLAG) {
            (void)fputs(is_path(row) ? " -r -F" : " -x", to);
        }
        put_fish_text(to, row->help);
    }
}

static void
print_fish(FILE *to)
{
    (void)fputs(
        "# Completion of reeve for fish, made by reeve --completion fish.\n"
        "function __reeve_is\n    set -l words (commandline -opc)\n    set -e words[1]\n"
        "    test (count $words) -ge (count $argv); or return 1\n"
        "    for i in (seq (count $argv))\n        test $words[$i] = $argv[$i]; or return 1\n    end\nend\n"
        "function __reeve_has\n    test (count (commandline -opc)) -eq $argv[1]; or return 1\n    __reeve_is $argv[2..-1]\nend\n"
        "complete -c reeve -n '__reeve_has 1' -f\n",
        to);
    for (int i = 0; i < noun_count; i++) {
        (void)fprintf(to, "complete -c reeve -n '__reeve_has 1' -a %s", nouns[i].name);
        put_fish_text(to, nouns[i].summary);
        (void)fprintf(to, "complete -c reeve -n '__reeve_has 2 %s' -f\n", nouns[i].name);
    }
    for (int i = 0; i < command_count; i++) {
        const char *space = strchr(commands[i].name, ' ');

        if (space == NULL)
            (void)fprintf(to, "complete -c reeve -n '__reeve_has 1' -a %s", commands[i].name);
        else
            (void)fprintf(to, "complete -c reeve -n '__reeve_has 2 %.*s' -a %s", (int)(space - commands[i].name),
                commands[i].name, space + 1);
        put_fish_text(to, commands[i].summary);
        put_fish_options(to, &commands[i]);
    }
}

bool
completion_print(FILE *to, const char *shell)
{
    if (strcmp(shell, "bash") == 0)
        print_bash(to);
    else if (strcmp(shell, "zsh") == 0)
        print_zsh(to);
    else if (strcmp(shell, "fish") == 0)
        print_fish(to);
    else
        return false;
    return true;
}
