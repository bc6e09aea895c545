/*
 * E-mails and text messages with their attempts.
 */
#include "pages/parts.h"
#include "pages/topics.h"

static const char *const channels[] = {"email", "sms", NULL};

static const struct part_filter filters[] = {
    {"channel", "Channel", channels, NULL},
    {"to", "To", NULL, "ada@example.com"},
};

static const struct part_column columns[] = {
    {"Message", "message_id", CELL_TEXT},
    {"Channel", "channel", CELL_NAME},
    {"State", "state", CELL_STATE},
    {"To", "recipient", CELL_TEXT},
    {"Subject", "subject", CELL_TEXT},
    {"Attempts", "attempts", CELL_NUMBER},
    {"Created", "created_at", CELL_TIME},
};

static void
row_acts(struct html *html, const json_t *row)
{
    html_put(html, "<a class=\"button small\" href=\"~/messages/%lld\">Open<span class=\"unseen\"> message %lld</span></a>",
        part_int(row, "message_id"), part_int(row, "message_id"));
}

void
messages_write(struct html *html, const json_t *data, const struct page_viewer *viewer)
{
    static const struct part_table table = {"Messages, newest first", "message_id",
        "No message matches. comms.create_and_kickoff_email_task sends one.", columns, LENGTH(columns), row_acts};

    (void)viewer;
    part_filters(html, filters, LENGTH(filters));
    part_table(html, &table, json_object_get(data, "rows"));
    part_pager(html, data);
}

static const struct part_column facts[] = {
    {"State", "state", CELL_STATE},
    {"Channel", "channel", CELL_NAME},
    {"From", "from_address", CELL_TEXT},
    {"To", "recipient", CELL_TEXT},
    {"Subject", "subject", CELL_TEXT},
    {"Created", "created_at", CELL_TIME},
    {"Process", "process_id", CELL_PROCESS},
};

static const struct part_column attempts[] = {
    {"Attempt", "attempt_id", CELL_NUMBER},
    {"Task", "task_id", CELL_TASK},
    {"Began", "created_at", CELL_TIME},
    {"Result", "result", CELL_STATE},
    {"At", "result_at", CELL_TIME},
    {"Provider's id", "provider_id", CELL_CODE},
    {"Class", "error_class", CELL_TEXT},
    {"Error", "error_message", CELL_TEXT},
};

void
message_write(struct html *html, const json_t *data, const struct page_viewer *viewer)
{
    static const struct part_table table = {
        "Attempts", "attempt_id", "It has not been tried yet.", attempts, LENGTH(attempts), NULL};
    struct part_word word;
    const char *body = part_text(data, "body", &word);

    (void)viewer;
    part_list(html, facts, LENGTH(facts), data);
    if (body[0] != '\0') {
        html_put(html, "<details class=\"json\"><summary>Text</summary><pre tabindex=\"0\">");
        (void)html_text_cut(html, body, PART_JSON_CUT);
        html_put(html, "</pre></details>");
    }
    part_heading(html, "Attempts", "");
    part_table(html, &table, json_object_get(data, "attempts"));
}
