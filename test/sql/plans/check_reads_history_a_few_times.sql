-- slow: make check leaves this file out
-- The invariants are looked at over all history, and over trees in it.  Each row may be read a few times, but not once for
-- each other row: with 4,000 trees of two tasks that would be tens of millions.  Some wait, in serial trees.
-- Plans are made while the tables are taken for empty.
begin;
select plan(22);
create function pg_temp.rows_read() returns bigint language sql volatile
as $$
    select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint from pg_stat_xact_all_tables
    where schemaname in ('queues', 'worker')
$$;
create function pg_temp.reads(_sql text) returns bigint language plpgsql volatile
as $$
declare
    _before constant bigint := pg_temp.rows_read();
begin
    execute _sql;
    return pg_temp.rows_read() - _before;
end
$$;
-- The plan of the one query of such a function, as its settings ask for it.
create function pg_temp.plan_of(_function regprocedure) returns jsonb language plpgsql volatile
as $$
declare
    _setting text;
    _query text;
    _plan json;
begin
    select regexp_replace(regexp_replace(substring(p.prosrc from '(?n)return query\n((?:.|\n)*);\nend'), '\y_from\y', '0', 'g'),
                          '\y(_is_quick|_quiesced)\y', 'false', 'g')
    into _query from pg_proc as p where p.oid = _function;
    for _setting in select unnest(p.proconfig) from pg_proc as p where p.oid = _function loop
        perform set_config(split_part(_setting, '=', 1), split_part(_setting, '=', 2), true);
    end loop;
    execute 'explain (format json) ' || _query into _plan;
    set local search_path = public, tap; set local enable_nestloop = on; set local enable_seqscan = on; set local enable_material = on;
    return _plan;
end
$$;
-- Whatever is done once per row of something else: the inner side of a nested loop, and subqueries.  Only an index may be
-- used there, or one of the two small registries.
create function pg_temp.repeated_scans(_function regprocedure) returns text language sql volatile
as $$
    with plan as (select pg_temp.plan_of(_function) as plan), node as (
        select jsonb_path_query(p.plan, '$.** ? (@."Node Type" == "Nested Loop")') -> 'Plans' -> 1 as inner_side from plan as p
        union all
        select jsonb_path_query(p.plan, '$.** ? (@."Parent Relationship" == "SubPlan")') from plan as p)
    select string_agg(distinct coalesce(x ->> 'Relation Name', x ->> 'CTE Name', x ->> 'Node Type'), ', ')
    from node as n
    cross join lateral jsonb_path_query(n.inner_side, '$.** ? (@."Node Type" == "Seq Scan" || @."Node Type" == "CTE Scan" || @."Node Type" == "Materialize")') as x
    where coalesce(x ->> 'Relation Name', '') not in ('queue', 'registered_task_type')
$$;
select count(*) from queues.check();
create temp table tree as select nextval('queues.task_task_id_seq') as root, nextval('queues.task_task_id_seq') as child, n, n > 3000 as is_open
from generate_series(1, 4000) as n;
insert into queues.task (task_id, task_type, payload, queue, parent_id, depth, scheduled_at, enqueued_at) overriding system value
select t.root, 'command', '{"command": "task_cleanup"}'::jsonb, 'maintenance', null::bigint, null::integer, now() - interval '1 hour', now() - interval '1 hour' from tree as t
union all select t.child, 'command', '{"command": "task_cleanup"}', 'maintenance', t.root, 1, now() - interval '1 hour', now() - interval '1 hour' from tree as t;
insert into worker.task_parent (task_id, child_mode, created_at) select t.root, 'serial', now() from tree as t;
insert into queues.holder (leased_by, backend_pid) values ('postgres', 1) returning holder_id as holder \gset
insert into queues.task_lease (task_id, leased_at, expires_at, lease_no, holder_id)
select t.root, now() - interval '30 minutes', now(), 1, :holder from tree as t
union all select t.child, now() - interval '20 minutes', now(), 1, :holder from tree as t where not t.is_open;
insert into queues.task_changed (task_id, change_no, changed_at, reason, available_at, changed_by, priority, lease_no)
select t.child, 1, now() - interval '20 minutes', 'unblocked', now() - interval '20 minutes', 'engine', 0, 0 from tree as t;
insert into worker.handler_done (task_id, lease_no, done_at) select t.root, 1, now() from tree as t;
insert into queues.task_lease_ended (task_id, lease_no, ended_at, how, retry_at)
select t.root, 1, now() - interval '20 minutes', 'waiting', 'infinity' from tree as t where t.is_open;
insert into queues.task_completed (task_id, completed_at, outcome, lease_no)
select x.id, now(), 'succeeded', 1 from tree as t cross join lateral (values (t.root), (t.child)) as x(id) where not t.is_open;
insert into queues.ready (queue_id, priority, available_at, task_id, type_id, lease_no, phase, parent_id)
select q.queue_id, 0, case when x.is_root then 'infinity' else now() - interval '20 minutes' end, x.id, y.type_id,
       x.is_root::integer, case when x.is_root then 'w'::"char" end, case when not x.is_root then t.root end
from tree as t cross join lateral (values (t.root, true), (t.child, false)) as x(id, is_root)
cross join queues.queue as q cross join queues.registered_task_type as y
where t.is_open and q.queue = 'maintenance' and y.task_type = 'command';
select is((select string_agg(invariant || ' ' || sample, ', ') from queues.check()), null, 'what was made by hand is healthy');
create temp table part as select p.oid::regprocedure as name from pg_proc as p
where p.pronamespace = 'internal'::regnamespace and p.proname ~ '^(check_(working_set|trees|leases|completions|dispatches|processes)|open_task_ids)$';
select is((select count(*) from part), 7::bigint, 'the parts');
select is(pg_temp.repeated_scans(name), null, format('no scan is repeated by %s, of which the server knows nothing', name)) from part;
analyze queues.task, queues.task_lease, queues.task_lease_ended, queues.task_completed, queues.task_changed, queues.ready, queues.running,
        worker.task_parent, worker.handler_done;
select is(pg_temp.repeated_scans(name), null, format('nor where it knows the tables: %s', name)) from part;
select is((select array_agg(p.proname order by p.proname)::text from pg_proc as p
           where p.proname ~ '^check(_|$)' and p.pronamespace in ('queues'::regnamespace, 'internal'::regnamespace) and p.proretset and p.provolatile <> 's'),
          null, 'all of it is stable: it reads one snapshot');
-- 8,000 tasks have about 40,000 rows of facts and working set.
select cmp_ok(pg_temp.reads('select * from queues.check()'), '<', 40 * 40000::bigint, 'all invariants together read each row a few times');
select cmp_ok(pg_temp.reads($$select * from queues.check_part('working_set', true)$$), '<', 20 * 40000::bigint, 'the quick form reads fewer');
select is((select count(*) from queues.check_part('trees', true)), 0::bigint, 'and finds nothing either');
-- Damage in the trees is seen by both.
delete from queues.ready where task_id = (select max(child) from tree);
select ok(exists (select 1 from queues.check_part('trees', true) where invariant = 'parent_waits_for_children'), 'a parent that waits for nobody');
select ok(exists (select 1 from queues.check() where invariant = 'one_place'), 'a task that is nowhere');
select * from finish();
rollback;
