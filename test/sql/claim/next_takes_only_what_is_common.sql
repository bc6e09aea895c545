begin;
select plan(15);
select internal.this_holder(test.worker());
create function pg_temp.next(_queue text default 'default', _priority bigint default 0, _after timestamptz default '-infinity',
        _types text[] default '{db_function}') returns bigint language sql as $$
    select task_id from queues.claim_next(test.worker(), _queue, _priority, _after, _types, '60 seconds', 't') $$;

select test.enqueue() as id \gset
select is(pg_temp.next(_priority => 1), null, 'not another priority');
select is(pg_temp.next(_queue => 'http'), null, 'nor another queue');
select is(pg_temp.next(_queue => 'nowhere'), null, 'nor one that does not exist');
select is(pg_temp.next(_types => '{noop}'), null, 'nor types that were not named');
select is(pg_temp.next(_after => now()), null, 'nor what is not behind the time');
select queues.pause_queue('default');
select is(pg_temp.next(), null, 'nor from a queue that is paused');
select queues.resume_queue('default');
update queues.queue set max_running = 5 where queue = 'default';
select is(pg_temp.next(), null, 'or has a limit');
update queues.queue set max_running = null, top_level_limit = 5 where queue = 'default';
select is(pg_temp.next(), null, 'of either kind');
update queues.queue set top_level_limit = null where queue = 'default';
update queues.ready set crash_count = 1 where task_id = :id;
select is(pg_temp.next(), null, 'nor what was abandoned before');
update queues.ready set crash_count = null, phase = 'h' where task_id = :id;
select is(pg_temp.next(), null, 'nor what waits for its handler');
update queues.ready set phase = null, available_at = now() + interval '1 hour' where task_id = :id;
select is(pg_temp.next(), null, 'nor what is for later');
update queues.ready set available_at = now() where task_id = :id;
select queues.enqueue('noop', '{}', now() - interval '1 minute') as noop \gset
select is(pg_temp.next(_types => '{db_function,noop}'), :id, 'functions are found behind other types');
select is(test.place(:noop), 'ready', 'which stay');
select throws_ok($$select queues.claim_next(test.worker(), 'default', 0, '-infinity', '{db_function}', '0.5 s', 't')$$, '22023', null,
                 'lease below a second');
select throws_ok($$select queues.claim_next(test.worker(), 'default', 0, '-infinity', '{db_function}', null, 't')$$, '22023', null,
                 'no lease');
select * from finish();
rollback;
