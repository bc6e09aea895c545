/*
 * Queues: how much waits in each, its limits, pauses.
 */
#include "pages/chart.h"
#include "pages/parts.h"
#include "pages/topics.h"

/* Adds a cell whose number is a link to the tasks that it counts. */
static void
put_count(struct html *html, const json_t *row, const char *key, const char *title)
{
    struct part_word queue;
    long long count = part_int(row, key);

    html_put(html, "<td class=\"n\" data-label=\"%s\">", title);
    if (count == 0)
        html_put(html, "<span class=\"zero\">0</span></td>");
    else
        html_put(html, "<a href=\"~/tasks?state=%s&amp;queue=%s\">%lld</a></td>", key, part_text(row, "queue", &queue), count);
}

static void
put_limit(struct html *html, const json_t *row)
{
    html_put(html, "<td class=\"n\" data-label=\"Limits\">");
    if (part_has(row, "max_running"))
        html_put(html, "%lld at once", part_int(row, "max_running"));
    if (part_has(row, "top_level_limit"))
        html_put(html, "%s%lld trees", part_has(row, "max_running") ? ", " : "", part_int(row, "top_level_limit"));
    if (!part_has(row, "max_running") && !part_has(row, "top_level_limit"))
        html_put(html, "<span class=\"zero\">none</span>");
    html_put(html, "</td>");
}

static void
put_state(struct html *html, const json_t *row)
{
    html_put(html, "<td class=\"k\" data-label=\"State\">");
    if (!part_is(row, "paused")) {
        html_put(html, "<span class=\"state good\">active</span></td>");
        return;
    }
    html_put(html, "<span class=\"state warn\">paused</span> ");
    if (part_has(row, "paused_until")) {
        html_put(html, "until ");
        part_value(html, CELL_TIME, json_object_get(row, "paused_until"));
    }
    html_put(html, "</td>");
}

static void
put_acts(struct html *html, const json_t *row)
{
    struct part_word queue;
    const char *name = part_text(row, "queue", &queue);

    html_put(html, "<td class=\"acts\">");
    if (part_may(html, PAGE_OPERATOR)) {
        if (part_is(row, "paused"))
            part_act_on(html, "/queues/{}/resume", name, "Resume", "small");
        else
            part_act_on(html, "/queues/{}/pause", name, "Pause", "small");
    }
    if (part_may(html, PAGE_ADMIN))
        part_act_on(html, "/queues/{}/set", name, "Limits", "small");
    html_put(html, "</td>");
}

static void
put_queue(struct html *html, const json_t *row)
{
    struct part_word queue;

    html_put(html, "<tr data-key=\"%s\"><th scope=\"row\" class=\"w\">", part_text(row, "queue", &queue));
    part_value(html, CELL_QUEUE, json_object_get(row, "queue"));
    html_put(html, "</th>");
    put_state(html, row);
    put_count(html, row, "ready", "Ready");
    html_put(html, "<td class=\"t\" data-label=\"Oldest ready\">");
    part_value(html, CELL_TIME, json_object_get(row, "oldest_ready"));
    html_put(html, "</td>");
    put_count(html, row, "running", "Running");
    put_count(html, row, "scheduled", "Scheduled");
    put_count(html, row, "waiting", "Waiting");
    html_put(html,
        "<td class=\"n\" data-label=\"Done/h\">%lld</td><td class=\"n\" data-label=\"Failed\">%lld</td>"
        "<td class=\"k\" data-label=\"Last hour\">",
        part_int(row, "done"), part_int(row, "failed"));
    chart_spark(html, json_object_get(row, "steps"), "Tasks done in each five minutes of the last hour");
    html_put(html, "</td>");
    put_limit(html, row);
    put_acts(html, row);
    html_put(html, "</tr>\n");
}

void
queues_write(struct html *html, const json_t *data, const struct page_viewer *viewer)
{
    static const struct {
        const char *title;
        const char *cell;
    } heads[] = {{"Queue", "k"}, {"State", "k"}, {"Ready", "n"}, {"Oldest ready", "t"}, {"Running", "n"}, {"Scheduled", "n"},
        {"Waiting", "n"}, {"Done/h", "n"}, {"Failed/h", "n"}, {"Last hour", "k"}, {"Limits", "n"}};
    const json_t *rows = json_object_get(data, "queues");
    size_t index;
    const json_t *row;

    (void)viewer;
    if (json_array_size(rows) == 0) {
        html_put(html, "<p class=\"empty\">There is no queue. Make one: reeve queue create reports</p>");
        return;
    }
    html_put(html, "<p class=\"note\">Counted ");
    part_value(html, CELL_TIME, json_object_get(data, "as_of"));
    html_put(html,
        ". A pause stops claims; tasks that run go on.</p><div class=\"scroll\"><table><caption>Queues</caption><thead><tr>");
    for (size_t i = 0; i < LENGTH(heads); i++)
        html_put(html, "<th scope=\"col\" class=\"%s\">%s</th>", heads[i].cell, heads[i].title);
    html_put(html, "<th scope=\"col\" class=\"acts\"><span class=\"unseen\">Acts</span></th></tr></thead><tbody>\n");
    json_array_foreach(rows, index, row)
    {
        put_queue(html, row);
    }
    html_put(html, "</tbody></table></div>\n");
}

void
queue_ask_pause(struct html *html, const json_t *data, const struct page_viewer *viewer)
{
    (void)data;
    (void)viewer;
    html_put(html, "<p>No task of this queue is claimed until it is resumed. Tasks that run now go on.</p>");
    part_field(html, "for", "For", "text", part_given(html, 0), "A duration: 30min, 2h. Empty: until somebody resumes it.");
}

void
queue_ask_resume(struct html *html, const json_t *data, const struct page_viewer *viewer)
{
    (void)data;
    (void)viewer;
    html_put(html, "<p>Its tasks are claimed again at once.</p>");
}

/* What was typed, if the form comes back; otherwise what is stored. */
static const char *
typed(const struct html *html, int field, const json_t *data, const char *key, struct part_word *word)
{
    const char *given = part_given(html, field);

    return given[0] != '\0' ? given : part_text(data, key, word);
}

void
queue_ask_set(struct html *html, const json_t *data, const struct page_viewer *viewer)
{
    struct part_word word;

    (void)viewer;
    part_field(html, "max_running", "Tasks at once, over all workers", "number", typed(html, 0, data, "max_running", &word),
        "0: without a limit.");
    part_field(html, "top_level_limit", "Trees of commands at once", "number", typed(html, 1, data, "top_level_limit", &word),
        "0: without a limit.");
    part_field(html, "description", "Description", "text", typed(html, 2, data, "description", &word), "");
}
