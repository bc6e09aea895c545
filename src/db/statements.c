#include "db/statements.h"

/* A fixed format for any settings of the session, because these times are compared as texts. */
#define LAST_AT "to_char(last_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') || '+00'"

/* The settings of our sessions; `client_check` is the parameter with the name of the last one. */
#define SESSION_SETTINGS(client_check)                                                                                           \
    " pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', false),"                                                       \
    " pg_catalog.set_config('idle_in_transaction_session_timeout', '10s', false),"                                               \
    " pg_catalog.set_config('lock_timeout', '2s', false),"                                                                       \
    " pg_catalog.set_config(" client_check ", '1s', false)"

const struct statement_row statements[STATEMENT_COUNT] = {
    [STATEMENT_BEGIN] = {"rv_begin", "begin isolation level read committed read write", 0},
    [STATEMENT_COMMIT] = {"rv_commit", "commit", 0},
    /* Names have their schemas, because user code may have set any search_path. */
    [STATEMENT_RESET_ALL] = {"rv_reset_all", "reset all", 0},
    [STATEMENT_SESSION] = {"rv_session",
        "select pg_catalog.current_setting('role') operator(pg_catalog.<>) $1"
        " or exists (select 1 from pg_catalog.pg_prepared_statement() as p where p.from_sql),"
        " pg_catalog.pg_advisory_unlock_all()," SESSION_SETTINGS("$2"),
        2},
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
    [STATEMENT_SET_SESSION] = {"rv_set_session", "select" SESSION_SETTINGS("$1"), 1},
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
        " 0, false, null, null, null, null, is_more, set_config('synchronous_commit', 'off', true)"
        " from queues.claim_next($1::uuid, $2::text, $3::bigint, $4::timestamptz - interval '1 second', $5::text[],"
        " make_interval(secs => $6::double precision / 1000), $7) where task_id is not null",
        7},
    [STATEMENT_HOLD] = {"rv_hold", "select internal.this_holder($1::uuid)", 1},
    [STATEMENT_EXECUTE_NEXT] = {"rv_execute_next",
        "select task_id, outcome, status, error, null::text,"
        " extract(epoch from clock_timestamp() - statement_timestamp()) * 1e6"
        /* "offset 0" makes sure that the settings are read before the function runs, which may change them. */
        " from (select current_setting('reeve.next_task_id')::bigint, current_setting('reeve.next_lease_no')::integer"
        " where current_setting('reeve.next_token', true) = $2 offset 0) as next (task_id, lease_no),"
        " lateral internal.run_one($1::uuid, task_id, lease_no)",
        2},
    [STATEMENT_CLAIM] = {"rv_claim",
        "select task_ids, lease_nos, places, " LAST_AT ", task_type, queue, priority, mode,"
        " coalesce(ceil(extract(epoch from timeout) * 1000), 0)::bigint, crash_count, run_alone, adapter, destination, is_retry,"
        " has_parent"
        " from queues.claim_batch($1::uuid, $2::text[], $3::text[], $4::integer,"
        " make_interval(secs => $5::double precision / 1000), $6::jsonb, $7::boolean, $8::text[], $9::integer[], $10::integer[],"
        " $11::integer, $12::integer, $13::integer)",
        13},
    [STATEMENT_NEXT_DUE] = {"rv_next_due",
        "select ceil(extract(epoch from queues.next_due($1::text[], $2::text[], $3::jsonb) - clock_timestamp()) * 1000)::bigint",
        3},
    [STATEMENT_RENEW] = {"rv_renew",
        "select task_id, state from queues.renew($1::uuid, $2::bigint[], $3::integer[],"
        " make_interval(secs => $4::double precision / 1000))",
        4},
    [STATEMENT_RELEASE] = {"rv_release",
        "select queues.release($1::uuid, $2::bigint[], $3::integer[],"
        " make_interval(secs => $4::double precision / 1000))",
        4},
    [STATEMENT_EXECUTE] = {"rv_execute",
        "select $2::bigint, outcome, status, error, null::text,"
        " extract(epoch from clock_timestamp() - statement_timestamp()) * 1e6"
        " from queues.execute($1::uuid, $2::bigint, $3::integer)",
        3},
    [STATEMENT_EXECUTE_BATCH] = {"rv_execute_batch",
        "select task_id, outcome, status, error, sqlstate,"
        " extract(epoch from clock_timestamp() - statement_timestamp()) * 1e6"
        " from queues.execute_batch($1::uuid, $2::bigint[], $3::integer[])",
        3},
    [STATEMENT_PREPARE] = {"rv_prepare", "select decision from queues.begin_dispatch($1::uuid, $2::bigint, $3::integer)", 3},
    [STATEMENT_COMPLETE_NOOP] = {"rv_complete_noop",
        "select count(*), case when count(*) < cardinality($2::bigint[]) then array_agg(id) end,"
        " extract(epoch from clock_timestamp() - statement_timestamp()) * 1e6"
        " from queues.complete_noop($1::uuid, $2::bigint[], $3::integer[]) as id",
        3},
    [STATEMENT_BEGIN_DISPATCH] = {"rv_begin_dispatch",
        "select task_id, decision, request, body, secrets, idempotency_key, error, sqlstate,"
        " extract(epoch from clock_timestamp() - statement_timestamp()) * 1e6,"
        " ceil(extract(epoch from timeout) * 1000)::bigint, destination"
        " from queues.begin_dispatch_batch($1::uuid, $2::bigint[], $3::integer[])",
        3},
    [STATEMENT_FINISH_BATCH] = {"rv_finish_batch",
        "select task_id, result, error, sqlstate, extract(epoch from clock_timestamp() - statement_timestamp()) * 1e6"
        " from queues.finish_batch($1::uuid, $2::bigint[], $3::integer[], $4::text[], $5::jsonb[], $6::text[], $7::text[])",
        7},
    /* One element each: an outcome without its handler is recorded alone. */
    [STATEMENT_RECORD_RESULT] = {"rv_record_result",
        "select ($2::bigint[])[1], queues.record_result($1::uuid, ($2::bigint[])[1], ($3::integer[])[1], ($4::text[])[1],"
        " ($5::jsonb[])[1], ($6::text[])[1], ($7::text[])[1]), null, null, 0",
        7},
    [STATEMENT_ALIVE] = {"rv_alive", "select array_to_string(queues.worker_alive($1::uuid, $2::text[], $3::text[]), ',')", 3},
    [STATEMENT_SWEEP] = {"rv_sweep", "select queues.sweep_processes()", 0},
    [STATEMENT_RESCUE] = {"rv_rescue", "select worker.rescue_waiting_parents()", 0},
    [STATEMENT_PRUNE] = {"rv_prune", "select queues.prune()", 0},
    [STATEMENT_UNSEALED] = {"rv_unsealed", "select id, name, secret from internal.unsealed_secrets($1::uuid)", 1},
    [STATEMENT_SEAL] = {"rv_seal", "select internal.seal_secret($1::uuid, $2::uuid, $3, $4, $5)", 5},
    [STATEMENT_STOP] = {"rv_stop", "select queues.stop_worker($1::uuid, $2)", 2},
    [STATEMENT_ROLLBACK] = {"rv_rollback", "rollback", 0},
    [STATEMENT_PLAN_AGAIN] = {"rv_plan_again", "discard plans", 0},
    [STATEMENT_LISTEN_QUEUES] = {"rv_listen_queues", "listen worker_queue_change", 0},
    [STATEMENT_LISTEN_CONTROL] = {"rv_listen_control", "listen worker_control", 0},
    [STATEMENT_LISTEN] = {"rv_listen", "listen worker_tasks", 0},
    [STATEMENT_PROBE] = {"rv_probe", "select pg_notify('worker_control', $1)", 1},
    [STATEMENT_GATE_LOCK] = {"rv_gate_lock", "select pg_advisory_lock(20545, 2)", 0},
    [STATEMENT_GATE_UNLOCK] = {"rv_gate_unlock", "select pg_advisory_unlock(20545, 2)", 0},
};

const char *const statement_forms[STATEMENT_COUNT] = {
    [STATEMENT_WHO] = "1ibbbnt",
    [STATEMENT_START] = "1b",
    [STATEMENT_INSTANCE] = "1bITT",
    [STATEMENT_RESET] = "1I",
    [STATEMENT_SETTINGS] = "ttT",
    [STATEMENT_CLAIM_NEXT] = "aaatttitIibTTBBBT",
    [STATEMENT_EXECUTE_NEXT] = "iTTTTn",
    [STATEMENT_CLAIM] = "aaatttitiibtTBb",
    [STATEMENT_NEXT_DUE] = "1I",
    [STATEMENT_RENEW] = "it",
    [STATEMENT_EXECUTE] = "iTTTTn",
    [STATEMENT_EXECUTE_BATCH] = "iTTTTn",
    [STATEMENT_PREPARE] = "1t",
    [STATEMENT_COMPLETE_NOOP] = "1iAn",
    [STATEMENT_BEGIN_DISPATCH] = "iTTTTTTTnIT",
    [STATEMENT_FINISH_BATCH] = "iTTTn",
    [STATEMENT_RECORD_RESULT] = "1iTTTn",
    [STATEMENT_ALIVE] = "1T",
    [STATEMENT_SWEEP] = "1I",
    [STATEMENT_RESCUE] = "1I",
    [STATEMENT_PRUNE] = "1I",
    [STATEMENT_UNSEALED] = "ttt",
};

const bool statement_runs_user_code[STATEMENT_COUNT] = {
    [STATEMENT_EXECUTE_NEXT] = true,
    [STATEMENT_EXECUTE] = true,
    [STATEMENT_EXECUTE_BATCH] = true,
    [STATEMENT_PREPARE] = true,
    [STATEMENT_BEGIN_DISPATCH] = true,
    [STATEMENT_FINISH_BATCH] = true,
};
