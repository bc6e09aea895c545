-- slow: make check leaves this file out
-- With a large history the plans stay those of small ones: what is open is found in the
-- working set, failures and newest ones by their index.
begin;
select plan(7);
select test.unguard('queues.task'), test.unguard('queues.task_completed');
with t as (
    insert into queues.task (task_type, payload, queue, enqueued_at) select case when n % 10 = 0 then 'db_function' else 'command' end, jsonb_build_object('command', 'act'), 'default', now() from generate_series(1, 100000) as n returning task_id
)
insert into queues.task_completed (task_id, completed_at, outcome, started_at) select task_id, now(), case when task_id % 1000 = 0 then 'failed' else 'succeeded' end, now() from t;
-- Every tenth has children, was merged into, or said something.
insert into worker.handler_done (task_id, lease_no, done_at, started_at) select task_id, 1, now(), now() from queues.task where task_id % 10 = 1;
insert into worker.task_parent (task_id, child_mode, created_at) select task_id, 'concurrent', now() from queues.task where task_id % 10 = 1;
insert into queues.task_folded (task_id, lease_no, folded_at, merges, payload) select task_id, 1, now(), 1, payload from queues.task where task_id % 10 = 2;
insert into queues.error (task_id, created_at, error_message, source) select task_id, now(), 'x', 'function' from queues.task where task_id % 10 = 3;
analyze queues.task, queues.task_completed, queues.task_folded, queues.error, worker.handler_done, worker.task_parent, queues.ready, queues.running, queues.merging, queues.task_lease, queues.task_lease_ended, queues.task_cancel_requested;
select worker.enqueue('act') as open \gset
-- The rows of the history that a query reads.
create function pg_temp.read_so_far() returns bigint language sql volatile as $$
    select sum(s.seq_tup_read + coalesce(s.idx_tup_fetch, 0))::bigint from pg_stat_xact_all_tables as s
    where s.relid in ('queues.task'::regclass, 'queues.task_completed'::regclass, 'queues.error'::regclass, 'queues.task_folded'::regclass, 'worker.handler_done'::regclass) $$;
create function pg_temp.reads(_query text) returns bigint language plpgsql volatile as $$
declare
    _before constant bigint := pg_temp.read_so_far();
begin
    execute 'create temp table answer as ' || _query;
    drop table answer;
    return pg_temp.read_so_far() - _before;
end $$;
select cmp_ok(pg_temp.reads($$select * from worker.tasks where state = 'pending'$$), '<', 100::bigint, 'what is pending');
select cmp_ok(pg_temp.reads($$select * from worker.tasks where state in ('processing', 'waiting', 'interrupted')$$), '<', 100::bigint, 'what runs or waits');
select cmp_ok(pg_temp.reads(format($$select * from worker.tasks where id = %s$$, :open)), '<', 100::bigint, 'one of them');
select cmp_ok(pg_temp.reads($$select * from worker.tasks order by id desc limit 20$$), '<', 500::bigint, 'the newest');
select cmp_ok(pg_temp.reads($$select * from worker.tasks where command = 'act' order by id desc limit 20$$), '<', case when current_setting('server_version_num')::integer >= 140000 then 500::bigint else 1000000 end, 'the newest of one command');
select cmp_ok(pg_temp.reads($$select * from worker.tasks where state = 'failed' order by id desc limit 20$$), '<', 500::bigint, 'the newest that failed');
select cmp_ok(pg_temp.reads($$select worker.current_status()$$), '<', 2000::bigint, 'the whole picture');
select * from finish();
rollback;
