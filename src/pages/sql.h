/*
 * Pieces of SQL that the tables of pages and acts share.
 */
#ifndef PAGES_SQL_H
#define PAGES_SQL_H

/* A time in the past, from a parameter that is a time or a duration back from now; and the same in the future. */
#define PAST(parameter)                                                                                                          \
    "case when " parameter " ~ '^ *[0-9.]+ *[a-z]*$' then now() - " parameter "::interval else " parameter "::timestamptz end"
#define FUTURE(parameter)                                                                                                        \
    "case when " parameter " ~ '^ *[0-9.]+ *[a-z]*$' then now() + " parameter "::interval else coalesce(" parameter              \
    "::timestamptz, now()) end"

/* A pattern of LIKE, from words that a text must have, or a pattern itself. */
#define PATTERN(parameter) "case when strpos(" parameter ", '%') > 0 then " parameter " else '%' || " parameter " || '%' end"

/* All rows of a query as an array. */
#define ROWS(query) "(select coalesce(jsonb_agg(to_jsonb(x.*)), '[]') from (" query ") as x)"

/* A page of rows by their number `id`: one more row than is shown decides whether there is a cursor. */
#define PAGE_OF(query, id, count)                                                                                                \
    "select jsonb_build_object('rows', coalesce(jsonb_agg(x.doc order by x.nth) filter (where x.nth <= " count "), '[]'),"       \
    " 'cursor', case when count(*) > " count " then (array_agg(x.id order by x.nth))[" count "]::text end)"                      \
    " from (select to_jsonb(q.*) as doc, q." id " as id, row_number() over (order by q." id " desc) as nth from (" query         \
    ") as q) as x"

/* Messages m, with their content e or s, and the state of sending them. */
#define MESSAGES                                                                                                                 \
    "select m.message_id, m.channel, m.created_at, coalesce(e.to_address, s.to_number) as recipient, e.subject, a.attempts,"     \
    " case when a.is_sent then 'sent' when not a.is_asked then 'new' when a.attempts > 0 and a.attempts = a.failures"            \
    " then 'failed' else 'pending' end as state from comms.message as m"                                                         \
    " left join comms.email_message as e on e.message_id = m.message_id"                                                         \
    " left join comms.sms_message as s on s.message_id = m.message_id cross join lateral (select count(k.id) as attempts,"       \
    " count(k.failed_id) as failures, coalesce(bool_or(k.sent_id is not null), false) as is_sent, count(*) > 0 as is_asked"      \
    " from (" SENDS("email") " union all " SENDS("sms") ") as k) as a"

/* The attempts to send message m by one channel, one row for a send without attempts. */
#define SENDS(channel)                                                                                                           \
    "select a.send_" channel "_attempt_id as id, f.send_" channel "_attempt_id as failed_id, d.send_" channel                    \
    "_attempt_id as sent_id from comms.send_" channel "_task as t left join comms.send_" channel "_attempt as a"                 \
    " on a.send_" channel "_task_id = t.send_" channel "_task_id left join comms.send_" channel "_attempt_failed as f"           \
    " on f.send_" channel "_attempt_id = a.send_" channel "_attempt_id left join comms.send_" channel "_attempt_succeeded as d"  \
    " on d.send_" channel "_attempt_id = a.send_" channel "_attempt_id where t.message_id = m.message_id"
#define ATTEMPTS(channel)                                                                                                        \
    "select a.send_" channel                                                                                                     \
    "_attempt_id as attempt_id, a.task_id, a.created_at, case when d.created_at is not null then 'sent'"                         \
    " when f.in_doubt then 'in_doubt' when f.created_at is not null then 'failed' else 'pending' end as result,"                 \
    " coalesce(d.created_at, f.created_at) as result_at, d.provider_id, f.error_class, f.error_message"                          \
    " from comms.send_" channel "_task as t join comms.send_" channel "_attempt as a on a.send_" channel                         \
    "_task_id = t.send_" channel "_task_id left join comms.send_" channel "_attempt_failed as f on f.send_" channel              \
    "_attempt_id = a.send_" channel "_attempt_id left join comms.send_" channel "_attempt_succeeded as d on d.send_" channel     \
    "_attempt_id = a.send_" channel "_attempt_id where t.message_id = $1::bigint"

/* The process that sends message q by a channel. */
#define PROCESS_OF(channel)                                                                                                      \
    "(select p.process_id from comms.send_" channel "_task as t join queues.process as p on p.supervisor = 'comms.send_" channel \
    "_supervisor' and p.ids = jsonb_build_object('send_" channel "_task_id', t.send_" channel                                    \
    "_task_id) where t.message_id = q.message_id)"

/* Workers of the last day, or the one with this id ($1). */
#define WORKERS                                                                                                                  \
    "select w.worker_id, w.worker_name, w.version, w.state, w.tasks_held, w.started_at, w.seen_at, w.queues, w.types, w.host,"   \
    " w.stopped_at, w.stop_reason from queues.worker_state as w where case when $1::text is null"                                \
    " then w.stopped_at is null or w.stopped_at > now() - interval '1 day' else w.worker_id = $1::uuid end"                      \
    " order by w.started_at desc limit 200"

/* The newest things of an act on many ($1). */
#define TARGETS                                                                                                                  \
    "from (select y.target_id from queues.bulk_target as y where y.act_id = $1::bigint order by y.target_id desc limit 20) as t"

#endif
