begin;
select plan(4);
create temp table wait (crashes integer, seconds numeric);
select queues.enqueue('db_function', '{"db_function": "test.ok"}', _max_crashes => 1000) as id \gset
do $$
declare
    _id bigint := (select max(task_id) from queues.task);
begin
    for _n in 1 .. 10 loop
        perform test.lease(_id);
        perform test.expire(_id);
        perform test.take_back();
        insert into wait select _n, round(extract(epoch from e.retry_at - e.ended_at)::numeric, 3)
        from queues.task_lease_ended as e where e.task_id = _id and e.lease_no = _n;
    end loop;
end
$$;
select is((select array_agg(seconds order by crashes) from wait), array[0, 5, 10, 20, 40, 80, 160, 300, 300, 300]::numeric[], 'none, then 5 s doubled up to 5 minutes');
select is((select lease_no from queues.ready where task_id = :id), 10, 'lease numbers go on');
select is((select crash_count from queues.ready where task_id = :id)::integer, 10, 'deaths are counted');
select ok((select available_at from queues.ready where task_id = :id) > now() + interval '4 minutes', 'and it waits');
select * from finish();
rollback;
