/*
 * Workers and programs, the doctor, and the audit.
 */
#include "pages/parts.h"
#include "pages/topics.h"

static const struct part_column columns[] = {
    {"Worker", "worker_name", CELL_NAME},
    {"State", "state", CELL_STATE},
    {"Holds", "tasks_held", CELL_NUMBER},
    {"Seen", "seen_at", CELL_TIME},
    {"Started", "started_at", CELL_TIME},
    {"Version", "version", CELL_NAME},
    {"Host", "host", CELL_NAME},
    {"Queues", "queues", CELL_TEXT},
    {"Types", "types", CELL_TEXT},
    {"Stopped", "stopped_at", CELL_TIME},
    {"Why", "stop_reason", CELL_TEXT},
};

static const struct part_column closed_columns[] = {
    {"Host", "host", CELL_CODE},
    {"Worker", "worker_name", CELL_NAME},
    {"Closed until", "closed_until", CELL_TIME},
};

static const struct part_column type_columns[] = {
    {"Type", "task_type", CELL_TYPE},
    {"Carried out by", "adapter", CELL_NAME},
    {"Queue", "default_queue", CELL_NAME},
    {"Timeout", "timeout", CELL_TEXT},
    {"Crashes at most", "max_crashes", CELL_NUMBER},
    {"In doubt", "on_in_doubt", CELL_NAME},
    {"Description", "description", CELL_TEXT},
};

void
workers_write(struct html *html, const json_t *data, const struct page_viewer *viewer)
{
    static const struct part_table workers = {"Workers, newest first", "worker_id",
        "No worker has run in the last day. Start one: reeve work. A program in any language: reeve run -- PROGRAM", columns,
        LENGTH(columns), NULL};
    static const struct part_table closed = {
        "Closed hosts", NULL, "No host is closed.", closed_columns, LENGTH(closed_columns), NULL};
    static const struct part_table types = {
        "Task types", "task_type", "No task type is registered.", type_columns, LENGTH(type_columns), NULL};

    (void)viewer;
    html_put(html, "<p class=\"note\">A worker without types serves all of them. reeve run shows the types of its program. "
                   "Workers that stopped more than a"
                   " day ago are left out.</p>");
    part_table(html, &workers, json_object_get(data, "rows"));
    if (part_has(data, "closed")) {
        part_heading(html, "Closed hosts", "not called for a while, because they failed again and again");
        part_table(html, &closed, json_object_get(data, "closed"));
    }
    if (part_has(data, "types")) {
        part_heading(html, "Task types", "");
        part_table(html, &types, json_object_get(data, "types"));
    }
}

static const struct part_column findings[] = {
    {"Area", "area", CELL_STATE},
    {"Problem", "problem", CELL_TEXT},
    {"What to do", "hint", CELL_CODE},
};

static const struct part_column violations[] = {
    {"Invariant", "invariant", CELL_TEXT},
    {"Violations", "violations", CELL_NUMBER},
    {"Example", "sample", CELL_CODE},
};

void
doctor_write(struct html *html, const json_t *data, const struct page_viewer *viewer)
{
    static const struct part_table advice = {"Advice", NULL, "Nothing to advise.", findings, LENGTH(findings), NULL};
    static const struct part_table broken = {
        "Violated invariants", NULL, "The invariants hold.", violations, LENGTH(violations), NULL};

    (void)viewer;
    part_heading(html, "Advice", "");
    part_table(html, &advice, json_object_get(data, "advice"));
    part_heading(html, "Invariants", "quick form: the newest tasks, and those that are open");
    if (part_has(data, "violations"))
        part_table(html, &broken, json_object_get(data, "violations"));
    else
        html_put(html, "<p><a class=\"button\" href=\"~/doctor?check=yes\">Check them now</a></p>");
    html_put(html, "<p class=\"note\">In a large database the invariants take longer than a page may: then run reeve doctor "
                   "there. The whole check, over all of history, is reeve doctor --full.</p>");
}

static const struct part_filter filters[] = {
    {"actor", "Who", NULL, "ada"},
    {"action", "Act", NULL, "pause_queue"},
    {"object", "On", NULL, "4711"},
    {"since", "Since", NULL, "1d, or a time"},
};

static const struct part_column audit_columns[] = {
    {"When", "acted_at", CELL_TIME},
    {"Who", "actor", CELL_NAME},
    {"Act", "action", CELL_CODE},
    {"On", "object", CELL_TEXT},
    {"Detail", "detail", CELL_JSON},
};

void
audit_write(struct html *html, const json_t *data, const struct page_viewer *viewer)
{
    static const struct part_table table = {
        "Acts, newest first", "audit_id", "No act matches.", audit_columns, LENGTH(audit_columns), NULL};

    (void)viewer;
    part_filters(html, filters, LENGTH(filters));
    part_table(html, &table, json_object_get(data, "rows"));
    part_pager(html, data);
}
