/*
 * Tasks: the list, one task with its history, and the questions before acts on it.
 */
#include <string.h>

#include "pages/parts.h"
#include "pages/topics.h"

static const char *const states[] = {
    "ready", "scheduled", "running", "executing", "waiting", "blocked", "handler_pending", "completed", NULL};
static const char *const outcomes[] = {
    "succeeded", "failed", "cancelled", "quarantined", "in_doubt", "non_success", "superseded", NULL};

static const struct part_filter filters[] = {
    {"state", "State", states, NULL},
    {"outcome", "Outcome", outcomes, NULL},
    {"type", "Type", NULL, "email"},
    {"queue", "Queue", NULL, "default"},
    {"since", "Since", NULL, "1h, or a time"},
    {"until", "Until", NULL, "5min, or a time"},
    {"error", "Error has", NULL, "refused"},
};

static const struct part_column columns[] = {
    {"Task", "task_id", CELL_TASK},
    {"State", "state", CELL_STATE},
    {"Type", "task_type", CELL_TYPE},
    {"Queue", "queue", CELL_QUEUE},
    {"Status", "status", CELL_STATE},
    {"Scheduled", "scheduled_at", CELL_TIME},
    {"Ended", "completed_at", CELL_TIME},
    {"Last error", "last_error", CELL_TEXT},
};

static void
row_acts(struct html *html, const json_t *row)
{
    struct part_word id, state;

    if (!part_may(html, PAGE_OPERATOR))
        return;
    if (strcmp(part_text(row, "state", &state), "completed") == 0)
        part_act_on(html, "/tasks/{}/retry", part_text(row, "task_id", &id), "Retry", "small");
    else
        part_act_on(html, "/tasks/{}/cancel", part_text(row, "task_id", &id), "Cancel", "small danger");
}

/* Links to acts on all that the filter matches, if the filter fits the act. */
static void
put_bulk(struct html *html)
{
    static const char *const retry[] = {
        "outcome", "outcome", "type", "type", "queue", "queue", "since", "since", "until", "until", "error", "error", NULL};
    static const char *const cancel[] = {
        "state", "state", "type", "type", "queue", "queue", "since", "since", "until", "until", NULL};
    const char *state = part_argument(html, "state");
    bool is_ended = strcmp(state, "completed") == 0 || part_argument(html, "outcome")[0] != '\0';

    if (!part_may(html, PAGE_OPERATOR))
        return;
    html_put(html, "<div class=\"bar\">");
    if (is_ended || state[0] == '\0')
        bulk_link(html, "task_retry", "Retry all that match \xe2\x80\xa6", retry);
    if (!is_ended && part_argument(html, "error")[0] == '\0')
        bulk_link(html, "task_cancel", "Cancel all that match \xe2\x80\xa6", cancel);
    html_put(html, "</div>");
}

void
tasks_write(struct html *html, const json_t *data, const struct page_viewer *viewer)
{
    static const struct part_table table = {"Tasks, newest first", "task_id",
        "No task matches. Clear the filter, or add one: reeve enqueue db_function '{\"db_function\": \"public.hello\"}'", columns,
        LENGTH(columns), row_acts};

    /* A pattern for errors would tell what they say: it is the last filter, and not for observers. */
    part_filters(html, filters, (int)LENGTH(filters) - (viewer->right < PAGE_OPERATOR));
    put_bulk(html);
    part_table(html, &table, json_object_get(data, "rows"));
    part_pager(html, data);
}

/* --- one task ------------------------------------------------------------------------ */

static const struct part_column facts[] = {
    {"State", "state", CELL_STATE},
    {"Outcome", "outcome", CELL_STATE},
    {"Status", "status", CELL_STATE},
    {"Type", "task_type", CELL_TYPE},
    {"Queue", "queue", CELL_QUEUE},
    {"Priority", "priority", CELL_TEXT},
    {"Attempt", "attempt", CELL_TEXT},
    {"Enqueued", "enqueued_at", CELL_TIME},
    {"Scheduled", "scheduled_at", CELL_TIME},
    {"Available", "available_at", CELL_TIME},
    {"First lease", "dequeued_at", CELL_TIME},
    {"Lease", "lease_no", CELL_TEXT},
    {"Lease until", "expires_at", CELL_TIME},
    {"Started", "started_at", CELL_TIME},
    {"Ended", "completed_at", CELL_TIME},
    {"Process", "process_id", CELL_PROCESS},
    {"Parent", "parent_id", CELL_TASK},
    {"Made by", "origin_task_id", CELL_TASK},
    {"Retry of", "retry_of", CELL_TASK},
};

static void
put_why(struct html *html, const json_t *why)
{
    struct part_word word;

    if (!part_has(why, "sentence"))
        return;
    html_put(html, "<section class=\"why\" aria-label=\"Why\"><p>");
    (void)html_text_cut(html, part_text(why, "sentence", &word), PART_LONG_CUT);
    html_put(html, "</p>");
    part_json(html, "Evidence", json_object_get(why, "evidence"));
    html_put(html, "</section>\n");
}

/* The colour of an event in the history. */
static const char *
event_class(const char *event)
{
    if (strcmp(event, "error") == 0 || strcmp(event, "late result") == 0 || strstr(event, "expired") != NULL)
        return "bad";
    if (strcmp(event, "completed") == 0)
        return "end";
    return strncmp(event, "cancel", 6) == 0 ? "warn" : "plain";
}

static void
put_event(struct html *html, const json_t *row, long long task_id)
{
    struct part_word event, detail;

    html_put(html, "<li class=\"%s\">", event_class(part_text(row, "event", &event)));
    part_value(html, CELL_TIME, json_object_get(row, "at"));
    html_put(html, "<strong>%s</strong>", part_text(row, "event", &event));
    if (part_int(row, "task_id") != task_id) {
        html_put(html, " <span class=\"other\">task ");
        part_value(html, CELL_TASK, json_object_get(row, "task_id"));
        html_put(html, "</span>");
    }
    html_put(html, "<span class=\"detail\">");
    (void)html_text_cut(html, part_text(row, "detail", &detail), PART_LONG_CUT);
    html_put(html, "</span></li>\n");
}

static void
put_history(struct html *html, const json_t *data)
{
    const json_t *rows = json_object_get(data, "history");
    size_t index;
    const json_t *row;

    part_heading(html, "History", part_has(data, "attempt") ? "of all attempts" : "");
    html_put(html, "<ol class=\"story\">");
    json_array_foreach(rows, index, row)
    {
        put_event(html, row, part_int(data, "task_id"));
    }
    html_put(html, "</ol>\n");
}

static void
put_acts(struct html *html, const json_t *data)
{
    struct part_word id, state;
    bool is_ended = strcmp(part_text(data, "state", &state), "completed") == 0;
    const char *task = part_text(data, "task_id", &id);

    if (!part_may(html, PAGE_OPERATOR))
        return;
    html_put(html, "<div class=\"bar\">");
    if (is_ended) {
        part_act_on(html, "/tasks/{}/retry", task, "Retry \xe2\x80\xa6", "main");
    } else {
        part_act_on(html, "/tasks/{}/cancel", task, "Cancel \xe2\x80\xa6", "danger");
        part_act_on(html, "/tasks/{}/reschedule", task, "Reschedule \xe2\x80\xa6", "");
    }
    if (part_may(html, PAGE_ADMIN))
        part_act_on(html, "/tasks/{}/copy", task, "Enqueue a copy \xe2\x80\xa6", "");
    html_put(html, "</div>\n");
}

void
task_write(struct html *html, const json_t *data, const struct page_viewer *viewer)
{
    (void)viewer;
    put_why(html, json_object_get(data, "why"));
    put_acts(html, data);
    part_list(html, facts, LENGTH(facts), data);
    part_json(html, "Payload", json_object_get(data, "payload"));
    part_json(html, "Result", json_object_get(data, "result"));
    put_history(html, data);
}

/* --- questions ----------------------------------------------------------------------- */

static const struct part_column brief[] = {
    {"Type", "task_type", CELL_NAME},
    {"Queue", "queue", CELL_NAME},
    {"State", "state", CELL_STATE},
    {"Outcome", "outcome", CELL_STATE},
    {"Last error", "last_error", CELL_TEXT},
};

void
task_ask_retry(struct html *html, const json_t *data, const struct page_viewer *viewer)
{
    (void)viewer;
    part_list(html, brief, LENGTH(brief), data);
    html_put(html, "<p>A new task does the same work again. If the old one had its effect all the same, the effect happens "
                   "twice, unless the receiver"
                   " knows the idempotency key.</p>");
    part_field(html, "at", "When", "text", part_given(html, 0), "Empty: now. Otherwise a time, or a duration from now: 10min.");
}

void
task_ask_cancel(struct html *html, const json_t *data, const struct page_viewer *viewer)
{
    (void)viewer;
    part_list(html, brief, LENGTH(brief), data);
    html_put(html,
        "<p>A task that waits is cancelled at once. One that runs is asked to stop. The tasks below it are cancelled, too.</p>");
    part_field(html, "reason", "Reason", "text", part_given(html, 0), "It is kept in the history.");
}

void
task_ask_reschedule(struct html *html, const json_t *data, const struct page_viewer *viewer)
{
    (void)viewer;
    part_list(html, brief, LENGTH(brief), data);
    part_field(
        html, "at", "New time", "text", part_given(html, 0), "Empty: now. Otherwise a time, or a duration from now: 10min.");
}

void
task_ask_copy(struct html *html, const json_t *data, const struct page_viewer *viewer)
{
    struct part_word word;
    const char *given = part_given(html, 0);

    (void)viewer;
    part_list(html, brief, LENGTH(brief), data);
    html_put(html, "<p>The copy is a task of its own, with a key of its own. Change the payload where it has to differ.</p>");
    part_field(html, "payload", "Payload (JSON)", "textarea", given[0] != '\0' ? given : part_text(data, "payload", &word), "");
    part_field(html, "at", "When", "text", part_given(html, 1), "Empty: now. Otherwise a time, or a duration from now: 10min.");
}
