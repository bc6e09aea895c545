begin;
select plan(12);
select is((select array_agg(queues.backoff(5, f)) from generate_series(0, 3) as f), array['5 s', '10 s', '20 s', '40 s']::interval[], 'base 5');
select is(queues.backoff(10, 1000000), interval '1 hour', 'capped');
select is(queues.backoff(10, 3, '30 seconds'), interval '30 seconds', 'by its own cap');
select is(queues.backoff(10, null), interval '10 seconds', 'null is no failure');
select is(queues.backoff(10, -5), interval '10 seconds', 'nor is a negative number');
select is(queues.backoff('NaN', 1), interval '0', 'NaN');
select is(queues.backoff(null, 1), interval '0', 'null base');
select ok(queues.backoff(1e30, 2147483647, '100000 years') is not null, 'huge numbers');
-- A hundred waits: all of them on one side would be chance once in 2^99.
create temp table waits as select queues.backoff(10, 0, '1 hour', 0.5) as wait from generate_series(1, 100);
select ok(bool_and(wait between interval '7.5 s' and interval '12.5 s'), 'jitter') from waits;
select ok(bool_or(wait < interval '10 s'), 'some wait shorter') from waits;
select ok(bool_or(wait > interval '10 s'), 'some wait longer') from waits;
select internal.set_config('backoff_jitter', '1');
select ok(queues.backoff(10, 0) between interval '5 s' and interval '15 s', 'jitter by setting');
select * from finish();
rollback;
