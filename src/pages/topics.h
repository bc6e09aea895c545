/*
 * The functions that write the pages and the questions, by topic.  The tables are in pages.c and acts.c.
 */
#ifndef PAGES_TOPICS_H
#define PAGES_TOPICS_H

#include <jansson.h>

#include "pages/html.h"
#include "pages/page.h"

/* home.c */
void home_write(struct html *html, const json_t *data, const struct page_viewer *viewer);
void search_write(struct html *html, const json_t *data, const struct page_viewer *viewer);

/* tasks.c */
void tasks_write(struct html *html, const json_t *data, const struct page_viewer *viewer);
void task_write(struct html *html, const json_t *data, const struct page_viewer *viewer);
void task_ask_retry(struct html *html, const json_t *data, const struct page_viewer *viewer);
void task_ask_cancel(struct html *html, const json_t *data, const struct page_viewer *viewer);
void task_ask_reschedule(struct html *html, const json_t *data, const struct page_viewer *viewer);
void task_ask_copy(struct html *html, const json_t *data, const struct page_viewer *viewer);

/* queues.c */
void queues_write(struct html *html, const json_t *data, const struct page_viewer *viewer);
void queue_ask_pause(struct html *html, const json_t *data, const struct page_viewer *viewer);
void queue_ask_resume(struct html *html, const json_t *data, const struct page_viewer *viewer);
void queue_ask_set(struct html *html, const json_t *data, const struct page_viewer *viewer);

/* processes.c */
void processes_write(struct html *html, const json_t *data, const struct page_viewer *viewer);
void process_write(struct html *html, const json_t *data, const struct page_viewer *viewer);
void process_ask_revive(struct html *html, const json_t *data, const struct page_viewer *viewer);
void process_ask_end(struct html *html, const json_t *data, const struct page_viewer *viewer);

/* commands.c */
void commands_write(struct html *html, const json_t *data, const struct page_viewer *viewer);
void command_write(struct html *html, const json_t *data, const struct page_viewer *viewer);

/* jobs.c */
void jobs_write(struct html *html, const json_t *data, const struct page_viewer *viewer);
void job_write(struct html *html, const json_t *data, const struct page_viewer *viewer);
void job_ask(struct html *html, const json_t *data, const struct page_viewer *viewer);
void job_ask_reschedule(struct html *html, const json_t *data, const struct page_viewer *viewer);
void webhooks_write(struct html *html, const json_t *data, const struct page_viewer *viewer);
void webhook_write(struct html *html, const json_t *data, const struct page_viewer *viewer);
void webhook_ask(struct html *html, const json_t *data, const struct page_viewer *viewer);
void webhook_ask_pause(struct html *html, const json_t *data, const struct page_viewer *viewer);
void jobs_ask_replay(struct html *html, const json_t *data, const struct page_viewer *viewer);

/* messages.c */
void messages_write(struct html *html, const json_t *data, const struct page_viewer *viewer);
void message_write(struct html *html, const json_t *data, const struct page_viewer *viewer);

/* schedules.c */
void schedules_write(struct html *html, const json_t *data, const struct page_viewer *viewer);
void schedule_write(struct html *html, const json_t *data, const struct page_viewer *viewer);
void schedule_ask(struct html *html, const json_t *data, const struct page_viewer *viewer);
void schedule_ask_pause(struct html *html, const json_t *data, const struct page_viewer *viewer);

/* workers.c */
void workers_write(struct html *html, const json_t *data, const struct page_viewer *viewer);
void doctor_write(struct html *html, const json_t *data, const struct page_viewer *viewer);
void audit_write(struct html *html, const json_t *data, const struct page_viewer *viewer);

/* bulk.c */
void bulk_list_write(struct html *html, const json_t *data, const struct page_viewer *viewer);
void bulk_write(struct html *html, const json_t *data, const struct page_viewer *viewer);
void bulk_ask_preview(struct html *html, const json_t *data, const struct page_viewer *viewer);
void bulk_ask(struct html *html, const json_t *data, const struct page_viewer *viewer);

/* Adds a link to the preview of an act on all that the filter of this page matches.  `names` are pairs: field of the preview,
 * query argument of the page; it ends with NULL. */
void bulk_link(struct html *html, const char *kind, const char *label, const char *const *names);

#endif
