#include "db/statements.h"

/* A fixed format for any settings of the session, because these times are compared as texts. */
#define LAST_AT "to_char(last_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') || '+00'"

/* Errors of user code have any size; the log and the facts need the first 8192 characters.  "offset 0" after a condition keeps
 * internal.ended_as from being called for ends that need no log line. */
const struct statement_row statements[STATEMENT_COUNT] = {
    [STATEMENT_BEGIN] = {"rv_begin", "begin isolation level read committed read write", 0},
    [STATEMENT_COMMIT] = {"rv_commit", "commit", 0},
    /* Names have their schemas, because user code may have set any search_path. */
    [STATEMENT_RESET_ALL] = {"rv_reset_all", "reset all", 0},
    [STATEMENT_SESSION] = {"rv_session", "select internal.tidy_session($1, $2, $3)", 3},
    [STATEMENT_TIMEOUTS] = {"rv_timeouts",
        "select pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true),"
        " pg_catalog.set_config('statement_timeout',"
        " coalesce($1, pg_catalog.current_setting('reeve.next_timeout_ms', true)), true),"
        " pg_catalog.set_config('lock_timeout', $2, true)",
        2},
    [STATEMENT_WHO] = {"rv_who",
        "select pg_backend_pid(), session_user = 'worker_service_user',"
        " exists (select 1 from pg_roles where rolname = 'worker_service_user'"
        "         and pg_has_role(session_user, oid, " DB_MAY_ACT ")),"
        " current_setting('transaction_read_only')::boolean, extract(epoch from pg_postmaster_start_time()),"
        " quote_ident(session_user)",
        0},
    [STATEMENT_SET_ROLE] = {"rv_set_role", "set role worker_service_user", 0},
    /* The same settings as in internal.tidy_session. */
    [STATEMENT_SET_SESSION] = {"rv_set_session",
        "select pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', false),"
        " pg_catalog.set_config('idle_in_transaction_session_timeout', '10s', false),"
        " pg_catalog.set_config('lock_timeout', '2s', false), pg_catalog.set_config($1, '1s', false)",
        1},
    [STATEMENT_START] = {"rv_start",
        "select queues.start_worker($1::uuid, $2, $3, $4::integer, $5::boolean, $6::uuid) is not null", 6},
    [STATEMENT_INSTANCE] = {"rv_instance",
        "select pg_try_advisory_lock(20545, 1), h.pid, h.usename, h.application_name from (select 1) as one"
        " left join lateral (select a.pid, a.usename, a.application_name from pg_locks as l join pg_stat_activity as a on a.pid "
        "= l.pid"
        " where l.locktype = 'advisory' and l.classid = 20545 and l.objid = 1 and l.objsubid = 2 and l.granted"
        " and l.database = (select oid from pg_database where datname = current_database()) limit 1) as h on true",
        0},
    [STATEMENT_RESET] = {"rv_reset", "select worker.reset_abandoned_processing_tasks()", 0},
    [STATEMENT_SETTINGS] = {"rv_settings",
        "select 'type', t.key, t.value from jsonb_each_text(queues.worker_settings()->'types') as t"
        " where $1::text[] is null or t.key = any($1::text[])"
        " union all (select 'queue', q.key, coalesce(q.value->>'max_running', q.value->>'top_level_limit')"
        " from jsonb_each(queues.worker_settings()->'queues') as q order by 2)",
        1},
    /* The commit of the run comes later in the log and flushes this one, too: see task/direct_claim.c. */
    [STATEMENT_CLAIM_NEXT] = {"rv_claim_next",
        "select array[task_id], array[lease_no], '{1}', " LAST_AT ", task_type, $2::text, $3::bigint, 'execute', timeout_ms,"
        " 0, false, null, null, null, null, extract(epoch from clock_timestamp() - last_at),"
        " extract(epoch from clock_timestamp() - last_at), is_more, set_config('synchronous_commit', 'off', true)"
        " from queues.claim_next($1::uuid, $2::text, $3::bigint, $4::timestamptz - interval '1 second', $5::text[],"
        " make_interval(secs => $6::double precision / 1000), $7) where task_id is not null",
        7},
    [STATEMENT_HOLD] = {"rv_hold", "select internal.this_holder($1::uuid)", 1},
    [STATEMENT_EXECUTE_NEXT] = {"rv_execute_next",
        "select next.task_id, r.outcome, r.status, left(r.error, 8192), null::text,"
        " extract(epoch from clock_timestamp() - statement_timestamp()) * 1e6, e.name, e.sqlstate, e.error"
        /* "offset 0" makes sure that the settings are read before the function runs, which may change them. */
        " from (select current_setting('reeve.next_task_id')::bigint, "
        "current_setting('reeve.next_lease_no')::integer"
        " where current_setting('reeve.next_token', true) = $2 offset 0) as next (task_id, lease_no),"
        " lateral internal.run_one($1::uuid, next.task_id, next.lease_no) as r"
        " left join lateral (select * from internal.ended_as($1::uuid, next.task_id, next.lease_no) where r.error is not null "
        "offset 0)"
        " as e on true",
        2},
    [STATEMENT_BEGIN_NEXT] = {"rv_begin_next",
        "select d.task_id, decision, request, body, secrets, idempotency_key, left(d.error, 8192), d.sqlstate,"
        " extract(epoch from clock_timestamp() - statement_timestamp()) * 1e6,"
        " ceil(extract(epoch from timeout) * 1000)::bigint, destination, attempt, e.outcome, e.name, e.sqlstate, e.error, "
        "d.traceparent"
        " from (select current_setting('reeve.next_task_id')::bigint, current_setting('reeve.next_lease_no')::integer"
        " where current_setting('reeve.next_token', true) = $2 offset 0) as next (task_id, lease_no),"
        " lateral queues.begin_dispatch_batch($1::uuid, array[next.task_id], array[next.lease_no], $3::integer) as d"
        " left join lateral (select * from internal.ended_as($1::uuid, d.task_id, next.lease_no) where d.decision = 'completed' "
        "offset 0)"
        " as e on true",
        3},
    [STATEMENT_CLAIM] = {"rv_claim",
        "select task_ids, lease_nos, places, " LAST_AT ", task_type, queue, priority, mode,"
        " coalesce(ceil(extract(epoch from timeout) * 1000), 0)::bigint, crash_count, run_alone, adapter, destination, is_retry,"
        " has_parent, extract(epoch from clock_timestamp() - first_at), extract(epoch from clock_timestamp() - last_at)"
        " from queues.claim_batch($1::uuid, $2::text[], $3::text[], $4::integer,"
        " make_interval(secs => $5::double precision / 1000), $6::jsonb, $7::boolean, $8::text[], $9::integer[], $10::integer[],"
        " $11::integer, $12::integer, $13::integer)",
        13},
    /* Whatever the work does comes later in the log, and its commit flushes this one, too.  If this commit is lost in a crash, so
     * is the work, and the slot is decided about again. */
    [STATEMENT_FIRE_DUE] = {"rv_fire_due",
        "select queues.fire_due($1::integer, interval '50 milliseconds'),"
        " ceil(extract(epoch from internal.next_fire_at() - clock_timestamp()) * 1000)::bigint,"
        " set_config('synchronous_commit', 'off', true)",
        1},
    [STATEMENT_NEXT_DUE] = {"rv_next_due",
        "select ceil(extract(epoch from queues.next_due($1::text[], $2::text[], $3::jsonb) - clock_timestamp()) * 1000)::bigint",
        3},
    [STATEMENT_RENEW] = {"rv_renew",
        "select task_id, state, lease_no from queues.renew($1::uuid, $2::bigint[], $3::integer[],"
        " make_interval(secs => $4::double precision / 1000))",
        4},
    [STATEMENT_RELEASE] = {"rv_release",
        "select queues.release($1::uuid, $2::bigint[], $3::integer[],"
        " make_interval(secs => $4::double precision / 1000))",
        4},
    [STATEMENT_EXECUTE] = {"rv_execute",
        "select $2::bigint, r.outcome, r.status, left(r.error, 8192), null::text,"
        " extract(epoch from clock_timestamp() - statement_timestamp()) * 1e6, e.name, e.sqlstate, e.error"
        " from queues.execute($1::uuid, $2::bigint, $3::integer) as r"
        " left join lateral (select * from internal.ended_as($1::uuid, $2::bigint, $3::integer) where r.error is not null offset "
        "0)"
        " as e on true",
        3},
    [STATEMENT_EXECUTE_BATCH] = {"rv_execute_batch",
        "select r.task_id, r.outcome, r.status, left(r.error, 8192), r.sqlstate,"
        " extract(epoch from clock_timestamp() - statement_timestamp()) * 1e6,"
        " coalesce(r.name, e.name), coalesce(e.sqlstate, r.sqlstate), coalesce(r.line, e.error)"
        " from queues.execute_batch($1::uuid, $2::bigint[], $3::integer[]) as r"
        " left join lateral (select * from internal.ended_as($1::uuid, r.task_id,"
        " ($3::integer[])[array_position($2::bigint[], r.task_id)]) where r.error is not null and r.line is null offset 0) as e "
        "on true",
        3},
    [STATEMENT_PREPARE] = {"rv_prepare",
        "select decision, e.outcome, e.name, e.sqlstate, e.error from queues.begin_dispatch($1::uuid, $2::bigint, $3::integer) "
        "as d"
        " left join lateral (select * from internal.ended_as($1::uuid, $2::bigint, $3::integer) where d.decision = 'completed' "
        "offset 0)"
        " as e on true",
        3},
    [STATEMENT_COMPLETE_NOOP] = {"rv_complete_noop",
        "select count(*), case when count(*) < cardinality($2::bigint[]) then array_agg(id) end,"
        " extract(epoch from clock_timestamp() - statement_timestamp()) * 1e6"
        " from queues.complete_noop($1::uuid, $2::bigint[], $3::integer[]) as id",
        3},
    [STATEMENT_BEGIN_DISPATCH] = {"rv_begin_dispatch",
        "select task_id, decision, request, body, secrets, idempotency_key, left(d.error, 8192), d.sqlstate,"
        " extract(epoch from clock_timestamp() - statement_timestamp()) * 1e6,"
        " ceil(extract(epoch from timeout) * 1000)::bigint, destination, attempt, e.outcome, e.name, e.sqlstate, e.error, "
        "d.traceparent"
        " from queues.begin_dispatch_batch($1::uuid, $2::bigint[], $3::integer[], $4::integer) as d"
        " left join lateral (select * from internal.ended_as($1::uuid, d.task_id,"
        " ($3::integer[])[array_position($2::bigint[], d.task_id)]) where d.decision = 'completed' offset 0) as e on true",
        4},
    [STATEMENT_PROGRESS] = {"rv_progress", "select queues.report_progress($1::uuid, $2::bigint, $3::integer, $4::jsonb)", 4},
    [STATEMENT_FINISH_BATCH] = {"rv_finish_batch",
        "select task_id, result, left(f.error, 8192), f.sqlstate, extract(epoch from clock_timestamp() - statement_timestamp()) "
        "* "
        "1e6,"
        " e.outcome, e.name, e.sqlstate, e.error"
        " from queues.finish_batch($1::uuid, $2::bigint[], $3::integer[], $4::text[], $5::jsonb[], $6::text[], $7::text[]) as f"
        /* A success needs no second look: that is the common case. */
        " left join lateral (select * from internal.ended_as($1::uuid, f.task_id,"
        " ($3::integer[])[array_position($2::bigint[], f.task_id)]) where f.result in ('completed', 'quarantined')"
        " and ($4::text[])[array_position($2::bigint[], f.task_id)] <> 'succeeded'"
        " and not (($4::text[])[array_position($2::bigint[], f.task_id)] = 'answered'"
        " and ($7::text[])[array_position($2::bigint[], f.task_id)] is null) offset 0) as e on true",
        7},
    /* One element each: an outcome without its handler is recorded alone. */
    [STATEMENT_RECORD_RESULT] = {"rv_record_result",
        "select ($2::bigint[])[1], queues.record_result($1::uuid, ($2::bigint[])[1], ($3::integer[])[1], ($4::text[])[1],"
        " ($5::jsonb[])[1], ($6::text[])[1], ($7::text[])[1]), null, null, 0, null, null, null, null",
        7},
    [STATEMENT_ALIVE] = {"rv_alive",
        "select array_to_string(queues.worker_alive($1::uuid, $2::text[], $3::text[], $4::text[], $5::bigint[]), ',')", 5},
    [STATEMENT_SWEEP] = {"rv_sweep", "select queues.sweep_processes()", 0},
    [STATEMENT_RESCUE] = {"rv_rescue", "select worker.rescue_waiting_parents()", 0},
    [STATEMENT_PRUNE] = {"rv_prune", "select queues.prune()", 0},
    [STATEMENT_ROLL_UP] = {"rv_roll_up", "select internal.roll_up()", 0},
    [STATEMENT_PING] = {"rv_ping", "select true", 0},
    [STATEMENT_OVERDUE] = {"rv_overdue", "select extract(epoch from queues.overdue($1::text[], $2::text[]))", 2},
    [STATEMENT_TRACES] = {"rv_traces", "select * from internal.lease_traces($1::uuid, $2::bigint, $3::bigint, $4::bigint[])", 4},
    [STATEMENT_METRICS] = {"rv_metrics",
        "select metric, label, value from queues.metrics()"
        " union all select 'reeve_oldest_snapshot_seconds', null,"
        " coalesce(max(extract(epoch from clock_timestamp() - a.xact_start)), 0)::double precision"
        " from pg_stat_activity as a where a.backend_xmin is not null and a.datname = current_database()",
        0},
    [STATEMENT_UNSEALED] = {"rv_unsealed", "select id, name, secret from internal.unsealed_secrets($1::uuid)", 1},
    [STATEMENT_SEAL] = {"rv_seal", "select internal.seal_secret($1::uuid, $2::uuid, $3, $4, $5)", 5},
    [STATEMENT_STOP] = {"rv_stop", "select queues.stop_worker($1::uuid, $2)", 2},
    [STATEMENT_ROLLBACK] = {"rv_rollback", "rollback", 0},
    [STATEMENT_PLAN_AGAIN] = {"rv_plan_again", "discard plans", 0},
    [STATEMENT_LISTEN_QUEUES] = {"rv_listen_queues", "listen worker_queue_change", 0},
    [STATEMENT_LISTEN_CONTROL] = {"rv_listen_control", "listen worker_control", 0},
    [STATEMENT_LISTEN] = {"rv_listen", "listen worker_tasks", 0},
    [STATEMENT_PROBE] = {"rv_probe", "select pg_notify('worker_control', $1)", 1},
    [STATEMENT_GATE_ENTER] = {"rv_gate_enter", "select internal.enter_gate($1::boolean)", 1},
    [STATEMENT_GATE_LEAVE] = {"rv_gate_leave", "select internal.leave_gate($1::boolean, $2::boolean)", 2},
};

const char *const statement_forms[STATEMENT_COUNT] = {
    [STATEMENT_WHO] = "1ibbbnt",
    [STATEMENT_START] = "1b",
    [STATEMENT_INSTANCE] = "1bITT",
    [STATEMENT_RESET] = "1I",
    [STATEMENT_SETTINGS] = "ttT",
    [STATEMENT_CLAIM_NEXT] = "aaatttitIibTTBBnnBT",
    [STATEMENT_EXECUTE_NEXT] = "iTTTTnTTT",
    [STATEMENT_BEGIN_NEXT] = "iTTTTTTTnITITTTTT",
    [STATEMENT_CLAIM] = "aaatttitiibtTBbnn",
    [STATEMENT_FIRE_DUE] = "1iIT",
    [STATEMENT_NEXT_DUE] = "1I",
    [STATEMENT_RENEW] = "iti",
    [STATEMENT_EXECUTE] = "iTTTTnTTT",
    [STATEMENT_EXECUTE_BATCH] = "iTTTTnTTT",
    [STATEMENT_PREPARE] = "1tTTTT",
    [STATEMENT_COMPLETE_NOOP] = "1iAn",
    [STATEMENT_BEGIN_DISPATCH] = "iTTTTTTTnITITTTTT",
    [STATEMENT_FINISH_BATCH] = "iTTTnTTTT",
    [STATEMENT_RECORD_RESULT] = "1iTTTnTTTT",
    [STATEMENT_ALIVE] = "1T",
    [STATEMENT_SWEEP] = "1I",
    [STATEMENT_RESCUE] = "1I",
    [STATEMENT_PRUNE] = "1I",
    [STATEMENT_ROLL_UP] = "1I",
    [STATEMENT_OVERDUE] = "1N",
    [STATEMENT_TRACES] = "iitNIIibbb",
    [STATEMENT_METRICS] = "tTn",
    [STATEMENT_UNSEALED] = "ttt",
    [STATEMENT_GATE_ENTER] = "1t",
    [STATEMENT_GATE_LEAVE] = "1b",
};

const bool statement_runs_user_code[STATEMENT_COUNT] = {
    [STATEMENT_EXECUTE_NEXT] = true,
    [STATEMENT_BEGIN_NEXT] = true,
    [STATEMENT_EXECUTE] = true,
    [STATEMENT_EXECUTE_BATCH] = true,
    [STATEMENT_PREPARE] = true,
    [STATEMENT_BEGIN_DISPATCH] = true,
    [STATEMENT_FINISH_BATCH] = true,
};
