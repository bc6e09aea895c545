begin;
select plan(6);
select test.enqueue_email('{"on_success": "raise"}') as id \gset
select test.dispatch(:id);
create temp table answer (n integer, answer text, seconds numeric);
insert into answer select 1, queues.finish(test.worker(), :id, 1, 'succeeded', '{"id": "m1"}');
do $$
declare
    _id bigint := (select max(task_id) from queues.task);
    _lease integer;
begin
    for _n in 2 .. 5 loop
        _lease := test.lease(_id);
        insert into answer values (_n, queues.finish(test.worker(), _id, _lease, 'stored'));
    end loop;
end
$$;
select is((select array_agg(answer order by n) from answer), array['handler_failed', 'handler_failed', 'handler_failed', 'handler_failed', 'quarantined'], 'five times');
select is(test.outcome(:id), 'quarantined', 'quarantined');
select is((select result from queues.task_completed where task_id = :id), '{"id": "m1"}', 'with the result attached');
select is((select array_agg(round(extract(epoch from retry_at - ended_at)::numeric) order by lease_no) from queues.task_lease_ended where task_id = :id), array[5, 10, 20, 40, 0]::numeric[], 'waits doubled');
select is((select count(*) from queues.error where task_id = :id and sqlstate = 'QU001'), 1::bigint, 'an error fact says so');
select is(queues.finish(test.worker(), :id, 5, 'stored'), 'duplicate', 'said twice: a duplicate');
select * from finish();
rollback;
