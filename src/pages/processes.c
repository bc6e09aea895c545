/*
 * Supervised processes: the list, and one process with its runs.
 */
#include <stdlib.h>
#include <string.h>

#include "pages/parts.h"
#include "pages/topics.h"

static const char *const states[] = {"live", "ended", NULL};

static const struct part_filter filters[] = {
    {"state", "State", states, NULL},
    {"supervisor", "Supervisor", NULL, "billing.remind"},
    {"since", "Began since", NULL, "1d, or a time"},
    {"until", "Until", NULL, "1h, or a time"},
};

static const struct part_column columns[] = {
    {"Process", "process_id", CELL_PROCESS},
    {"State", "state", CELL_STATE},
    {"Supervisor", "supervisor", CELL_NAME},
    {"Ids", "ids", CELL_JSON},
    {"Runs", "runs", CELL_NUMBER},
    {"Last status", "last_status", CELL_STATE},
    {"Next run", "next_run_at", CELL_TIME},
    {"Last run", "last_run_at", CELL_TIME},
    {"End", "end_reason", CELL_STATE},
};

void
processes_write(struct html *html, const json_t *data, const struct page_viewer *viewer)
{
    static const struct part_table table = {"Supervised processes, newest first", "process_id",
        "No process matches. A process begins when a task with a supervisor is enqueued: see reeve new process.", columns,
        LENGTH(columns), NULL};
    static const char *const revive[] = {"type", "supervisor", "since", "since", "until", "until", NULL};

    (void)viewer;
    part_filters(html, filters, LENGTH(filters));
    if (part_may(html, PAGE_OPERATOR) && strcmp(part_argument(html, "state"), "live") != 0) {
        html_put(html, "<div class=\"bar\">");
        bulk_link(html, "process_revive", "Revive all ended ones that match \xe2\x80\xa6", revive);
        html_put(html, "</div>");
    }
    part_table(html, &table, json_object_get(data, "rows"));
    part_pager(html, data);
}

/* --- one process ----------------------------------------------------------------------- */

static const struct part_column facts[] = {
    {"State", "state", CELL_STATE},
    {"Supervisor", "supervisor", CELL_NAME},
    {"Ids", "ids", CELL_JSON},
    {"Runs", "runs", CELL_TEXT},
    {"Next run", "next_run_at", CELL_TIME},
    {"Began", "created_at", CELL_TIME},
    {"Last run", "last_run_at", CELL_TIME},
    {"Last status", "last_status", CELL_STATE},
    {"Quiet runs in a row", "quiet_runs", CELL_TEXT},
    {"Failures in a row", "failures", CELL_TEXT},
    {"Ended", "ended_at", CELL_TIME},
    {"Reason", "end_reason", CELL_STATE},
    {"Message", "end_message", CELL_TEXT},
    {"Parent", "parent_process_id", CELL_PROCESS},
};

static void
put_change(struct html *html, const char *key, const json_t *before, const json_t *now)
{
    html_put(html, "<tr><th scope=\"row\">");
    (void)html_text_cut(html, key, PART_CUT);
    html_put(html, "</th><td><del>");
    part_value(html, CELL_JSON, before);
    html_put(html, "</del></td><td><ins>");
    part_value(html, CELL_JSON, now);
    html_put(html, "</ins></td></tr>");
}

/* Adds what has changed in the facts since the run before. */
static void
put_changes(struct html *html, json_t *before, json_t *now)
{
    const char *key;
    json_t *value;
    int count = 0;

    if (!json_is_object(before) || !json_is_object(now))
        return;
    html_put(html, "<table class=\"changes\"><caption>Changed since the run before</caption><thead><tr><th "
                   "scope=\"col\">Fact</th><th scope=\"col\">Before</th>"
                   "<th scope=\"col\">Now</th></tr></thead><tbody>");
    json_object_foreach(now, key, value)
    {
        const json_t *old = json_object_get(before, key);

        if (old == NULL || !json_equal(old, value)) {
            put_change(html, key, old, value);
            count++;
        }
    }
    json_object_foreach(before, key, value)
    {
        if (json_object_get(now, key) == NULL) {
            put_change(html, key, value, NULL);
            count++;
        }
    }
    if (count == 0)
        html_put(html, "<tr><td colspan=\"3\">nothing</td></tr>");
    html_put(html, "</tbody></table>");
}

static const struct part_column decision[] = {
    {"Status", "status", CELL_STATE},
    {"Tasks enqueued", "enqueued", CELL_TEXT},
    {"Next run", "next_run_at", CELL_TIME},
    {"Quiet runs", "quiet_runs", CELL_TEXT},
};

static void
put_run(struct html *html, const json_t *run, const json_t *before)
{
    html_put(html, "<li class=\"%s\"><div class=\"run-head\"><strong>Run %lld</strong> ",
        part_is(run, "failed") ? "bad" : "plain", part_int(run, "run_no"));
    part_value(html, CELL_TIME, json_object_get(run, "ran_at"));
    html_put(html, " <span>task ");
    part_value(html, CELL_TASK, json_object_get(run, "task_id"));
    html_put(html, "</span>%s</div>", part_is(run, "failed") ? " <span class=\"state bad\">failed, and rolled back</span>" : "");
    part_list(html, decision, LENGTH(decision), run);
    put_changes(html, json_object_get(before, "facts"), json_object_get(run, "facts"));
    part_json(html, "All facts that it saw", json_object_get(run, "facts"));
    html_put(html, "</li>\n");
}

static void
put_runs(struct html *html, const json_t *data)
{
    const json_t *runs = json_object_get(data, "runs_seen");
    size_t count = json_array_size(runs);

    if (!part_has(data, "runs_seen"))
        return;
    part_heading(html, "Runs", "newest first: what each saw, what it decided");
    if (count == 0) {
        html_put(html, "<p class=\"empty\">It has not run yet.</p>");
        return;
    }
    html_put(html, "<ol class=\"story runs\">");
    /* The last one is there for the comparison only, unless it is the first run of all. */
    for (size_t i = 0; i < count && i < 50; i++)
        put_run(html, json_array_get(runs, i), json_array_get(runs, i + 1));
    html_put(html, "</ol>\n");
    part_pager(html, data);
}

static const struct part_column children[] = {
    {"Process", "process_id", CELL_PROCESS},
    {"State", "state", CELL_STATE},
    {"Supervisor", "supervisor", CELL_NAME},
    {"Ids", "ids", CELL_JSON},
    {"Last status", "last_status", CELL_STATE},
    {"End", "end_reason", CELL_STATE},
};

void
process_write(struct html *html, const json_t *data, const struct page_viewer *viewer)
{
    static const struct part_table table = {
        "Processes that this one began", "process_id", "It has begun no other process.", children, LENGTH(children), NULL};
    struct part_word id, state, sentence;
    bool is_live = strcmp(part_text(data, "state", &state), "live") == 0;

    (void)viewer;
    html_put(html, "<section class=\"why\" aria-label=\"Why\"><p>");
    (void)html_text_cut(html, part_text(json_object_get(data, "why"), "sentence", &sentence), PART_LONG_CUT);
    html_put(html, "</p></section>");
    if (part_may(html, PAGE_OPERATOR)) {
        html_put(html, "<div class=\"bar\">");
        if (is_live)
            part_act_on(html, "/processes/{}/end", part_text(data, "process_id", &id), "End \xe2\x80\xa6", "danger");
        else
            part_act_on(html, "/processes/{}/revive", part_text(data, "process_id", &id), "Revive \xe2\x80\xa6", "main");
        html_put(html, "</div>");
    }
    part_list(html, facts, LENGTH(facts), data);
    part_heading(html, "Children", "");
    part_table(html, &table, json_object_get(data, "children"));
    part_heading(html, "Tasks", "the newest");
    {
        static const struct part_column tasks[] = {{"Task", "task_id", CELL_TASK}, {"Type", "task_type", CELL_NAME},
            {"State", "state", CELL_STATE}, {"Status", "status", CELL_STATE}, {"Scheduled", "scheduled_at", CELL_TIME},
            {"Ended", "completed_at", CELL_TIME}};
        static const struct part_table list = {
            "Tasks of the process", "task_id", "Its tasks have been removed.", tasks, LENGTH(tasks), NULL};

        part_table(html, &list, json_object_get(data, "tasks"));
    }
    put_runs(html, data);
}

void
process_ask_revive(struct html *html, const json_t *data, const struct page_viewer *viewer)
{
    (void)viewer;
    part_list(html, facts, LENGTH(facts), data);
    html_put(html, "<p>Its supervisor gets a new run, and its counts of idle runs and failures start again.</p>");
}

void
process_ask_end(struct html *html, const json_t *data, const struct page_viewer *viewer)
{
    (void)viewer;
    part_list(html, facts, LENGTH(facts), data);
    html_put(html, "<p>Its open runs are cancelled, and the supervisor does not run again. Work that it has enqueued stays.</p>");
    part_field(html, "reason", "Reason", "text", part_given(html, 0), "It is kept in the history.");
}
