/*
 * Recurring work.
 */
#include <string.h>

#include "pages/chart.h"
#include "pages/parts.h"
#include "pages/topics.h"

static const char *const states[] = {"waiting", "paused", "queued", "refused", "ended", NULL};

static const struct part_filter filters[] = {
    {"state", "State", states, NULL},
    {"name", "Name begins with", NULL, "nightly"},
};

static void
put_acts(struct html *html, const json_t *row, const char *size)
{
    struct part_word name, state;
    bool is_paused = strcmp(part_text(row, "state", &state), "paused") == 0;

    if (!part_may(html, PAGE_OPERATOR))
        return;
    part_act_on(html, is_paused ? "/schedules/{}/resume" : "/schedules/{}/pause", part_text(row, "schedule_name", &name),
        is_paused ? "Resume" : "Pause", size);
    part_act_on(html, "/schedules/{}/fire", part_text(row, "schedule_name", &name), "Fire now", size);
}

static void
row_acts(struct html *html, const json_t *row)
{
    put_acts(html, row, "small");
}

static const struct part_column columns[] = {
    {"Schedule", "schedule_name", CELL_SCHEDULE},
    {"State", "state", CELL_STATE},
    {"When", "words", CELL_TEXT},
    {"Next", "next_fire", CELL_TIME},
    {"Last", "last_fired_at", CELL_TIME},
    {"Ended", "last_outcome", CELL_STATE},
    {"Work", "target", CELL_TEXT},
    {"Why paused", "pause_reason", CELL_TEXT},
};

void
schedules_write(struct html *html, const json_t *data, const struct page_viewer *viewer)
{
    static const struct part_table table = {"Schedules", "schedule_name",
        "No schedule matches. Make one: reeve schedule add nightly '0 3 * * *' --function public.tidy", columns, LENGTH(columns),
        row_acts};

    (void)viewer;
    part_filters(html, filters, LENGTH(filters));
    part_table(html, &table, json_object_get(data, "rows"));
    part_pager(html, data);
}

static const struct part_column facts[] = {
    {"State", "state", CELL_STATE},
    {"When", "words", CELL_TEXT},
    {"Expression", "expression", CELL_CODE},
    {"Zone", "zone", CELL_TEXT},
    {"Work", "work", CELL_TEXT},
    {"Target", "target", CELL_CODE},
    {"Owner", "owner", CELL_TEXT},
    {"Next", "next_fire", CELL_TIME},
    {"Last", "last_fired_at", CELL_TIME},
    {"Last ended", "last_outcome", CELL_STATE},
    {"Last task", "last_task_id", CELL_TASK},
    {"Usual delay", "usual_delay", CELL_TEXT},
    {"Longest delay", "longest_delay", CELL_TEXT},
    {"If it still runs", "overlap", CELL_TEXT},
    {"Missed slots", "catch_up", CELL_TEXT},
    {"Failures in a row", "failures", CELL_TEXT},
    {"Paused", "paused_at", CELL_TIME},
    {"Paused by", "paused_by", CELL_TEXT},
    {"Why paused", "pause_reason", CELL_TEXT},
    {"Not fired, because", "skip_reason", CELL_TEXT},
    {"Queue", "queue", CELL_NAME},
    {"Description", "description", CELL_TEXT},
};

static const struct part_column fires[] = {
    {"Slot", "first_slot", CELL_TIME},
    {"Decision", "decision", CELL_STATE},
    {"Slots", "slots", CELL_NUMBER},
    {"Decided", "decided_at", CELL_TIME},
    {"Late", "late", CELL_TEXT},
    {"Task", "task_id", CELL_TASK},
    {"Ended", "outcome", CELL_STATE},
};

static const struct part_column next_columns[] = {
    {"Slot", "scheduled_for", CELL_TIME},
    {"Local time", "local_time", CELL_TIME},
};

void
schedule_write(struct html *html, const json_t *data, const struct page_viewer *viewer)
{
    static const struct part_table past = {"Decisions, newest first", NULL, "It has not fired yet.", fires, LENGTH(fires), NULL};
    static const struct part_table next = {
        "Next slots", NULL, "It has no further slot.", next_columns, LENGTH(next_columns), NULL};

    (void)viewer;
    html_put(html, "<div class=\"bar\">");
    put_acts(html, data, "");
    html_put(html, "</div>");
    part_list(html, facts, LENGTH(facts), data);
    part_heading(html, "Next", "");
    part_table(html, &next, json_object_get(data, "next"));
    part_heading(html, "History", "");
    html_put(html, "<p class=\"legend\"><span class=\"dot good\"></span>succeeded <span class=\"dot bad\"></span>failed "
                   "<span class=\"dot busy\"></span>open <span class=\"dot none\"></span>not fired</p>");
    chart_fires(html, json_object_get(data, "fires"));
    part_table(html, &past, json_object_get(data, "fires"));
}

static const struct part_column brief[] = {
    {"State", "state", CELL_STATE},
    {"When", "words", CELL_TEXT},
    {"Work", "target", CELL_TEXT},
    {"Next", "next_fire", CELL_TIME},
};

void
schedule_ask(struct html *html, const json_t *data, const struct page_viewer *viewer)
{
    (void)viewer;
    part_list(html, brief, LENGTH(brief), data);
}

void
schedule_ask_pause(struct html *html, const json_t *data, const struct page_viewer *viewer)
{
    (void)viewer;
    part_list(html, brief, LENGTH(brief), data);
    part_field(html, "reason", "Reason", "text", part_given(html, 0), "Others read it.");
}
