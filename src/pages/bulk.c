/*
 * Acts on many things.  A preview freezes what a filter finds; then exactly that is done.
 */
#include <string.h>

#include "pages/parts.h"
#include "pages/topics.h"

/* What an act of a kind does. */
static const char *
kind_words(const char *kind)
{
    static const struct {
        const char *kind;
        const char *words;
    } kinds[] = {{"task_retry", "retry tasks"}, {"task_cancel", "cancel tasks"}, {"process_revive", "revive processes"},
        {"job_retry", "run jobs again"}, {"job_cancel", "cancel jobs"}};

    for (size_t i = 0; i < LENGTH(kinds); i++) {
        if (strcmp(kinds[i].kind, kind) == 0)
            return kinds[i].words;
    }
    return kind;
}

void
bulk_link(struct html *html, const char *kind, const char *label, const char *const *names)
{
    struct buf path;

    buf_init(&path, 65536);
    buf_puts(&path, "/bulk/preview?kind=");
    html_encode(&path, kind);
    for (int i = 0; names[i] != NULL; i += 2) {
        const char *value = part_argument(html, names[i + 1]);

        if (value[0] == '\0')
            continue;
        buf_printf(&path, "&%s=", names[i]);
        html_encode(&path, value);
    }
    part_act(html, path.text, label, "");
    buf_release(&path);
}

/* --- preview --------------------------------------------------------------------------- */

/* The fields of the act, in the order of its row. */
static const struct {
    const char *name;
    const char *title;
} fields[] = {{"kind", "Act"}, {"outcome", "Outcome"}, {"type", "Type"}, {"queue", "Queue"}, {"state", "State"},
    {"since", "Since"}, {"until", "Until"}, {"error", "Error has"}, {"url", "URL begins with"}};

void
bulk_ask_preview(struct html *html, const json_t *data, const struct page_viewer *viewer)
{
    bool has_filter = false;

    (void)data;
    (void)viewer;
    html_put(html,
        "<p>The things that match are counted, and their ids are kept. Nothing is done to them yet: the next page shows the "
        "number and examples, and asks once more.</p><dl class=\"facts\">");
    for (int i = 0; i < (int)LENGTH(fields); i++) {
        const char *value = part_given(html, i);

        if (value[0] == '\0')
            continue;
        has_filter = has_filter || i > 0;
        html_put(html, "<div><dt>%s</dt><dd>%s<input type=\"hidden\" name=\"%s\" value=\"%s\"></dd></div>", fields[i].title,
            i == 0 ? kind_words(value) : value, fields[i].name, value);
    }
    html_put(html, "</dl>");
    if (!has_filter)
        html_put(html, "<p class=\"notice warn\">There is no filter.</p><p class=\"field\"><label><input type=\"checkbox\" "
                       "name=\"all\" value=\"true\" required> All of them"
                       " are meant</label></p>");
    if (strcmp(part_given(html, 0), "task_cancel") == 0)
        part_field(html, "reason", "Reason", "text", part_given(html, 10), "It is kept in the history of each task.");
}

/* --- one act --------------------------------------------------------------------------- */

static const struct part_column facts[] = {
    {"Kind", "kind", CELL_NAME},
    {"State", "state", CELL_STATE},
    {"Counted", "counted", CELL_TEXT},
    {"Done", "done", CELL_TEXT},
    {"Skipped", "skipped", CELL_TEXT},
    {"Refused", "refused", CELL_TEXT},
    {"Left", "remaining", CELL_TEXT},
    {"Outcome", "outcome", CELL_TEXT},
    {"Type", "type", CELL_TEXT},
    {"Queue", "queue", CELL_NAME},
    {"State of the tasks", "task_state", CELL_TEXT},
    {"Since", "since", CELL_TIME},
    {"Until", "until", CELL_TIME},
    {"Error like", "error_like", CELL_CODE},
    {"URL begins with", "url", CELL_CODE},
    {"Reason", "reason", CELL_TEXT},
    {"Prepared", "made_at", CELL_TIME},
    {"By", "made_by", CELL_NAME},
    {"Started", "started_at", CELL_TIME},
    {"Started by", "started_by", CELL_TEXT},
    {"Last batch", "last_at", CELL_TIME},
    {"Stopped", "stopped_at", CELL_TIME},
    {"Stopped by", "stopped_by", CELL_TEXT},
    {"Carried by", "carrier_task_id", CELL_TASK},
};

static const struct part_column example_columns[] = {
    {"Task", "task_id", CELL_TASK},
    {"Process", "process_id", CELL_PROCESS},
    {"Job", "job_id", CELL_JOB},
    {"Type", "task_type", CELL_NAME},
    {"Queue", "queue", CELL_NAME},
    {"Supervisor", "supervisor", CELL_NAME},
    {"URL", "url", CELL_CODE},
    {"State", "state", CELL_STATE},
    {"Status", "status", CELL_STATE},
    {"Ended", "ended_at", CELL_TIME},
    {"Error", "last_error", CELL_TEXT},
};

/* The columns that at least one example has. */
static void
put_examples(struct html *html, const json_t *rows)
{
    struct part_column columns[LENGTH(example_columns)];
    struct part_table table = {"Examples", NULL, "Nothing matches the filter.", columns, 0, NULL};

    for (size_t i = 0; i < LENGTH(example_columns); i++) {
        size_t index;
        const json_t *row;
        bool is_used = false;

        json_array_foreach(rows, index, row)
        {
            is_used = is_used || part_has(row, example_columns[i].key);
        }
        if (is_used)
            columns[table.count++] = example_columns[i];
    }
    part_table(html, &table, rows);
}

static const struct part_column problems[] = {
    {"Id", "target_id", CELL_TEXT},
    {"Result", "result", CELL_STATE},
    {"Message", "message", CELL_TEXT},
};

static void
put_act_links(struct html *html, const json_t *data, const char *state)
{
    struct part_word id;
    const char *act = part_text(data, "act_id", &id);
    bool is_new = strcmp(state, "previewed") == 0;

    if (!part_may(html, PAGE_OPERATOR) || strcmp(state, "done") == 0 || strcmp(state, "stopped") == 0)
        return;
    html_put(html, "<div class=\"bar\">");
    if (is_new && part_int(data, "counted") > 0)
        part_act_on(html, "/bulk/{}/start", act, "Start \xe2\x80\xa6", "main");
    if (is_new && part_has(data, "cursor"))
        part_act_on(html, "/bulk/{}/extend", act, "Look further back \xe2\x80\xa6", "");
    part_act_on(html, "/bulk/{}/stop", act, is_new ? "Drop it \xe2\x80\xa6" : "Stop \xe2\x80\xa6", "danger");
    html_put(html, "</div>");
}

void
bulk_write(struct html *html, const json_t *data, const struct page_viewer *viewer)
{
    static const struct part_table table = {
        "Things that were skipped or refused", "target_id", "None was skipped or refused.", problems, LENGTH(problems), NULL};
    struct part_word word;
    const char *state = part_text(data, "state", &word);
    long long counted = part_int(data, "counted");

    (void)viewer;
    if (strcmp(state, "previewed") == 0)
        html_put(html, "<p class=\"lead\"><strong>%lld</strong> match. Nothing has been done to them.</p>", counted);
    else
        html_put(html,
            "<p class=\"progress\"><progress max=\"%lld\" value=\"%lld\" aria-label=\"Progress\"></progress> %lld of %lld</p>",
            counted < 1 ? 1 : counted, counted - part_int(data, "remaining"), counted - part_int(data, "remaining"), counted);
    if (part_has(data, "cursor"))
        html_put(html, "<p class=\"notice warn\">The search looked at the newest %lld only. There may be older ones.</p>",
            part_int(data, "scanned"));
    put_act_links(html, data, state);
    part_list(html, facts, LENGTH(facts), data);
    if (part_has(data, "examples")) {
        part_heading(html, "Examples", "the newest");
        put_examples(html, json_object_get(data, "examples"));
    }
    if (part_has(data, "problems") && strcmp(state, "previewed") != 0) {
        part_heading(html, "Skipped or refused", "the first fifty");
        part_table(html, &table, json_object_get(data, "problems"));
    }
}

static const struct part_column columns[] = {
    {"Act", "act_id", CELL_BULK},
    {"Kind", "kind", CELL_NAME},
    {"State", "state", CELL_STATE},
    {"Counted", "counted", CELL_NUMBER},
    {"Done", "done", CELL_NUMBER},
    {"Skipped", "skipped", CELL_NUMBER},
    {"Refused", "refused", CELL_NUMBER},
    {"Left", "remaining", CELL_NUMBER},
    {"Prepared", "made_at", CELL_TIME},
    {"By", "made_by", CELL_NAME},
};

void
bulk_list_write(struct html *html, const json_t *data, const struct page_viewer *viewer)
{
    static const struct part_table table = {"Acts on many things, newest first", "act_id",
        "There was no act on many things. The lists of tasks, processes and jobs begin one from their filter.", columns,
        LENGTH(columns), NULL};

    (void)viewer;
    part_table(html, &table, json_object_get(data, "rows"));
    part_pager(html, data);
}

void
bulk_ask(struct html *html, const json_t *data, const struct page_viewer *viewer)
{
    struct part_word kind;

    (void)viewer;
    html_put(html, "<p class=\"lead\"><strong>%lld</strong> found: %s.</p>", part_int(data, "counted"),
        kind_words(part_text(data, "kind", &kind)));
    part_list(html, facts, LENGTH(facts), data);
}
