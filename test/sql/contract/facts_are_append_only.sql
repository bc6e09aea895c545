-- For everybody: these statements are a superuser's.
begin;
select plan(69);
create temp table fact as select t as name from unnest(array['task', 'task_lease', 'task_completed', 'error', 'task_lease_renewed',
    'task_lease_ended', 'task_dispatched', 'late_result', 'task_changed', 'task_cancel_requested', 'task_folded', 'process', 'process_run',
    'process_ended', 'process_revived', 'worker_started', 'worker_stopped', 'holder', 'pruned', 'audit']) as t;
select throws_ok(format('update queues.%I set %I = %I', f.name, a.attname, a.attname), '42501', 'facts are append-only', 'update ' || f.name)
from fact as f join pg_attribute as a on a.attrelid = ('queues.' || f.name)::regclass
where a.attnum = (select min(x.attnum) from pg_attribute as x where x.attrelid = a.attrelid and x.attnum > 0 and x.attidentity = '');
select throws_ok(format('delete from queues.%I', name), '42501', 'facts are append-only', 'delete ' || name) from fact;
select throws_ok(format('truncate queues.%I', name), '42501', 'facts are append-only', 'truncate ' || name) from fact;
select throws_ok(format('update worker.%I set task_id = task_id', name), '42501', 'facts are append-only', 'update ' || name) from unnest(array['task_parent', 'handler_done']) as name;
select throws_ok(format('delete from worker.%I', name), '42501', 'facts are append-only', 'delete ' || name) from unnest(array['task_parent', 'handler_done']) as name;
select throws_ok(format('truncate worker.%I', name), '42501', 'facts are append-only', 'truncate ' || name) from unnest(array['task_parent', 'handler_done']) as name;
select set_config('reeve.pruning', 'on', true);
select throws_ok('delete from queues.task', '42501', null, 'the setting of prune does not help');
select is(test.sqlstate_as('queues_owner', 'update queues.task set queue = queue'), '42501', 'nor does it help the owner to change them');
select is((select array_agg(c.relname::text order by c.relname) from pg_class as c
           where c.relnamespace = 'queues'::regnamespace and c.relkind = 'r' and not exists (select 1 from fact where name = c.relname)),
          array['merging', 'migration', 'queue', 'ready', 'registered_task_type', 'running', 'worker_seen'], 'only these tables may change');
select * from finish();
rollback;
