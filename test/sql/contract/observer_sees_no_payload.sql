begin;
select plan(4);
select queues.enqueue('http', '{"secret": "s3cret"}') as id \gset
grant queues_observer to queues_enqueuer;
create function pg_temp.payload_as(_role name) returns text language plpgsql as $$
declare
    _payload text;
begin
    perform set_config('role', _role, true);
    _payload := (select coalesce(max(s.payload::text), 'masked') from queues.task_state as s);
    perform set_config('role', 'none', true);
    return _payload;
end $$;
select is(pg_temp.payload_as('queues_observer'), 'masked', 'an observer');
select is(pg_temp.payload_as('queues_operator'), '{"secret": "s3cret"}', 'an operator');
select is(test.sqlstate_as('queues_observer', 'select * from queues.task'), '42501', 'nor by the table');
select is(test.sqlstate_as('queues_observer', format('select queues.task_result(%s)', :id)), '42501', 'nor the result');
select * from finish();
rollback;
