begin;
select plan(7);
set local client_min_messages = error;
create function test.merge_asserts(_old jsonb, _new jsonb) returns jsonb language plpgsql as $$
begin
    assert false, 'merge function was called';
    return _old;
end $$;
select worker.register_command('x', 'test.plain', 'default', p_dedup_keys => '{}', p_merge_function => 'test.merge_asserts');
select queues.set_test_clock('2030-01-01 00:00:00+00');
select worker.enqueue('x', '{"by": "somebody"}') as waiting \gset
select queues.schedule('merging', '* * * * * *', _command => 'x', _zone => 'UTC', _overlap => 'allow');
select queues.schedule('good', '* * * * * *', 'noop', _zone => 'UTC', _overlap => 'allow');
select is(test.fire_at('2030-01-01 00:00:01+00'), 2, 'both schedules are decided about');
select is(test.fires('merging'), 'on_time 00:00:01', 'the slot is fired');
select isnt(test.fired('merging'), :waiting::bigint, 'with a task of its own');
select is((select count(*) from queues.merging), 0::bigint, 'nothing is merged');
select is(test.fires('good'), 'on_time 00:00:01', 'and no other schedule suffers');
-- Whoever sets the setting by hand is no schedule.
select set_config('reeve.acting', session_user, true);
select throws_ok($$select worker.enqueue('x', '{}')$$, 'P0004', 'merge function was called', 'an enqueue by hand calls the function');
select set_config('reeve.acting', '', true);
select is(test.violations(), '', 'all agrees');
select * from finish();
rollback;
