-- A minute is written once, when nobody can add to it; writing it again changes nothing.
begin;
select plan(18);
create function pg_temp.total(_what text) returns numeric language plpgsql
as $$
declare
    _n numeric;
begin
    execute format('select coalesce(sum(%I), 0) from queues.throughput', _what) into _n;
    return _n;
end
$$;
-- As if the minutes up to then were over.
create function pg_temp.roll_up_until(_at timestamptz) returns bigint language plpgsql
as $$
begin
    update internal.roll_up_state set rolled_until = date_trunc('minute', now()) - interval '1 minute',
        mark_at = date_trunc('minute', _at), mark_xmax = '3', mark_open = '{}';
    return internal.roll_up();
end
$$;
select test.run(test.enqueue()) from generate_series(1, 3);
select test.run(test.enqueue('test.raises'));
select test.enqueue() as waiting \gset
select test.enqueue() as cancelled \gset
select queues.cancel_task(:cancelled);
select is(pg_temp.roll_up_until(now()), 0::bigint, 'this minute is not over');
select is(pg_temp.roll_up_until(now() + interval '2 minutes'), (select count(distinct date_trunc('minute', c.completed_at))
    from queues.task_completed as c where c.lease_no is not null), 'a row for each minute, queue and type');
select is(pg_temp.total('succeeded'), 3::numeric, 'successes');
select is(pg_temp.total('failed'), 1::numeric, 'failures');
select is(pg_temp.total('other'), 1::numeric, 'other ends');
select is(pg_temp.total('started'), (select count(*)::numeric from queues.task_lease), 'every lease is a start');
select is(pg_temp.total('waits'), (select count(*)::numeric from queues.task_lease where lease_no = 1), 'first leases have a wait');
select is(pg_temp.total('runs'), (select count(started_at)::numeric from queues.task_completed), 'runs that ended');
select pg_temp.roll_up_until(now() + interval '2 minutes');
select is(pg_temp.total('succeeded') + pg_temp.total('started'), 3 + (select count(*)::numeric from queues.task_lease),
    'writing the same minutes again changes nothing');
update internal.roll_up_state set rolled_until = '2020-01-01', mark_at = '2020-01-02', mark_xmax = '3', mark_open = '{}';
select internal.roll_up(60);
select is((select rolled_until from internal.roll_up_state), '2020-01-01 01:00'::timestamptz, 'it proceeds in steps');
update internal.roll_up_state set rolled_until = now() - interval '1 hour', mark_at = now(), mark_xmax = '1000000000000', mark_open = '{}';
select is(internal.roll_up(), 0::bigint, 'a transaction of the mark is still open');
select is((select rolled_until from internal.roll_up_state), now() - interval '1 hour', 'so the position stays');
-- Old rows.
insert into queues.throughput (minute, queue, task_type, started, succeeded, failed, other, waits, wait_seconds, wait_seconds_max, runs, run_seconds,
    run_seconds_max)
select now() - age, 'old', 'noop', 1, 0, 0, 0, 0, 0, 0, 0, 0, 0 from unnest(array['399 days', '401 days']::interval[]) as age;
select pg_temp.roll_up_until(now() - interval '1 minute');
select is((select count(*) from queues.throughput where queue = 'old'), 2::bigint, 'a call without a minute to write removes nothing');
select pg_temp.roll_up_until(now() + interval '2 minutes');
select is((select array_agg(minute) from queues.throughput where queue = 'old'), array[now() - interval '399 days'], 'rows older than the retention are removed');
update internal.config set value = '"1 day"' where key = 'retention_throughput';
select pg_temp.roll_up_until(now() + interval '2 minutes');
select is((select count(*) from queues.throughput where queue = 'old'), 0::bigint, 'the setting says how old');
-- The clock of the server was set back by an hour: this hour has been written already, by the old clock.
delete from queues.throughput;
update internal.roll_up_state set rolled_until = date_trunc('minute', now()) + interval '1 hour', mark_at = now() + interval '1 hour', mark_xmax = '3', mark_open = '{}';
select internal.roll_up();
select is((select count(*) from queues.throughput), 0::bigint, 'minutes that were written before are not written again');
select is((select (rolled_until, mark_at < now() + interval '1 minute')::text from internal.roll_up_state),
    (date_trunc('minute', now()) + interval '1 hour', true)::text, 'the position stays, and the next mark is of the new clock');
update internal.roll_up_state set mark_at = date_trunc('minute', now()) + interval '90 minutes', mark_xmax = '3', mark_open = '{}';
select internal.roll_up();
select is((select rolled_until from internal.roll_up_state), date_trunc('minute', now()) + interval '90 minutes', 'it goes on when the clock is past it');
select * from finish();
rollback;
