#include "cli/story.h"

#include <unistd.h>

#include "base/err.h"
#include "base/attr.h"
#include "base/exit.h"
#include "cli/terminal.h"
#include "db/db_once.h"

struct chapter {
    const char *title;
    const char *act;   /* SQL shown and run */
    const char *facts; /* query for the facts in the order of time; $1 is the last task id before the act */
    const char *check; /* query: true when the chapter has ended well; a second column may name the recipient of a mail */
};

#define TASK_FACTS                                                                                                               \
    "select to_char(at, 'HH24:MI:SS.MS'), what from ("                                                                           \
    " select leased_at as at, format('task %s leased (lease %s)', task_id, lease_no) as what from queues.task_lease"             \
    "   where task_id > $1::bigint"                                                                                              \
    " union all select created_at, format('task %s error: %s', task_id, error_message) from queues.error"                        \
    "   where task_id > $1::bigint"                                                                                              \
    " union all select completed_at, format('task %s completed: %s', task_id, coalesce(status, outcome))"                        \
    "   from queues.task_completed where task_id > $1::bigint"                                                                   \
    " union all select ran_at, format('process %s run %s saw %s and decided: %s', process_id, run_no,"                           \
    "   coalesce(facts::text, 'nothing'), status) from queues.process_run where task_id > $1::bigint"                            \
    " union all select ended_at, format('process %s ended: %s', e.process_id, reason) from queues.process_ended as e"            \
    "   join queues.process_run as r using (process_id, run_no) where r.task_id > $1::bigint"                                    \
    ") as f order by at, what"

/* A check looks only at tasks of its own act: a process of an earlier demo may still run. */
static const struct chapter chapters[] = {
    {"A task is enqueued in SQL, in your own transaction, and carried out at once.",
        "select queues.enqueue('db_function', '{\"db_function\": \"demo.write_note\", \"text\": \"hello\"}')", TASK_FACTS,
        "select count(*) = 1 and bool_and(c.outcome = 'succeeded' and n.text = 'hello' and c.lease_no = 1)"
        " from queues.task_completed as c join demo.note as n using (task_id) where c.task_id > $1::bigint"},
    {"A task for later: not before its time, and not by polling.",
        "select queues.enqueue('db_function', '{\"db_function\": \"demo.write_note\", \"text\": \"later\"}',"
        " now() + interval '2 seconds')",
        TASK_FACTS,
        "select count(*) = 1 and bool_and(c.outcome = 'succeeded' and l.leased_at >= t.scheduled_at)"
        " from queues.task_completed as c join queues.task_lease as l using (task_id) join queues.task as t using (task_id)"
        " where c.task_id > $1::bigint and t.process_id is null"},
    {"A task that fails: its writes are rolled back, the error is a fact, and nothing is lost.",
        "select queues.enqueue('db_function', '{\"db_function\": \"demo.fail\"}')", TASK_FACTS,
        "select count(*) = 1 and bool_and(c.outcome = 'failed' and e.error_message like '%coffee%')"
        " and not exists (select 1 from demo.note where task_id > $1::bigint)"
        " from queues.task_completed as c join queues.error as e using (task_id) join queues.task as t using (task_id)"
        " where c.task_id > $1::bigint and t.process_id is null"},
    {"A supervised process: the first delivery fails, the supervisor sees it and tries again.",
        "select parcel.kickoff_delivery('House ' || gen_random_uuid(), '{away,at_home}')", TASK_FACTS,
        "select count(*) = 1 and bool_and(p.state = 'ended' and p.end_reason = 'succeeded' and p.runs = 3"
        " and (select count(*) from queues.task_completed as c join queues.task as t using (task_id)"
        "      where t.process_id = p.process_id and c.outcome = 'failed') = 1)"
        " from queues.process_state as p where p.process_id in (select process_id from queues.task"
        " where is_supervisor_run group by process_id having min(task_id) > $1::bigint)"},
    {"An e-mail: the server refuses the first attempt, the supervisor makes a second one after 5 s.",
        "select comms.create_and_kickoff_email_task('Reeve <demo@example.com>',"
        " format('refuse-once+%s@example.com', left(md5(random()::text), 8)), 'Hello from SQL', '<p>It works.</p>')",
        TASK_FACTS,
        "select count(*) = 1 and bool_and(p.end_reason = 'succeeded'"
        " and (select count(*) from comms.send_email_attempt as a where a.send_email_task_id = t.send_email_task_id) = 2"
        " and (select count(*) from comms.send_email_task_failed as f where f.send_email_task_id = t.send_email_task_id) = 1"
        " and (select count(*) from comms.send_email_task_succeeded as s where s.send_email_task_id = t.send_email_task_id) = 1),"
        " min(m.to_address) from queues.process_state as p join comms.send_email_task as t"
        " on t.send_email_task_id = (p.ids->>'send_email_task_id')::bigint join comms.email_message as m using (message_id)"
        " where p.supervisor = 'comms.send_email_supervisor' and p.state = 'ended' and p.process_id in (select process_id"
        " from queues.task where is_supervisor_run group by process_id having min(task_id) > $1::bigint)"},
};

/* Shows facts that were not shown yet; returns the number of all facts. */
static bool
show_facts(struct db_once *db, const struct chapter *chapter, const char *since, int *shown, struct err *err)
{
    const struct db_result *result;
    const char *params[] = {since};

    if (!db_once_query(db, chapter->facts, 1, params, &result, err))
        return false;
    for (; *shown < db_result_rows(result); (*shown)++)
        terminal_print(stdout, "    %s  %s\n", db_result_shown(result, *shown, 0), db_result_shown(result, *shown, 1));
    (void)fflush(stdout);
    return true;
}

static bool
tell(struct db_once *db, const struct chapter *chapter, const struct mail_catcher *mail, const volatile sig_atomic_t *stop,
    struct err *err)
{
    const struct db_result *result;
    char recipient[256] = "";
    char since[24];
    const char *params[] = {since};
    int shown = 0;

    (void)printf("\n%s\n\n  %s;\n\n", chapter->title, chapter->act);
    if (!db_once_query(db, "select coalesce(max(task_id), 0) from queues.task", 0, NULL, &result, err))
        return false;
    (void)snprintf(since, sizeof(since), "%s", db_result_shown(result, 0, 0));
    if (!db_once_query(db, chapter->act, 0, NULL, NULL, err))
        return false;
    for (int tries = 0; tries < 600 && !*stop; tries++) {
        bool is_over;

        if (!db_once_query(db, chapter->check, 1, params, &result, err))
            return false;
        is_over = db_result_is_true(result, 0, 0);
        if (is_over && db_result_columns(result) > 1)
            (void)snprintf(recipient, sizeof(recipient), "%s", db_result_shown(result, 0, 1));
        if (!show_facts(db, chapter, since, &shown, err))
            return false;
        if (is_over && recipient[0] != '\0' && !mail_catcher_show(mail, recipient))
            return err_set(err, ERR_REFUSED, "", "the mail did not arrive exactly once");
        if (is_over)
            return true;
        (void)usleep(50000);
    }
    return *stop != 0 || err_set(err, ERR_REFUSED, "", "the facts are not as they should be: %s", chapter->title);
}

int
story_tell(const char *conninfo, const struct mail_catcher *mail, const volatile sig_atomic_t *stop)
{
    const struct db_result *result;
    struct db_once *db;
    struct err err;
    bool ok;

    if (!db_once_open(conninfo, NULL, &db, &err)) {
        (void)fprintf(stderr, "reeve: %s\n", err.message);
        return EXIT_UNREACHABLE;
    }
    ok = true;
    for (size_t i = 0; i < LENGTH(chapters) && ok && !*stop; i++)
        ok = tell(db, &chapters[i], mail, stop, &err);
    if (ok && !*stop) {
        ok = db_once_query(db, "select count(*), min(invariant) from queues.check()", 0, NULL, &result, &err);
        if (ok && db_result_i64(result, 0, 0, 1) != 0)
            ok = err_set(&err, ERR_REFUSED, "", "invariant %s is violated", db_result_shown(result, 0, 1));
        else if (ok)
            (void)puts("\nEvery fact is as it should be, and facts and working set agree.");
    }
    if (!ok)
        (void)fprintf(stderr, "reeve: %s\n", err.message);
    db_once_close(db);
    return ok ? EXIT_OK : EXIT_UNEXPECTED;
}
