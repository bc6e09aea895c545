#include "pages/parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/outside.h"

/* --- values of a document ------------------------------------------------------------ */

static const char *
scalar(const json_t *value, struct part_word *word)
{
    if (json_is_string(value))
        return json_string_value(value);
    if (json_is_integer(value))
        (void)snprintf(word->text, sizeof(word->text), "%lld", (long long)json_integer_value(value));
    else if (json_is_real(value))
        (void)snprintf(word->text, sizeof(word->text), "%.6g", json_real_value(value));
    else
        (void)snprintf(word->text, sizeof(word->text), "%s", json_is_true(value) ? "yes" : json_is_false(value) ? "no" : "");
    return word->text;
}

const char *
part_text(const json_t *row, const char *key, struct part_word *word)
{
    return scalar(json_object_get(row, key), word);
}

long long
part_int(const json_t *row, const char *key)
{
    const json_t *value = json_object_get(row, key);

    return json_is_integer(value) ? (long long)json_integer_value(value) : (long long)json_number_value(value);
}

double
part_real(const json_t *row, const char *key)
{
    return json_number_value(json_object_get(row, key));
}

bool
part_has(const json_t *row, const char *key)
{
    const json_t *value = json_object_get(row, key);

    return value != NULL && !json_is_null(value);
}

bool
part_is(const json_t *row, const char *key)
{
    return json_is_true(json_object_get(row, key));
}

bool
part_may(const struct html *html, enum page_right right)
{
    return !html->viewer->is_read_only && html->viewer->right >= right;
}

/* --- values as HTML ------------------------------------------------------------------ */

/* Words of states, statuses, outcomes and reasons, and the colour of each.  Other words are grey. */
static const struct {
    const char *word;
    const char *colour;
} states[] = {
    {"succeeded", "good"},
    {"completed", "calm"},
    {"done", "good"},
    {"live", "good"},
    {"on_time", "good"},
    {"active", "good"},
    {"enabled", "good"},
    {"sent", "good"},
    {"by_hand", "good"},
    {"backfill", "good"},
    {"running", "busy"},
    {"executing", "busy"},
    {"processing", "busy"},
    {"ready", "calm"},
    {"new", "calm"},
    {"pending", "calm"},
    {"previewed", "calm"},
    {"scheduled", "calm"},
    {"failed", "bad"},
    {"quarantined", "bad"},
    {"in_doubt", "bad"},
    {"supervisor_failed", "bad"},
    {"run_limit", "bad"},
    {"server_error", "bad"},
    {"too_many", "bad"},
    {"other", "bad"},
    {"silent", "bad"},
    {"refused", "bad"},
    {"missed", "bad"},
    {"interrupted", "bad"},
    {"paused", "warn"},
    {"handler_pending", "warn"},
    {"late", "warn"},
    {"queued", "warn"},
    {"skipped", "warn"},
    {"overlap", "warn"},
    {"expired", "warn"},
    {"disabled", "warn"},
    {"non_success", "warn"},
};

static void
put_state(struct html *html, const char *word)
{
    const char *colour = "plain";

    for (size_t i = 0; i < LENGTH(states); i++) {
        if (strcmp(states[i].word, word) == 0)
            colour = states[i].colour;
    }
    html_put(html, "<span class=\"state %s\">", colour);
    (void)html_text_cut(html, word, PART_CUT);
    html_put(html, "</span>");
}

void
part_time(struct html *html, const char *time)
{
    size_t length = strcspn(time, "T");
    const char *zone = strpbrk(time + length, "+-Z");
    char shown[64];

    if (time[0] == '\0')
        return;
    if (strcmp(time, "infinity") == 0) {
        html_put(html, "until it is changed");
        return;
    }
    if (time[length] != 'T' || strlen(time) > 40) {
        html_put(html, "%s", time);
        return;
    }
    if (zone == NULL) {
        (void)snprintf(shown, sizeof(shown), "%.10s %.8s", time, time + length + 1);
        html_put(html, "%s", shown);
        return;
    }
    (void)snprintf(shown, sizeof(shown), "%.10s %.8s %s", time, time + length + 1, zone);
    html_put(html, "<time datetime=\"%s\">%s</time>", time, shown);
}

void
part_seconds(struct html *html, double seconds)
{
    double value = fabs(seconds);

    if (value < 1)
        html_put(html, "%d ms", (int)(value * 1000));
    else if (value < 120)
        html_put(html, "%d s", (int)value);
    else if (value < 7200)
        html_put(html, "%d min", (int)(value / 60));
    else if (value < 172800)
        html_put(html, "%d h %d min", (int)(value / 3600), (int)(value / 60) % 60);
    else
        html_put(html, "%lld d %d h", (long long)(value / 86400), (int)(fmod(value, 86400) / 3600));
}

/* Adds a JSON value as one line, cut after `most` characters. */
static void
put_json_line(struct html *html, const json_t *value, size_t most)
{
    char *text = json_dumps(value, JSON_COMPACT | JSON_SORT_KEYS | JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));

    html_put(html, "<code>");
    (void)html_text_cut(html, text == NULL ? "" : text, most);
    html_put(html, "</code>");
    free(text);
}

static void
put_texts(struct html *html, const json_t *list)
{
    size_t index;
    const json_t *value;

    json_array_foreach(list, index, value)
    {
        struct part_word word;

        html_put(html, "%s", index == 0 ? "" : ", ");
        (void)html_text_cut(html, scalar(value, &word), PART_CUT);
    }
}

/* Adds a link whose text is the value.  The template must have two %s: one in the address, one in the text. */
static void
put_link(struct html *html, enum part_cell cell, const char *text)
{
    switch (cell) {
    case CELL_TASK:
        html_put(html, "<a class=\"id\" href=\"~/tasks/%s\">%s</a>", text, text);
        break;
    case CELL_PROCESS:
        html_put(html, "<a class=\"id\" href=\"~/processes/%s\">%s</a>", text, text);
        break;
    case CELL_JOB:
        html_put(html, "<a class=\"id\" href=\"~/jobs/%s\">%s</a>", text, text);
        break;
    case CELL_COMMAND:
        html_put(html, "<a class=\"id\" href=\"~/commands/%s\">%s</a>", text, text);
        break;
    case CELL_BULK:
        html_put(html, "<a class=\"id\" href=\"~/bulk/%s\">%s</a>", text, text);
        break;
    case CELL_QUEUE:
        html_put(html, "<a href=\"~/tasks?queue=%s\">%s</a>", text, text);
        break;
    case CELL_TYPE:
        html_put(html, "<a href=\"~/tasks?type=%s\">%s</a>", text, text);
        break;
    case CELL_SCHEDULE:
        html_put(html, "<a href=\"~/schedules/%s\">%s</a>", text, text);
        break;
    case CELL_WEBHOOK:
        html_put(html, "<a href=\"~/webhooks/%s\">%s</a>", text, text);
        break;
    case CELL_TEXT:
    case CELL_NAME:
    case CELL_CODE:
    case CELL_NUMBER:
    case CELL_TIME:
    case CELL_STATE:
    case CELL_SECONDS:
    case CELL_JSON:
        html_put(html, "%s", text);
        break;
    }
}

void
part_value(struct html *html, enum part_cell cell, const json_t *value)
{
    struct part_word word;

    if (value == NULL || json_is_null(value))
        return;
    if (cell == CELL_JSON || json_is_object(value)) {
        put_json_line(html, value, PART_CUT);
        return;
    }
    if (json_is_array(value)) {
        put_texts(html, value);
        return;
    }
    switch (cell) {
    case CELL_TEXT:
    case CELL_NAME:
        (void)html_text_cut(html, scalar(value, &word), PART_CUT);
        break;
    case CELL_CODE:
        html_put(html, "<code>");
        (void)html_text_cut(html, scalar(value, &word), PART_CUT);
        html_put(html, "</code>");
        break;
    case CELL_TIME:
        part_time(html, scalar(value, &word));
        break;
    case CELL_STATE:
        put_state(html, scalar(value, &word));
        break;
    case CELL_SECONDS:
        part_seconds(html, json_number_value(value));
        break;
    case CELL_NUMBER:
    case CELL_JSON:
    case CELL_TASK:
    case CELL_PROCESS:
    case CELL_JOB:
    case CELL_COMMAND:
    case CELL_BULK:
    case CELL_QUEUE:
    case CELL_TYPE:
    case CELL_SCHEDULE:
    case CELL_WEBHOOK:
        put_link(html, cell, scalar(value, &word));
        break;
    }
}

void
part_json(struct html *html, const char *title, const json_t *value)
{
    char *text;

    if (value == NULL || json_is_null(value))
        return;
    text = json_dumps(value, JSON_INDENT(2) | JSON_SORT_KEYS | JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
    html_put(html, "<details class=\"json\" id=\"json-%s\"><summary>%s <small>%lld bytes</small></summary><pre tabindex=\"0\">",
        title, title, (long long)(text == NULL ? 0 : strlen(text)));
    if (html_text_cut(html, text == NULL ? "" : text, PART_JSON_CUT)) {
        struct buf path;

        buf_init(&path, 16384);
        buf_printf(&path, "/api%s", html->viewer->path);
        html_put(html, "</pre><p>This is its beginning. <a href=\"%s\">The whole text as JSON</a></p></details>", path.text);
        buf_release(&path);
    } else {
        html_put(html, "</pre></details>");
    }
    free(text);
}

/* --- tables and lists ---------------------------------------------------------------- */

static const char *
cell_class(enum part_cell cell)
{
    switch (cell) {
    case CELL_NUMBER:
    case CELL_SECONDS:
        return "n";
    case CELL_TIME:
        return "t";
    case CELL_TASK:
    case CELL_PROCESS:
    case CELL_JOB:
    case CELL_COMMAND:
    case CELL_BULK:
        return "i";
    case CELL_STATE:
    case CELL_QUEUE:
    case CELL_TYPE:
    case CELL_SCHEDULE:
    case CELL_WEBHOOK:
    case CELL_NAME:
        return "k";
    case CELL_TEXT:
    case CELL_CODE:
    case CELL_JSON:
        break;
    }
    return "w";
}

static void
put_row(struct html *html, const struct part_table *table, const json_t *row)
{
    struct part_word word;

    html_put(html, "<tr data-key=\"%s\">", table->key == NULL ? "" : part_text(row, table->key, &word));
    for (int i = 0; i < table->count; i++) {
        const struct part_column *column = &table->columns[i];

        html_put(html, "<td class=\"%s\" data-label=\"%s\">", cell_class(column->cell), column->title);
        part_value(html, column->cell, json_object_get(row, column->key));
        html_put(html, "</td>");
    }
    if (table->acts != NULL) {
        html_put(html, "<td class=\"acts\">");
        table->acts(html, row);
        html_put(html, "</td>");
    }
    html_put(html, "</tr>\n");
}

void
part_table(struct html *html, const struct part_table *table, const json_t *rows)
{
    size_t index;
    const json_t *row;

    if (json_array_size(rows) == 0) {
        html_put(html, "<p class=\"empty\">%s</p>\n", table->empty);
        return;
    }
    html_put(html, "<div class=\"scroll\"><table><caption>%s</caption><thead><tr>", table->caption);
    for (int i = 0; i < table->count; i++)
        html_put(html, "<th scope=\"col\" class=\"%s\">%s</th>", cell_class(table->columns[i].cell), table->columns[i].title);
    if (table->acts != NULL)
        html_put(html, "<th scope=\"col\" class=\"acts\"><span class=\"unseen\">Acts</span></th>");
    html_put(html, "</tr></thead><tbody>\n");
    json_array_foreach(rows, index, row)
    {
        put_row(html, table, row);
    }
    html_put(html, "</tbody></table></div>\n");
}

void
part_list(struct html *html, const struct part_column *columns, int count, const json_t *row)
{
    html_put(html, "<dl class=\"facts\">");
    for (int i = 0; i < count; i++) {
        if (!part_has(row, columns[i].key))
            continue;
        html_put(html, "<div><dt>%s</dt><dd>", columns[i].title);
        part_value(html, columns[i].cell, json_object_get(row, columns[i].key));
        html_put(html, "</dd></div>");
    }
    html_put(html, "</dl>\n");
}

/* --- filters and pages of a list ----------------------------------------------------- */

const char *
part_argument(const struct html *html, const char *name)
{
    for (int i = 0; html->argument_names != NULL && html->argument_names[i] != NULL; i++) {
        if (strcmp(html->argument_names[i], name) == 0)
            return html->viewer->values == NULL || html->viewer->values[i] == NULL ? "" : html->viewer->values[i];
    }
    return "";
}

static void
put_choices(struct html *html, const struct part_filter *filter, const char *value)
{
    bool is_known = value[0] == '\0';

    html_put(html, "<select name=\"%s\"><option value=\"\">any</option>", filter->name);
    for (int i = 0; filter->choices[i] != NULL; i++) {
        bool is_chosen = strcmp(filter->choices[i], value) == 0;

        is_known = is_known || is_chosen;
        if (is_chosen)
            html_put(html, "<option selected value=\"%s\">%s</option>", filter->choices[i], filter->choices[i]);
        else
            html_put(html, "<option value=\"%s\">%s</option>", filter->choices[i], filter->choices[i]);
    }
    if (!is_known)
        html_put(html, "<option selected value=\"%s\">%s</option>", value, value);
    html_put(html, "</select>");
}

void
part_filters(struct html *html, const struct part_filter *filters, int count)
{
    bool has_any = false;

    html_put(
        html, "<form class=\"filters\" method=\"get\" action=\"%s\" role=\"search\" aria-label=\"Filter\">", html->viewer->path);
    for (int i = 0; i < count; i++) {
        const char *value = part_argument(html, filters[i].name);

        has_any = has_any || value[0] != '\0';
        html_put(html, "<label><span>%s</span>", filters[i].label);
        if (filters[i].choices != NULL)
            put_choices(html, &filters[i], value);
        else
            html_put(html, "<input name=\"%s\" value=\"%s\" placeholder=\"%s\" autocomplete=\"off\">", filters[i].name, value,
                filters[i].hint == NULL ? "" : filters[i].hint);
        html_put(html, "</label>");
    }
    html_put(html, "<button>Filter</button>");
    if (has_any)
        html_put(html, "<a class=\"button quiet\" href=\"%s\">Clear</a>", html->viewer->path);
    html_put(html, "</form>\n");
}

/* The path of this page with its arguments, and the cursor replaced.  buf_release frees it. */
static void
own_path(const struct html *html, const char *cursor, struct buf *path)
{
    char mark = '?';

    buf_puts(path, html->viewer->path);
    for (int i = 0; html->argument_names != NULL && html->argument_names[i] != NULL; i++) {
        const char *name = html->argument_names[i];
        const char *value = strcmp(name, "cursor") == 0 ? cursor : part_argument(html, name);

        if (value[0] == '\0')
            continue;
        buf_add(path, &mark, 1);
        mark = '&';
        html_encode(path, name);
        buf_puts(path, "=");
        html_encode(path, value);
    }
}

void
part_pager(struct html *html, const json_t *data)
{
    struct part_word word;
    const char *cursor = part_text(data, "cursor", &word);
    struct buf path;

    html_put(html, "<nav class=\"pager\" aria-label=\"Parts of the list\">");
    buf_init(&path, 65536);
    if (part_argument(html, "cursor")[0] != '\0') {
        own_path(html, "", &path);
        html_put(html, "<a class=\"button quiet\" href=\"%s\">Newest</a>", path.text);
    }
    if (cursor[0] != '\0') {
        buf_clear(&path);
        own_path(html, cursor, &path);
        html_put(html, "<a class=\"button quiet\" rel=\"next\" href=\"%s\">Older</a>", path.text);
    }
    buf_release(&path);
    if (part_has(data, "looked_back_to")) {
        html_put(html, "<span class=\"note\">Looked at the newest %lld, back to ", part_int(data, "scanned"));
        part_value(html, CELL_TIME, json_object_get(data, "looked_back_to"));
        html_put(html, ". Older ones follow.</span>");
    }
    html_put(html, "</nav>\n");
}

/* --- acts ---------------------------------------------------------------------------- */

/* The path and query of this page, to which an act returns.  buf_release frees it. */
static void
add_back(const struct html *html, struct buf *back)
{
    buf_puts(back, html->viewer->path);
    if (html->viewer->query[0] != '\0')
        buf_printf(back, "?%s", html->viewer->query);
}

void
part_act(struct html *html, const char *path, const char *label, const char *kind)
{
    struct buf address;
    struct buf back;

    buf_init(&back, 16384);
    buf_init(&address, 65536);
    add_back(html, &back);
    buf_printf(&address, "%s%sback=", path, strchr(path, '?') == NULL ? "?" : "&");
    html_encode(&address, back.text);
    html_put(html, "<a class=\"button %s\" href=\"%s\">%s</a>", kind, address.text, label);
    buf_release(&address);
    buf_release(&back);
}

char *
part_path(const char *pattern, const char *operand)
{
    const char *gap = strstr(pattern, "{}");
    struct buf path;
    char *copy;

    buf_init(&path, 16384);
    buf_add(&path, pattern, gap == NULL ? strlen(pattern) : (size_t)(gap - pattern));
    if (gap != NULL) {
        html_encode(&path, operand);
        buf_puts(&path, gap + 2);
    }
    copy = must_strdup(path.text);
    buf_release(&path);
    return copy;
}

void
part_act_on(struct html *html, const char *pattern, const char *operand, const char *label, const char *kind)
{
    char *path = part_path(pattern, operand);

    part_act(html, path, label, kind);
    free(path);
}

void
part_hidden(struct html *html, const char *back)
{
    unsigned char bytes[16];
    char key[40];
    size_t length = 0;

    outside_random(bytes, sizeof(bytes));
    bytes[6] = (unsigned char)((bytes[6] & 0x0f) | 0x40);
    bytes[8] = (unsigned char)((bytes[8] & 0x3f) | 0x80);
    for (int i = 0; i < 16; i++)
        length += (size_t)snprintf(
            key + length, sizeof(key) - length, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", bytes[i]);
    html_put(html,
        "<input type=\"hidden\" name=\"" PAGE_FIELD_TOKEN "\" value=\"%s\">"
        "<input type=\"hidden\" name=\"" PAGE_FIELD_KEY "\" value=\"%s\">"
        "<input type=\"hidden\" name=\"" PAGE_FIELD_BACK "\" value=\"%s\">",
        html->viewer->token, key, back);
}

void
part_field(struct html *html, const char *name, const char *label, const char *type, const char *value, const char *hint)
{
    html_put(html, "<p class=\"field\"><label for=\"f-%s\">%s</label>", name, label);
    if (strcmp(type, "textarea") == 0)
        html_put(html, "<textarea id=\"f-%s\" name=\"%s\" rows=\"14\" spellcheck=\"false\">\n%s</textarea>", name, name, value);
    else
        html_put(html, "<input id=\"f-%s\" name=\"%s\" type=\"%s\" value=\"%s\" autocomplete=\"off\">", name, name, type, value);
    if (hint[0] != '\0')
        html_put(html, "<small>%s</small>", hint);
    html_put(html, "</p>\n");
}

const char *
part_given(const struct html *html, int field)
{
    return html->viewer->values == NULL || html->viewer->values[field] == NULL ? "" : html->viewer->values[field];
}

void
part_heading(struct html *html, const char *title, const char *note)
{
    html_put(html, "<h2>%s", title);
    if (note[0] != '\0')
        html_put(html, " <small>%s</small>", note);
    html_put(html, "</h2>\n");
}
