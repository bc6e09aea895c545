begin;
select plan(1);
create function test.plain_json(_payload jsonb) returns json language sql as $$ select '{"status": "succeeded"}'::json $$;
select internal.allow_function('test.plain_json');
select is(test.run(test.enqueue('test.plain_json')), 'succeeded', 'a task may return json');
select * from finish();
rollback;
