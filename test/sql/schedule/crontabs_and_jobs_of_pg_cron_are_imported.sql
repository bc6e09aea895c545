begin;
select plan(8);
select queues.set_test_clock('2030-01-01 00:00+00');
create temp table answer as select * from queues.import_schedules(E'# comment\nMAILTO=root\nCRON_TZ=Europe/Oslo\n# name: nightly\n30 2 * * 1-5 psql -c "select test.ok()"\n@daily /usr/bin/backup --all\n61 * * * * psql -c "select test.ok()"\n* * * * *\n', _is_dry_run => true);
select is((select string_agg(line || ' ' || schedule_name || ' ' || coalesce(words, '-'), '; ' order by line) from answer),
          '5 nightly at 02:30 on weekdays, Europe/Oslo; 6 crontab-6 -; 7 crontab-7 -; 8 crontab-8 -', 'each line is answered');
select alike((select problem from answer where line = 7), 'minute "61"%', 'a bad line has its reason');
select is((select count(*) from queues.schedule), 0::bigint, 'a dry run makes nothing');
select queues.import_schedules(E'@daily /usr/bin/backup --all', 'test.ok', 'UTC', false);
select is((select payload from queues.schedule), '{"db_function": "test.ok", "command_line": "/usr/bin/backup --all"}', 'other commands become the payload of a function');
create schema cron;
create table cron.job (jobid bigint, schedule text, command text, database text, active boolean, jobname text);
insert into cron.job values (1, '30 seconds', 'select test.ok()', current_database(), true, 'often'), (2, '0 0 $ * *', 'CALL test.ok();', current_database(), false, null),
    (3, '@daily', 'vacuum', current_database(), true, 'vacuum'), (4, '@daily', 'select test.ok()', 'other', true, 'elsewhere');
create temp table jobs as select * from queues.import_schedules(null, _is_dry_run => false);
select is((select string_agg(schedule_name || ' ' || coalesce(words, 'no'), '; ' order by line) from jobs), 'often every 30 seconds; pg_cron-2 at 00:00 on the last day of the month, GMT; vacuum no', 'jobs of pg_cron');
select is((select string_agg(schedule_name || ' ' || state, ', ' order by schedule_name) from queues.schedule_state where schedule_name <> 'crontab-1'), 'often waiting, pg_cron-2 paused', 'one that is not active is paused');
select isnt((select problem from jobs where line = 3), null, 'a line that calls no registered function is not imported');
select is(test.violations(), '', 'all agrees');
select * from finish();
rollback;
