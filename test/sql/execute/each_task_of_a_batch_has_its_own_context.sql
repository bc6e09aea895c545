-- A run that raises must not see the context of the one before it.
begin;
select plan(2);
select test.enqueue('test.spawns') as first \gset
select test.enqueue('test.raises', '{"error_handler": "test.error"}') as second \gset
select test.lease(:first), test.lease(:second);
do $$
begin
    for _i in 1 .. 10 loop
        perform queues.execute_batch(test.worker(), (select array_agg(task_id order by task_id) from queues.running),
                                     (select array_agg(lease_no) from queues.running));
        exit when not exists (select 1 from queues.running);
    end loop;
end
$$;
select is((select (detail->>'task')::bigint from test.effect where what = 'error'), :second::bigint, 'the error handler runs under its own task');
select is(coalesce(current_setting('reeve.task_id', true), ''), '', 'and what follows in the transaction under none');
select * from finish();
rollback;
