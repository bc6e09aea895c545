begin;
select plan(17);
create function pg_temp.fires(_expression text, _count integer, _zone text default 'UTC', _from timestamptz default '2030-01-01 00:00+00')
    returns text language sql as $$
    select string_agg(to_char(f.scheduled_for at time zone 'UTC', 'MM-DD HH24:MI:SS'), ', ') from queues.next_fires($1, $2, $3, $4) as f
$$;
select is(pg_temp.fires('30 2 * * *', 2), '01-01 02:30:00, 01-02 02:30:00', 'minute and hour');
select is(pg_temp.fires('*/20 10-11 * * *', 7), '01-01 10:00:00, 01-01 10:20:00, 01-01 10:40:00, 01-01 11:00:00, 01-01 11:20:00, 01-01 11:40:00, 01-02 10:00:00', 'steps and ranges');
select is(pg_temp.fires('*/15 5 0 * * *', 5), '01-01 00:05:00, 01-01 00:05:15, 01-01 00:05:30, 01-01 00:05:45, 01-02 00:05:00', 'a sixth field comes first: seconds');
select is(pg_temp.fires('0 0 L * *', 3), '01-31 00:00:00, 02-28 00:00:00, 03-31 00:00:00', 'the last day of the month');
select is(pg_temp.fires('0 0 * * MON#2', 2), '01-14 00:00:00, 02-11 00:00:00', 'the second Monday');
select is(pg_temp.fires('0 0 13 * FRI', 5), '01-04 00:00:00, 01-11 00:00:00, 01-13 00:00:00, 01-18 00:00:00, 01-25 00:00:00', 'both days restricted: either');
select is(pg_temp.fires('0 0 */13 * FRI', 2), '02-01 00:00:00, 03-01 00:00:00', 'a star with a step is no restriction: both, as cron has it');
select is(pg_temp.fires('0 0 * * 7', 2), pg_temp.fires('0 0 * * SUN', 2), 'Sunday is 0 and 7');
select is(pg_temp.fires('0 0 * * FRI-SUN', 4), '01-04 00:00:00, 01-05 00:00:00, 01-06 00:00:00, 01-11 00:00:00', 'a week may end with Sunday');
select is(pg_temp.fires('0 0 1 jan,Jul *', 2), '07-01 00:00:00, 01-01 00:00:00', 'names in any case, lists');
select is(pg_temp.fires('@hourly', 2), '01-01 01:00:00, 01-01 02:00:00', '@hourly');
select is(pg_temp.fires('@yearly', 1), '01-01 00:00:00', '@yearly');
select is(pg_temp.fires('@weekly', 1), '01-06 00:00:00', '@weekly');
select is(pg_temp.fires('0 0 29 2 *', 1), '02-29 00:00:00', 'a leap day is found');
select is(pg_temp.fires('every 90 seconds', 3), '01-01 00:01:30, 01-01 00:03:00, 01-01 00:04:30', 'an interval');
select is(pg_temp.fires('0 9 * * *', 1, 'Asia/Kathmandu'), '01-01 03:15:00', 'a zone');
select is((select array_agg(queues.describe_schedule(e, 'Europe/Oslo')) from unnest(array['30 2 * * MON-FRI', '*/15 * * * *', '0 6 L * *', '0 6 * * MON#2', '0 6 13 * FRI', 'every 90 seconds']) as e),
          array['at 02:30 on weekdays, Europe/Oslo', 'every 15 minutes, Europe/Oslo', 'at 06:00 on the last day of the month, Europe/Oslo',
                'at 06:00 on the second Monday of the month, Europe/Oslo', 'at 06:00 on day 13 of the month or on Friday, Europe/Oslo', 'every 90 seconds'],
          'plain words');
select * from finish();
rollback;
