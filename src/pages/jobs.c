/*
 * HTTP jobs and webhooks.
 */
#include <string.h>

#include "pages/parts.h"
#include "pages/topics.h"

static const char *const statuses[] = {
    "new", "processing", "failed", "completed", "redirected", "server_error", "too_many", "other", NULL};

static const struct part_filter filters[] = {
    {"status", "Status", statuses, NULL},
    {"type", "Method", NULL, "POST"},
    {"url", "URL begins with", NULL, "https://api.example.com/"},
    {"since", "Since", NULL, "1h, or a time"},
    {"until", "Until", NULL, "5min, or a time"},
};

static const struct part_column columns[] = {
    {"Job", "job_id", CELL_JOB},
    {"Status", "job_status", CELL_STATE},
    {"Method", "job_type", CELL_NAME},
    {"URL", "url", CELL_CODE},
    {"Answer", "response_status", CELL_NUMBER},
    {"Retries", "retry_count", CELL_NUMBER},
    {"Runs at", "run_at", CELL_TIME},
    {"Last run", "last_at", CELL_TIME},
};

static bool
is_open(const char *status)
{
    return strcmp(status, "new") == 0 || strcmp(status, "processing") == 0 || strcmp(status, "failed") == 0;
}

static void
row_acts(struct html *html, const json_t *row)
{
    struct part_word id, status;

    if (!part_may(html, PAGE_OPERATOR))
        return;
    if (is_open(part_text(row, "job_status", &status)))
        part_act_on(html, "/jobs/{}/cancel", part_text(row, "job_id", &id), "Cancel", "small danger");
    else
        part_act_on(html, "/jobs/{}/retry", part_text(row, "job_id", &id), "Run again", "small");
}

void
jobs_write(struct html *html, const json_t *data, const struct page_viewer *viewer)
{
    static const struct part_table table = {"HTTP jobs, newest first", "job_id",
        "No job matches. Insert a row into pgqueue.job_queue, or make a webhook.", columns, LENGTH(columns), row_acts};
    static const char *const retry[] = {
        "outcome", "status", "type", "type", "url", "url", "since", "since", "until", "until", NULL};
    static const char *const cancel[] = {
        "state", "status", "type", "type", "url", "url", "since", "since", "until", "until", NULL};
    const char *status = part_argument(html, "status");

    (void)viewer;
    part_filters(html, filters, LENGTH(filters));
    if (part_may(html, PAGE_OPERATOR)) {
        html_put(html, "<div class=\"bar\">");
        if (status[0] == '\0' || !is_open(status))
            bulk_link(html, "job_retry", "Run all again that match \xe2\x80\xa6", retry);
        if (status[0] == '\0' || is_open(status))
            bulk_link(html, "job_cancel", "Cancel all that match \xe2\x80\xa6", cancel);
        part_act(html, "/jobs/replay", "Replay a time \xe2\x80\xa6", "");
        html_put(html, "</div>");
    }
    part_table(html, &table, json_object_get(data, "rows"));
    part_pager(html, data);
}

/* --- one job --------------------------------------------------------------------------- */

static const struct part_column facts[] = {
    {"Status", "job_status", CELL_STATE},
    {"Method", "job_type", CELL_NAME},
    {"URL", "url", CELL_CODE},
    {"Runs at", "run_at", CELL_TIME},
    {"Created", "created_at", CELL_TIME},
    {"Last run", "last_at", CELL_TIME},
    {"Retries", "retry_count", CELL_TEXT},
    {"Retries at most", "retry_limit", CELL_TEXT},
    {"Timeout", "timeout", CELL_TEXT},
    {"Owner", "job_owner", CELL_TEXT},
    {"Signed with secret", "signing_vault", CELL_TEXT},
    {"Signature in", "signing_header", CELL_TEXT},
    {"Task", "task_id", CELL_TASK},
    {"Follows job", "parent_job_id", CELL_JOB},
    {"Key", "job_uuid", CELL_CODE},
    {"Answer", "response_status", CELL_TEXT},
};

static const struct part_column runs[] = {
    {"Run", "run", CELL_NUMBER},
    {"Task", "task_id", CELL_TASK},
    {"Due", "due", CELL_TIME},
    {"Ended", "ended", CELL_TIME},
    {"Status", "status", CELL_STATE},
    {"Answer", "answer", CELL_NUMBER},
    {"Content", "content", CELL_CODE},
};

static void
put_answer(struct html *html, const json_t *data)
{
    struct part_word word;
    const char *content = part_text(data, "response_content", &word);

    part_json(html, "Headers of the answer", json_object_get(data, "response_headers"));
    if (content[0] == '\0')
        return;
    html_put(html, "<details class=\"json\"><summary>Answer <small>%lld bytes</small></summary><pre tabindex=\"0\">",
        (long long)strlen(content));
    if (html_text_cut(html, content, PART_JSON_CUT))
        html_put(html, "</pre><p>This is its beginning; the page as JSON has the whole.</p></details>");
    else
        html_put(html, "</pre></details>");
}

void
job_write(struct html *html, const json_t *data, const struct page_viewer *viewer)
{
    static const struct part_table table = {"Runs of the job", "run", "It has not run yet.", runs, LENGTH(runs), NULL};
    struct part_word id, status, sentence;

    (void)viewer;
    html_put(html, "<section class=\"why\" aria-label=\"Why\"><p>");
    (void)html_text_cut(html, part_text(json_object_get(data, "why"), "sentence", &sentence), PART_LONG_CUT);
    html_put(html, "</p></section>");
    if (part_may(html, PAGE_OPERATOR)) {
        html_put(html, "<div class=\"bar\">");
        if (is_open(part_text(data, "job_status", &status))) {
            part_act_on(html, "/jobs/{}/cancel", part_text(data, "job_id", &id), "Cancel \xe2\x80\xa6", "danger");
            part_act_on(html, "/jobs/{}/reschedule", part_text(data, "job_id", &id), "Reschedule \xe2\x80\xa6", "");
        } else {
            part_act_on(html, "/jobs/{}/retry", part_text(data, "job_id", &id), "Run again \xe2\x80\xa6", "main");
        }
        html_put(html, "</div>");
    }
    part_list(html, facts, LENGTH(facts), data);
    part_json(html, "Request body", json_object_get(data, "payload"));
    part_json(html, "Request headers", json_object_get(data, "headers"));
    put_answer(html, data);
    if (part_has(data, "runs")) {
        part_heading(html, "Runs", "");
        part_table(html, &table, json_object_get(data, "runs"));
    }
}

void
job_ask(struct html *html, const json_t *data, const struct page_viewer *viewer)
{
    (void)viewer;
    part_list(html, facts, LENGTH(facts), data);
}

void
job_ask_reschedule(struct html *html, const json_t *data, const struct page_viewer *viewer)
{
    (void)viewer;
    part_list(html, facts, LENGTH(facts), data);
    part_field(
        html, "at", "New time", "text", part_given(html, 0), "Empty: now. Otherwise a time, or a duration from now: 10min.");
}

void
jobs_ask_replay(struct html *html, const json_t *data, const struct page_viewer *viewer)
{
    (void)data;
    (void)viewer;
    html_put(html, "<p>Jobs that have failed for good since a time, and whose URL begins like this, run again from the beginning."
                   " Both fields are needed.</p>");
    part_field(html, "url", "URL begins with", "text", part_given(html, 0), "https://api.example.com/");
    part_field(html, "since", "Since", "text", part_given(html, 1), "A time, or a duration back from now: 2h.");
}

/* --- webhooks -------------------------------------------------------------------------- */

static const struct part_column hooks[] = {
    {"Webhook", "name", CELL_WEBHOOK},
    {"State", "state", CELL_STATE},
    {"Table", "table_name", CELL_CODE},
    {"Events", "events", CELL_TEXT},
    {"URL", "url", CELL_CODE},
    {"Disabled because", "disabled_reason", CELL_TEXT},
};

static void
hook_acts(struct html *html, const json_t *row)
{
    struct part_word name;

    if (!part_may(html, PAGE_OPERATOR))
        return;
    part_act_on(html, part_is(row, "enabled") ? "/webhooks/{}/pause" : "/webhooks/{}/resume", part_text(row, "name", &name),
        part_is(row, "enabled") ? "Pause" : "Resume", "small");
    part_act_on(html, "/webhooks/{}/test", part_text(row, "name", &name), "Test", "small");
}

void
webhooks_write(struct html *html, const json_t *data, const struct page_viewer *viewer)
{
    static const struct part_table table = {"Webhooks on tables", "name",
        "There is no webhook. Make one: reeve webhook create orders public.orders https://example.com/hook", hooks, LENGTH(hooks),
        hook_acts};

    (void)viewer;
    part_table(html, &table, json_object_get(data, "rows"));
}

static const struct part_column hook_facts[] = {
    {"State", "state", CELL_STATE},
    {"Table", "table_name", CELL_CODE},
    {"Schema", "table_schema", CELL_CODE},
    {"Events", "events", CELL_TEXT},
    {"URL", "url", CELL_CODE},
    {"Columns", "columns", CELL_TEXT},
    {"Only changed columns", "changed_only", CELL_TEXT},
    {"When", "condition", CELL_CODE},
    {"Signed with secret", "signing_vault", CELL_TEXT},
    {"Retries at most", "retry_limit", CELL_TEXT},
    {"Disabled because", "disabled_reason", CELL_TEXT},
    {"Created", "created_at", CELL_TIME},
    {"By", "created_by", CELL_TEXT},
};

void
webhook_write(struct html *html, const json_t *data, const struct page_viewer *viewer)
{
    static const struct part_table table = {
        "Jobs of its URL", "job_id", "There is no job of this URL among the newest.", columns, LENGTH(columns), row_acts};
    struct part_word name, url;

    (void)viewer;
    if (part_may(html, PAGE_OPERATOR)) {
        struct buf path;

        html_put(html, "<div class=\"bar\">");
        part_act_on(html, part_is(data, "enabled") ? "/webhooks/{}/pause" : "/webhooks/{}/resume", part_text(data, "name", &name),
            part_is(data, "enabled") ? "Pause \xe2\x80\xa6" : "Resume \xe2\x80\xa6", "");
        part_act_on(html, "/webhooks/{}/test", part_text(data, "name", &name), "Send a test \xe2\x80\xa6", "");
        buf_init(&path, 32768);
        buf_puts(&path, "/jobs/replay?url=");
        html_encode(&path, part_text(data, "url", &url));
        part_act(html, path.text, "Replay a time \xe2\x80\xa6", "");
        buf_release(&path);
        html_put(html, "</div>");
    }
    part_list(html, hook_facts, LENGTH(hook_facts), data);
    part_heading(html, "Jobs", "the newest of its URL");
    part_table(html, &table, json_object_get(data, "jobs"));
}

void
webhook_ask(struct html *html, const json_t *data, const struct page_viewer *viewer)
{
    (void)viewer;
    part_list(html, hook_facts, LENGTH(hook_facts), data);
}

void
webhook_ask_pause(struct html *html, const json_t *data, const struct page_viewer *viewer)
{
    (void)viewer;
    part_list(html, hook_facts, LENGTH(hook_facts), data);
    html_put(
        html, "<p>Rows that change until it is resumed are not recorded, and never sent. Earlier changes are delivered.</p>");
}
