-- Counts of open work: those of the view, exact as of a moment, kept for others if they were costly.
begin;
select plan(14);
select queues.create_queue('other', 3);
select queues.enqueue('noop', '{}') from generate_series(1, 3);
select queues.enqueue('noop', '{}', now() + interval '1 hour', _queue => 'other');
select queues.claim(test.worker(), null, null, 1, '1 hour');
select is_empty($$
    select c.* from jsonb_to_recordset(queues.open_counts()->'queues') as c(queue text, ready bigint, scheduled bigint, running bigint, handler_pending bigint, waiting bigint,
        oldest_ready timestamptz, paused boolean, max_running integer, top_level_limit integer)
    except select s.queue, s.ready, s.scheduled, s.running, s.handler_pending, s.waiting, s.oldest_ready, s.paused, s.max_running, s.top_level_limit from queues.queue_state as s$$, 'as in queues.queue_state');
select is(jsonb_array_length(queues.open_counts()->'queues'), (select count(*)::integer from queues.queue), 'every queue has a row');
select is(queues.open_counts()->'totals', '{"ready": 2, "scheduled": 1, "running": 1, "handler_pending": 0, "waiting": 0}', 'in all');
select is((select count(*) from internal.kept_count), 0::bigint, 'counts that cost nothing are not kept');
select queues.pause_queue('other', '1 hour'), queues.pause_queue('default');
select is((select array_agg((r->'paused')::text || coalesce(r->>'paused_until' > '', false) order by r->>'queue') from jsonb_array_elements(queues.open_counts()->'queues') as r
    where r->>'queue' in ('default', 'other')), array['truefalse', 'truetrue'], 'pauses, with their end');
-- Costly counts that were kept a moment ago.
insert into internal.kept_count (counted_at, took, counts) values (clock_timestamp(), '1 second', '{"other": {"ready": 7}}');
select is((queues.open_counts()->'totals'->>'ready')::integer, 7, 'are shown to others');
select ok((queues.open_counts()->>'age_s')::numeric > 0, 'with their age');
select is(queues.open_counts()->>'as_of', (select to_jsonb(k.counted_at)#>>'{}' from internal.kept_count as k), 'and their time');
select queues.resume_queue('other');
select is((select r->'paused' from jsonb_array_elements(queues.open_counts()->'queues') as r where r->>'queue' = 'other'), 'false', 'a pause that ends is seen at once');
update internal.kept_count set counted_at = clock_timestamp() - interval '11 seconds';
select is((queues.open_counts()->'totals'->>'ready')::integer, 2, 'counts of eleven seconds ago are made anew');
update internal.kept_count set counted_at = clock_timestamp() - interval '1 second', took = '20 milliseconds';
select is((queues.open_counts()->'totals'->>'ready')::integer, 2, 'cheap ones sooner');
update internal.kept_count set counted_at = clock_timestamp() + interval '1 hour', took = '1 hour';
select is((queues.open_counts()->'totals'->>'ready')::integer, 2, 'those of a future that a clock took back, too');
-- Where nothing may be written.
set local transaction_read_only = on;
select is((queues.open_counts()->'totals'->>'ready')::integer, 2, 'a read-only transaction has its answer');
select is(jsonb_array_length(queues.list_tasks()->'rows') + jsonb_array_length(queues.list_processes()->'rows') + jsonb_array_length(pgqueue.list_jobs()->'rows'), 4, 'and its lists');
select * from finish();
rollback;
