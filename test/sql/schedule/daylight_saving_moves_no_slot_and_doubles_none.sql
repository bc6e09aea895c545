-- Oslo: 2030-03-31 01:00 UTC the clock goes from 02:00 to 03:00; 2030-10-27 01:00 UTC from 03:00 back to 02:00.
begin;
select plan(11);
create function pg_temp.fires(_expression text, _count integer, _from timestamptz, _zone text default 'Europe/Oslo') returns text language sql as $$
    select string_agg(to_char(f.scheduled_for at time zone 'UTC', 'MM-DD HH24:MI'), ', ') from queues.next_fires($1, $2, $4, $3) as f
$$;
select is(pg_temp.fires('30 2 * * *', 3, '2030-03-30 00:00+00'), '03-30 01:30, 03-31 01:00, 04-01 00:30', 'a fixed hour in the gap fires at its end, not at 03:30');
select is(pg_temp.fires('*/15 2 * * *', 5, '2030-03-30 01:40+00'), '03-30 01:45, 03-31 01:00, 04-01 00:00, 04-01 00:15, 04-01 00:30', 'slots that fall on the same instant are one');
select is(pg_temp.fires('0 2,3 * * *', 3, '2030-03-31 00:00+00'), '03-31 01:00, 04-01 00:00, 04-01 01:00', 'also with a slot at the end of the gap');
select is(pg_temp.fires('30 2 * * *', 3, '2030-10-26 00:00+00'), '10-26 00:30, 10-27 00:30, 10-28 01:30', 'an hour that comes twice: the first time');
select is(pg_temp.fires('30 2 * * *', 1, '2030-10-27 01:10+00'), '10-28 01:30', 'in the second copy, it has been');
select is(pg_temp.fires('30 * * * *', 4, '2030-10-26 23:00+00'), '10-26 23:30, 10-27 00:30, 10-27 01:30, 10-27 02:30', 'a star follows real time, in both copies');
select is(pg_temp.fires('0 */2 * * *', 4, '2030-10-26 21:00+00'), '10-26 22:00, 10-27 00:00, 10-27 01:00, 10-27 03:00', 'and so does a step');
select is(pg_temp.fires('0 * * * *', 3, '2030-03-30 23:30+00'), '03-31 00:00, 03-31 01:00, 03-31 02:00', 'in the gap there is nothing to follow');
select is(pg_temp.fires('every 1 day', 3, '2030-03-30 12:00+00'), '03-31 12:00, 04-01 12:00, 04-02 12:00', 'an interval is real time');
select is(pg_temp.fires('10 2 * * *', 2, '2030-10-05 00:00+00', 'Australia/Lord_Howe'), '10-05 15:30, 10-06 15:10', 'a gap of half an hour');
select is(pg_temp.fires('0 12 * * *', 2, '2011-12-29 12:00+00', 'Pacific/Apia'), '12-29 22:00, 12-30 10:00', 'a day that was left out');
select * from finish();
rollback;
