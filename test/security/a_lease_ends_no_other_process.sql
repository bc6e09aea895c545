-- The login of the worker has leased a task.  With it, it can neither end a process that is not the one of this task, nor write a run
-- into its history.
begin;
select plan(4);
select test.process(1, 'again') as run, test.enqueue() as plain \gset
select test.process_id(1) as process, test.worker() as worker, test.lease(:plain) as lease \gset
create function pg_temp.forge(_task bigint, _lease integer, _process bigint) returns text language sql as $$
    select test.sqlstate_as('worker_service_user', format('select internal.end_execute(%L, ''{}'', ''{}'', ''{}'', array[row(%s, %s, ''succeeded'', ''succeeded'', null, null, null, null, null, null, %s, ''{"forged": true}'', 0, false, null, null)::internal.run_end])',
        test.worker(), _task, _lease, _process)) $$;
select is(pg_temp.forge(:plain, :lease, :process), '42501', 'a task that is no run of the process');
select is((select count(*) from queues.process_run where process_id = :process), 0::bigint, 'it wrote no run');
select is((select count(*) from queues.process_ended where process_id = :process), 0::bigint, 'and no end');
select is(test.place(:plain), 'running', 'its own task is as before');
select * from finish();
rollback;
