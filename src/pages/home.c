/*
 * The first page (open work, the last hour, work that needs a person) and the page of the search.
 */
#include <stdlib.h>
#include <string.h>

#include "pages/chart.h"
#include "pages/parts.h"
#include "pages/topics.h"

static void
put_tile(struct html *html, const json_t *totals, const char *key, const char *title)
{
    html_put(html, "<a class=\"tile\" href=\"~/tasks?state=%s\"><strong>%lld</strong><span>%s</span></a>", key,
        part_int(totals, key), title);
}

static void
put_counts(struct html *html, const json_t *counts)
{
    const json_t *totals = json_object_get(counts, "totals");

    html_put(html, "<section class=\"tiles\" aria-label=\"Open tasks\">");
    put_tile(html, totals, "ready", "ready");
    put_tile(html, totals, "running", "running");
    put_tile(html, totals, "scheduled", "scheduled");
    put_tile(html, totals, "handler_pending", "outcome to record");
    put_tile(html, totals, "waiting", "wait for others");
    html_put(html, "</section><p class=\"note\">Counted ");
    part_value(html, CELL_TIME, json_object_get(counts, "as_of"));
    html_put(html, ".</p>\n");
}

static void
put_hour(struct html *html, const json_t *data)
{
    html_put(html, "<section class=\"panel wide\">");
    part_heading(html, "The last hour", "counted a minute or two behind");
    html_put(html, "<p class=\"legend\"><span class=\"dot good\"></span>%lld done <span class=\"dot bad\"></span>%lld failed</p>",
        part_int(data, "done"), part_int(data, "failed"));
    if (json_array_size(json_object_get(data, "minutes")) == 0)
        html_put(html, "<p class=\"note\">Nothing is counted yet: what ends now appears within two minutes.</p>");
    chart_minutes(html, json_object_get(data, "minutes"), 60, "Tasks that ended in each minute of the last hour");
    html_put(html, "</section>\n");
}

/* A kind of thing that needs a person, as a line with examples. */
struct need {
    const char *key;
    const char *list;  /* path of the page that has all of them */
    const char *words; /* before the number */
    const char *what;  /* what to do */
    enum part_cell cell;
    const char *field; /* of an example */
};

static const struct need needs[] = {
    {"in_doubt", "/tasks?outcome=in_doubt", "Tasks in doubt", "A call may have had its effect. Look, then retry or leave it.",
        CELL_TASK, "task_id"},
    {"quarantined", "/tasks?outcome=quarantined", "Tasks in quarantine", "They ended their worker again and again.", CELL_TASK,
        "task_id"},
    {"dead_ends", "/processes?state=ended", "Processes at a dead end",
        "They ended before their work was done: revive them or let them be.", CELL_PROCESS, "process_id"},
    {"failed", "/tasks?outcome=failed&since=1d", "Failed in the last day",
        "Nobody tries them again. Retry them when the cause is gone.", CELL_TASK, "task_id"},
    {"paused", "/queues", "Paused queues", "Nothing is claimed from them.", CELL_QUEUE, "queue"},
    {"unserved", "/workers", "Task types that no live worker serves", "Start a worker for them.", CELL_TYPE, "task_type"},
    {"closed", "/workers", "Closed hosts", "Calls wait, because the host failed again and again.", CELL_TEXT, "host"},
    {"silent", "/workers", "Silent workers", "They gave no sign of life for a minute.", CELL_TEXT, "worker_name"},
    {"schedules", "/schedules", "Schedules that do not fire", "They are paused after failures, or refused.", CELL_SCHEDULE,
        "schedule_name"},
};

static void
put_need(struct html *html, const struct need *need, const json_t *rows)
{
    size_t index;
    const json_t *row;
    size_t count = json_array_size(rows);

    html_put(html,
        "<li><strong><a href=\"%s\">%s</a> <b class=\"count\">%lld%s</b></strong> <span>%s</span> <span class=\"examples\">",
        need->list, need->words, (long long)(count > 10 ? 10 : count), count > 10 ? "+" : "", need->what);
    json_array_foreach(rows, index, row)
    {
        if (index == 5)
            break;
        part_value(html, need->cell, json_object_get(row, need->field));
        html_put(html, " ");
    }
    html_put(html, "%s</span></li>\n", count > 5 ? "\xe2\x80\xa6" : "");
}

static void
put_needs(struct html *html, const json_t *attention)
{
    bool is_any = false;

    html_put(html, "<section class=\"panel\" id=\"needs\">");
    part_heading(html, "Needs a person", "");
    for (size_t i = 0; i < LENGTH(needs); i++) {
        const json_t *rows = json_object_get(attention, needs[i].key);

        if (json_array_size(rows) == 0)
            continue;
        if (!is_any)
            html_put(html, "<ul class=\"needs\">");
        is_any = true;
        put_need(html, &needs[i], rows);
    }
    html_put(html, is_any ? "</ul></section>\n" : "<p class=\"empty good\">Nothing. All is well.</p></section>\n");
}

static const struct part_column queue_columns[] = {
    {"Queue", "queue", CELL_QUEUE},
    {"Ready", "ready", CELL_NUMBER},
    {"Running", "running", CELL_NUMBER},
    {"Oldest ready", "oldest_ready", CELL_TIME},
};

static const struct part_column worker_columns[] = {
    {"Worker", "worker_name", CELL_NAME},
    {"State", "state", CELL_STATE},
    {"Holds", "held", CELL_NUMBER},
    {"Up for", "started_s", CELL_SECONDS},
    {"Version", "version", CELL_NAME},
};

static const struct part_column running_columns[] = {
    {"Task", "task_id", CELL_TASK},
    {"Type", "task_type", CELL_NAME},
    {"What", "name", CELL_TEXT},
    {"For", "running_s", CELL_SECONDS},
    {"Worker", "worker_name", CELL_NAME},
};

static const struct part_column failure_columns[] = {
    {"Task", "task_id", CELL_TASK},
    {"Type", "task_type", CELL_NAME},
    {"Ended", "outcome", CELL_STATE},
    {"Ago", "age_s", CELL_SECONDS},
    {"Error", "error", CELL_TEXT},
};

void
home_write(struct html *html, const json_t *data, const struct page_viewer *viewer)
{
    static const struct part_table queues = {"Queues, those with the oldest ready task first", "queue",
        "No task is ready or running.", queue_columns, LENGTH(queue_columns), NULL};
    static const struct part_table workers = {"Workers", "worker_name",
        "No worker has given a sign of life today. Start one: reeve work", worker_columns, LENGTH(worker_columns), NULL};
    static const struct part_table running = {
        "Tasks that have run longest", "task_id", "No task runs now.", running_columns, LENGTH(running_columns), NULL};
    static const struct part_table failures = {
        "The last errors", "task_id", "No task has failed.", failure_columns, LENGTH(failure_columns), NULL};

    (void)viewer;
    put_counts(html, json_object_get(data, "counts"));
    html_put(html, "<div class=\"panels\">");
    put_hour(html, data);
    put_needs(html, json_object_get(data, "attention"));
    html_put(html, "<section class=\"panel\">");
    part_heading(html, "Queues", "oldest ready first");
    part_table(html, &queues, json_object_get(data, "oldest"));
    html_put(html, "</section><section class=\"panel\">");
    part_heading(html, "Workers", "");
    part_table(html, &workers, json_object_get(data, "workers"));
    html_put(html, "</section><section class=\"panel\">");
    part_heading(html, "Running", "longest first");
    part_table(html, &running, json_object_get(data, "running"));
    html_put(html, "</section><section class=\"panel whole\">");
    part_heading(html, "Last errors", "");
    part_table(html, &failures, json_object_get(data, "failures"));
    html_put(html, "</section></div>");
}

/* Where a thing that was found has its page: {} is its id. */
static const struct {
    const char *kind;
    const char *path;
} kinds[] = {
    {"task", "/tasks/{}"},
    {"process", "/processes/{}"},
    {"job", "/jobs/{}"},
    {"act", "/bulk/{}"},
    {"message", "/messages/{}"},
    {"worker", "/workers?id={}"},
    {"queue", "/tasks?queue={}"},
    {"command", "/commands?command={}"},
    {"schedule", "/schedules/{}"},
    {"webhook", "/webhooks/{}"},
    {"type", "/tasks?type={}"},
};

static void
put_found(struct html *html, const json_t *row)
{
    struct part_word kind, id, title;
    char *path = NULL;

    for (size_t i = 0; i < LENGTH(kinds) && path == NULL; i++) {
        if (strcmp(kinds[i].kind, part_text(row, "kind", &kind)) == 0)
            path = part_path(kinds[i].path, part_text(row, "id", &id));
    }
    html_put(
        html, "<li><span class=\"kind\">%s</span> <a href=\"%s\">", part_text(row, "kind", &kind), path == NULL ? "/" : path);
    (void)html_text_cut(html, part_text(row, "id", &id), PART_CUT);
    html_put(html, "</a> <span>");
    (void)html_text_cut(html, part_text(row, "title", &title), PART_CUT);
    html_put(html, "</span></li>\n");
    free(path);
}

void
search_write(struct html *html, const json_t *data, const struct page_viewer *viewer)
{
    const json_t *rows = json_object_get(data, "rows");
    size_t index;
    const json_t *row;

    (void)viewer;
    html_put(html,
        "<form class=\"filters\" method=\"get\" action=\"~/search\" role=\"search\" aria-label=\"Search again\"><label><span>Any "
        "id or name</span>"
        "<input name=\"q\" type=\"search\" value=\"%s\"></label><button>Search</button></form>",
        part_argument(html, "q"));
    if (json_array_size(rows) == 0) {
        html_put(html,
            "<p class=\"empty\">%sSearch for the id of a task, process, job, message, bulk "
            "act or worker, or for"
            " the beginning of a name; job:8 looks for a job only. The page of tasks has filters.</p>",
            part_argument(html, "q")[0] == '\0' ? "" : "Nothing has this id or name. ");
        return;
    }
    html_put(html, "<ul class=\"found\">");
    json_array_foreach(rows, index, row)
    {
        put_found(html, row);
    }
    html_put(html, "</ul>");
}
