begin;
select plan(6);
select is(internal.logged_line(E'boom: canary\nmore', '[{"text": "canary"}, null]'), 'boom: ...', 'a value of the payload is cut out');
create procedure test.tells_kind(payload jsonb) language plpgsql security definer set search_path = pg_catalog, pg_temp as
    $$ begin raise exception 'ids are %', payload->'ids'; end $$;
update worker.command_registry set handler_procedure = 'test.tells_kind' where command = 'merged';
select worker.enqueue('merged', '{"kind": "a", "ids": ["first"]}') as id \gset
select worker.enqueue('merged', '{"kind": "a", "ids": ["canary"]}');
select is(test.run_command(:id), 'failed', 'a command with a merge fails');
select unalike((select error from internal.ended_as(test.worker(), :id, 1)), '%canary%', 'a value that was merged in is cut out, too');
-- A batch has the payloads at hand.
create function test.tells_text(payload jsonb) returns jsonb language plpgsql security definer set search_path = pg_catalog, pg_temp as
    $$ begin raise exception 'text is %', payload->>'text'; end $$;
select internal.allow_function('test.tells_text');
select queues.enqueue('db_function', '{"db_function": "test.tells_text", "text": "canary"}') as one \gset
select queues.enqueue('db_function', '{"db_function": "test.ok"}') as two \gset
select test.lease(:one), test.lease(:two);
create temp table answer as select * from queues.execute_batch(test.worker(), array[:one, :two], array[1, 1]);
select results_eq(format('select outcome, name, line from answer where task_id = %s', :one),
                  $$values ('failed', 'test.tells_text', 'function test.tells_text failed: text is ...')$$, 'a failure in a batch names its function, without a value');
select results_eq(format('select outcome, name, line from answer where task_id = %s', :two), $$values ('succeeded', null::text, null::text)$$, 'a success has no line');
select is(internal.logged_line('a 1234 and 123456', '[{"n": [1234, 123456], "more": "123456"}, {"db_function": "1234"}]'), 'a ... and ...', 'longer values are cut out first');
select * from finish();
rollback;
