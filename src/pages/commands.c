/*
 * Commands: the list, and one command with its tree.
 */
#include "pages/parts.h"
#include "pages/topics.h"

static const char *const states[] = {"pending", "processing", "waiting", "interrupted", "completed", "failed", NULL};

static const struct part_filter filters[] = {
    {"command", "Command", NULL, "rebuild_index"},
    {"state", "State", states, NULL},
    {"queue", "Queue", NULL, "analytics"},
};

static const struct part_column columns[] = {
    {"Id", "id", CELL_COMMAND},
    {"State", "state", CELL_STATE},
    {"Command", "command", CELL_NAME},
    {"Queue", "queue", CELL_NAME},
    {"Parent", "parent_id", CELL_COMMAND},
    {"Created", "created_at", CELL_TIME},
    {"Ended", "completed_at", CELL_TIME},
    {"Took (ms)", "duration_ms", CELL_NUMBER},
    {"Error", "error", CELL_TEXT},
};

static const struct part_column registered[] = {
    {"Command", "command", CELL_NAME},
    {"Procedure", "handler_procedure", CELL_CODE},
    {"Queue", "queue", CELL_NAME},
    {"Merged by", "dedup_keys", CELL_TEXT},
    {"Merge rule", "dedup_policy", CELL_NAME},
    {"Description", "description", CELL_TEXT},
};

void
commands_write(struct html *html, const json_t *data, const struct page_viewer *viewer)
{
    static const struct part_table table = {"Commands, newest first", "id",
        "No command matches. Enqueue one: reeve enqueue --command NAME '{}'", columns, LENGTH(columns), NULL};
    static const struct part_table registry = {"Registered commands", "command",
        "No command is registered. See reeve new command, or worker.register_command.", registered, LENGTH(registered), NULL};

    (void)viewer;
    part_filters(html, filters, LENGTH(filters));
    part_table(html, &table, json_object_get(data, "rows"));
    part_pager(html, data);
    if (part_has(data, "registered")) {
        part_heading(html, "Registered", "");
        part_table(html, &registry, json_object_get(data, "registered"));
    }
}

static const struct part_column facts[] = {
    {"State", "state", CELL_STATE},
    {"Command", "command", CELL_NAME},
    {"Task", "id", CELL_TASK},
    {"Queue", "queue", CELL_NAME},
    {"Priority", "priority", CELL_TEXT},
    {"Parent", "parent_id", CELL_COMMAND},
    {"Children run", "child_mode", CELL_TEXT},
    {"Created", "created_at", CELL_TIME},
    {"Scheduled", "scheduled_at", CELL_TIME},
    {"Handler began", "process_start_at", CELL_TIME},
    {"Handler ended", "process_stop_at", CELL_TIME},
    {"Ended", "completed_at", CELL_TIME},
    {"Handler took (ms)", "duration_ms", CELL_TEXT},
    {"Error", "error", CELL_TEXT},
};

static void
put_progress(struct html *html, const json_t *data)
{
    long long all = part_int(data, "children_count");
    long long done = part_int(data, "children_ended");

    if (all == 0)
        return;
    html_put(html,
        "<p class=\"progress\"><progress max=\"%lld\" value=\"%lld\" aria-label=\"Children that have ended\"></progress> %lld of "
        "%lld children have ended%s</p>",
        all, done, done, all, all >= 1000 ? ", among the first thousand" : "");
}

void
command_write(struct html *html, const json_t *data, const struct page_viewer *viewer)
{
    static const struct part_table table = {
        "Commands that this one has spawned", "id", "It has spawned no other command.", columns, LENGTH(columns), NULL};
    struct part_word id, state;

    (void)viewer;
    if (part_may(html, PAGE_OPERATOR)) {
        const char *path = part_text(data, "state", &state);

        html_put(html, "<div class=\"bar\">");
        if (path[0] == 'f' || path[0] == 'c')
            part_act_on(html, "/tasks/{}/retry", part_text(data, "id", &id), "Retry \xe2\x80\xa6", "main");
        else
            part_act_on(html, "/tasks/{}/cancel", part_text(data, "id", &id), "Cancel \xe2\x80\xa6", "danger");
        html_put(html, "</div>");
    }
    part_list(html, facts, LENGTH(facts), data);
    part_json(html, "Payload", json_object_get(data, "payload"));
    part_json(html, "Info", json_object_get(data, "info"));
    part_json(html, "Merged inputs", json_object_get(data, "merges"));
    part_heading(html, "Children", "");
    put_progress(html, data);
    part_table(html, &table, json_object_get(data, "children"));
}
