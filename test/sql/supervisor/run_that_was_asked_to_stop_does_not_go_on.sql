begin;
select plan(4);
select test.process(1, 'again') as id \gset
select test.lease(:id);
-- The request comes while the run is under way: after its fence has been passed.
create function pg_temp.run_and_cancel(_id bigint) returns text language plpgsql as $$
declare
    _end internal.run_end;
begin
    perform internal.begin_execute(test.worker(), array[_id], array[1]);
    perform queues.enqueue('db_function', (select t.payload from queues.task as t where t.task_id = _id), now() + interval '1 hour');
    perform queues.end_process(test.process_id(1), 'enough');
    insert into queues.task_cancel_requested (task_id, requested_at, requested_by, reason) values (_id, now(), 'me', 'enough') on conflict do nothing;
    _end.task_id := _id; _end.lease_no := 1; _end.outcome := 'non_success'; _end.status := 'scheduled';
    _end.process_id := test.process_id(1); _end.has_raised := false;
    perform internal.end_execute(test.worker(), '{}', '{}', '{}', array[_end]);
    return test.status(_id);
end $$;
select is(pg_temp.run_and_cancel(:id), 'scheduled', 'what the run did stands');
select is(test.open_ticks(test.process_id(1)), 0::bigint, 'but it has no next run');
select is((select end_reason from queues.process_state where process_id = test.process_id(1)), 'cancelled', 'and the process has ended');
select is(test.violations(), '', 'in good order');
select * from finish();
rollback;
