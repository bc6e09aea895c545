begin;
select plan(3);
select queues.set_retry_policy('function', 'test.raises', 5), queues.set_retry_policy('type', 'db_function', 5);
create function test.starts_two(_payload jsonb) returns jsonb language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$ begin
    perform queues.enqueue('db_function', '{"db_function": "test.raises", "named": false}'), queues.enqueue('db_function', '{"db_function": "test.raises", "named": true}', _max_attempts => 2);
    return '{"status": "succeeded"}';
end $$;
select internal.allow_function('test.starts_two', 'supervisor', _process_keys => array['id']);
select test.run(test.enqueue('test.starts_two', '{"id": 1}'));
select test.run(r.task_id) from queues.ready as r where r.process_id is not null;
select is((select count(*) from queues.task as t where t.retry_of is not null and t.payload->>'named' = 'false'), 0::bigint, 'a default does not hold behind the supervisor''s back');
select is((select count(*) from queues.task as t where t.retry_of is not null and t.payload->>'named' = 'true'), 1::bigint, 'a policy that is named holds');
select test.run(test.process(7, 'raise'));
select is((select count(*) from queues.task as t join queues.task_attempt as a using (task_id) where t.is_supervisor_run), 0::bigint, 'a supervisor itself is never retried');
select * from finish();
rollback;
