-- A merge function belongs to a user.  It gives a value; whoever enqueues, runs, retries, looks or repairs goes on in a
-- session that is as it was.
begin;
select tap.plan(17);
\ir evil.sql
create table evil.count (n integer);
insert into evil.count values (0);
grant all on evil.count to test_mallory;
create function evil.bump() returns void language sql security definer set search_path = pg_catalog as $$ update evil.count set n = n + 1 $$;
create function evil.merge(_old jsonb, _new jsonb) returns jsonb language plpgsql security definer as $$
begin
    perform evil.spoil();
    perform pg_catalog.set_config('reeve.task_id', '1', false);
    perform evil.bump();
    perform evil.took('called', 'merge');
    return pg_catalog.jsonb_build_object('n', pg_catalog.concat(_old operator(pg_catalog.->>) 'n', _new operator(pg_catalog.->>) 'n'));
end $$;
alter function evil.merge(jsonb, jsonb) owner to test_mallory;
set local client_min_messages = error;
select worker.register_command('m', 'test.plain', 'default', p_dedup_keys => '{}', p_merge_function => 'evil.merge');
set local role test_mallory;
select worker.enqueue('m', '{"n": "a"}') as id, worker.enqueue('m', '{"n": "b"}'), worker.enqueue('m', '{"n": "c"}') \gset
reset role;
select tap.is(test.loot(), '', 'enqueue: nobody was caught');
select tap.is(current_setting('search_path'), 'public, tap', 'enqueue: the session is as it was');
select tap.is((select payload from worker.tasks where id = :id), '{"n": "a", "command": "m"}', 'who looks sees the first payload');
select tap.is((select merges from worker.tasks where id = :id), '[{"n": "b"}, {"n": "c"}]', 'and beside it what was merged');
select tap.is((select n from evil.count), 0, 'what the function did is undone');
select tap.is(test.loot(), '', 'a view: nobody');
select tap.is(test.violations(), '', 'healthy');
select tap.is(test.loot(), '', 'check: nobody');
select tap.is(test.run_command(:id), 'succeeded', 'it runs');
select tap.is(test.calls('plain'), array['{"n": "abc"}']::jsonb[], 'with what the function made');
select tap.is(test.loot(), '', 'a run: nobody');
select tap.is(queues.retry_task(:id) > 0, true, 'it is done again');
select tap.is(test.loot(), '', 'a retry: nobody');
-- Repair folds, too.
select worker.enqueue('m', '{"n": "x"}');
select tap.ok(queues.rebuild_working_set() >= 0, 'a repair');
select tap.is(test.loot(), '', 'nobody');
select tap.is(current_setting('search_path'), 'public, tap', 'and the session is as it was');
-- A value may also be no value.
create or replace function evil.merge(_old jsonb, _new jsonb) returns jsonb language sql as $$ select null::jsonb $$;
select tap.throws_ok($$select worker.enqueue('m', '{"n": "y"}')$$, '22023', 'merge function must return a JSON object', 'nothing is not a value');
select * from tap.finish();
rollback;
