begin;
select plan(33);
set local client_min_messages = error;
select internal.allow_function('test.raises'), internal.allow_function('test.ok');
select queues.create_queue('other');
create function pg_temp.counted(_filter text) returns bigint language plpgsql as $$
declare _n bigint;
begin
    execute format('select counted from queues.preview_bulk(%s)', _filter) into _n;
    return _n;
end $$;
select test.run(test.enqueue('test.raises')) from generate_series(1, 3);
select test.run(test.enqueue('test.raises', _queue => 'other'));
select test.run(test.enqueue('test.ok')) from generate_series(1, 2);
select queues.cancel_task(test.enqueue('test.ok'));
select test.run_command(worker.enqueue('act', '{"raise": "22012"}'));
select is(pg_temp.counted(f), n::bigint, f) from (values
    ($$'task_retry', _all => true$$, 5), ($$'task_retry', 'failed'$$, 5), ($$'task_retry', 'succeeded'$$, 2), ($$'task_retry', 'cancelled'$$, 1),
    ($$'task_retry', _type => 'db_function'$$, 4), ($$'task_retry', _type => 'command'$$, 1), ($$'task_retry', _type => 'none'$$, 0), ($$'task_retry', _queue => 'other'$$, 1),
    ($$'task_retry', _error_like => '%boom'$$, 4), ($$'task_retry', _error_like => '%act boom%'$$, 1), ($$'task_retry', _error_like => 'boom'$$, 0),
    ($$'task_retry', _since => now() - interval '1 hour'$$, 5), ($$'task_retry', _since => now() + interval '1 hour'$$, 0), ($$'task_retry', _until => now() - interval '1 hour'$$, 0),
    ($$'task_retry', 'failed', 'db_function', 'other', _error_like => '%boom%'$$, 1)) as x(f, n);
-- Open tasks.
select test.enqueue('test.ok') from generate_series(1, 2);
select test.enqueue('test.ok', _at => now() + interval '1 hour', _queue => 'other');
select test.lease(test.enqueue('test.ok'));
select is(pg_temp.counted(f), n::bigint, f) from (values
    ($$'task_cancel', _all => true$$, 4), ($$'task_cancel', _state => 'ready'$$, 2), ($$'task_cancel', _state => 'scheduled'$$, 1), ($$'task_cancel', _state => 'running'$$, 1),
    ($$'task_cancel', _queue => 'other'$$, 1), ($$'task_cancel', _type => 'command'$$, 0), ($$'task_cancel', _since => now() + interval '1 hour'$$, 0)) as x(f, n);
-- What has no meaning, and what would be all.
select throws_ok(format('select * from queues.preview_bulk(%s)', f), s, m, f) from (values
    ($$'task_retry'$$, '22023', 'task_retry has no filter'), ($$'task_burn', _all => true$$, '22023', null), ($$null$$, '22023', null),
    ($$'task_retry', 'bogus'$$, '22023', '"bogus" is not one of failed, cancelled, quarantined, in_doubt, succeeded, non_success, superseded'),
    ($$'task_cancel', _state => 'completed'$$, '22023', null), ($$'task_cancel', 'failed'$$, '22023', 'outcome has no meaning for task_cancel'),
    ($$'task_retry', _url => 'https://x'$$, '22023', null), ($$'task_retry', _queue => 'none'$$, '23503', null),
    ($$'task_retry', _since => 'infinity'$$, '22008', null), ($$'task_retry', 'failed', _ids => '{1}'$$, '22023', 'ids and a filter exclude each other'),
    ($$'task_retry', _all => true, _scan => 0$$, '22023', null)) as x(f, s, m);
select * from finish();
rollback;
