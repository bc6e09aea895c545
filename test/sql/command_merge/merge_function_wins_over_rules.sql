begin;
select plan(6);
set local client_min_messages = error;
select worker.register_command('x', 'test.plain', 'default', p_dedup_keys => '{}', p_merge_rules => '{"notes": "keep"}', p_merge_function => 'test.merge_notes');
select worker.enqueue('x', '{"notes": "a"}') as id \gset
select worker.enqueue('x', '{"notes": "b"}'), worker.enqueue('x', '{"notes": "c"}');
select is((select merges from worker.tasks where id = :id), '[{"notes": "b"}, {"notes": "c"}]', 'shown in the order in which they came');
select is(test.run_command(:id), 'succeeded', 'it runs');
select is(test.calls('plain'), array['{"notes": "abc"}']::jsonb[], 'with what the function made');
select is((select current_user::text), session_user::text, 'under nobody else''s name afterwards');
create or replace function test.merge_notes(_old jsonb, _new jsonb) returns jsonb language sql as $$ select jsonb_build_object('notes', current_user) $$;
select worker.enqueue('x') as id, worker.enqueue('x') \gset
select is(test.run_command(:id), 'succeeded', 'it runs');
select is((test.calls('plain'))[2]->>'notes', 'queues_runner', 'the function has no more rights than the runner');
select * from finish();
rollback;
