begin;
select plan(19);
\set a '00-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-1111111111111111-01'
\set off '00-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-1111111111111111-02'
select test.enqueue(_more => jsonb_build_object('traceparent', :'a')) as one, test.enqueue() as plain,
       test.enqueue(_more => jsonb_build_object('traceparent', :'off')) as unsampled,
       test.enqueue(_more => jsonb_build_object('traceparent', :'a')) as waits,
       test.enqueue(_more => jsonb_build_object('traceparent', :'a')) as others,
       test.enqueue('test.raises', jsonb_build_object('traceparent', :'a')) as fails \gset
select test.lease(:others, 'two');
select test.run(t) from unnest(array[:one, :plain, :unsampled]::bigint[]) as t;
create temp table got as select * from internal.lease_traces(test.worker(), :one, :fails);
select results_eq('select task_id, lease_no, traceparent, link_task_id, attempt, has_before, has_success, has_error from got',
    format($$values (%s::bigint, 1, %L, null::bigint, 1, false, false, false)$$, :one, :'a'), 'a range: the sampled tasks of which it had leases, and no others');
select is((select link_lease_no from got), null::integer, 'with no link');
select ok((select waited >= 0 and waited < 3600 from got), 'and the time that it waited');
select is((select array_agg(task_id) from internal.lease_traces(test.worker(), null, null, array[:fails, :one, :plain, :unsampled, :others, :waits]::bigint[])),
    array[:one]::bigint[], 'a list');
select is((select array_agg(task_id) from internal.lease_traces(test.worker('two'), :one, :fails)), array[:others]::bigint[], 'another worker learns of its own');
select is_empty(format('select * from internal.lease_traces(gen_random_uuid(), %s, %s)', :one, :fails), 'nobody learns anything without the id of a worker');
select is_empty(format('select * from internal.lease_traces(null, %s, %s)', :one, :fails), 'nor without any id');
select throws_ok($$select * from internal.lease_traces(gen_random_uuid(), 1, 1000000)$$, '22023', null, 'a wide range is refused');
select throws_ok($$select * from internal.lease_traces(gen_random_uuid(), 2, 1)$$, '22023', null, 'and so is a range the wrong way round');
select throws_ok($$select * from internal.lease_traces(gen_random_uuid(), -9223372036854775807, 9223372036854775807)$$, '22003', null, 'and the widest');
select is_empty('select * from internal.lease_traces(gen_random_uuid(), null, null, ''{}'')', 'no list, no answer');

-- Links: the lease before, the attempt before, and the run that enqueued the task.
select queues.set_retry_policy('function', 'test.raises', 2);
select test.run(:fails);
select internal.last_attempt(:fails) as again \gset
select test.run(:again);
select results_eq(format('select link_task_id, link_lease_no, attempt from internal.lease_traces(test.worker(), %s, %s)', :again, :again),
    format('values (%s::bigint, 1, 2)', :fails), 'an attempt names the last lease of the one before');
select test.enqueue_email(jsonb_build_object('traceparent', :'a')) as mail \gset
select test.dispatch(:mail);
select queues.finish(test.worker(), :mail, 1, 'transient', null, 'x');
select test.lease(:mail);
select results_eq(format('select lease_no, link_task_id, link_lease_no, has_before, has_success, has_error from internal.lease_traces(test.worker(), %s, %s) order by lease_no', :mail, :mail),
    format('values (1, null::bigint, null::integer, true, true, true), (2, %s::bigint, 1, true, true, true)', :mail), 'a lease names the one before, and the handlers');
select queues.release(test.worker(), array[:mail]::bigint[], array[2], '0');
select test.lease(:mail);
select is((select link_lease_no from internal.lease_traces(test.worker(), :mail, :mail) where lease_no = 3), 1, 'but none that was given back');
select test.enqueue('test.spawns', jsonb_build_object('traceparent', :'a')) as parent \gset
select test.run(:parent);
select max(task_id) as child from queues.task \gset
select test.run(:child);
select results_eq(format('select link_task_id, link_lease_no from internal.lease_traces(test.worker(), %s, %s)', :child, :child), format('values (%s::bigint, 1)', :parent), 'a task names the run that enqueued it');

-- Waits, from the time at which the task was due.
select test.enqueue(_more => jsonb_build_object('traceparent', :'a'), _at => now() + interval '1 hour') as later \gset
select test.lease(:later);
select ok((select waited < -3500 from internal.lease_traces(test.worker(), :later, :later)), 'a lease before its time has waited less than nothing');
select test.enqueue(_more => jsonb_build_object('traceparent', :'a'), _at => now() - interval '1 hour') as early \gset
select test.lease(:early);
select ok((select waited < 1800 from internal.lease_traces(test.worker(), :early, :early)), 'a task that is dated back waits from its enqueue');
select test.enqueue(_more => jsonb_build_object('traceparent', :'a')) as moved \gset
select queues.reschedule_task(:moved, now() + interval '2 hours');
select test.lease(:moved);
select ok((select waited < -7000 from internal.lease_traces(test.worker(), :moved, :moved)), 'a task that was moved waits from its new time');
select worker.enqueue('tree', jsonb_build_object('traceparent', :'a', 'children', '[{}]'::jsonb)) as tree \gset
select test.run_command(:tree);
select test.run_command((test.children(:tree))[1]);
select test.lease(:tree);
select ok((select waited is null or waited < 1800 from internal.lease_traces(test.worker(), :tree, :tree) where lease_no = 2), 'a parent waited for its children');
select * from finish();
rollback;
