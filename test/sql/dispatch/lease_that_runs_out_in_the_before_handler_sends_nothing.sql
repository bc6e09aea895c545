begin;
select plan(3);
create function test.slow_before(_payload jsonb) returns jsonb language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
begin
    perform test.expire(queues.current_task_id());
    return test.before(_payload);
end
$$;
select internal.allow_function('test.slow_before', 'before');
select test.enqueue_email('{"before_handler": "test.slow_before"}') as id, test.enqueue_email('{"before_handler": "test.slow_before"}') as other \gset
select test.lease(:id), test.lease(:other);
select throws_ok(format('select * from queues.begin_dispatch(test.worker(), %s, 1)', :id), 'QU002', null, 'alone');
select is((select decision from queues.begin_dispatch_batch(test.worker(), array[:other]::bigint[], array[1])), 'expired', 'in a batch');
select is((select count(*) from queues.task_dispatched where task_id in (:id, :other)), 0::bigint, 'nothing is announced');
select * from finish();
rollback;
