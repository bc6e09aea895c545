-- slow: make check leaves this file out
begin;
select plan(12);
select queues.set_test_clock('2030-01-01 00:00+00');
select queues.schedule('once', '*/5 * * * *', 'noop', _zone => 'UTC');
select queues.schedule('skip', '*/5 * * * *', 'noop', _zone => 'UTC', _catch_up => 'skip');
select queues.schedule('all', '*/5 * * * *', 'noop', _zone => 'UTC', _catch_up => 'all');
select queues.schedule('window', '*/5 * * * *', 'noop', _zone => 'UTC', _catch_up => 'all', _catch_up_window => '10 minutes');
select queues.schedule('seconds', _every => '1 second', _task_type => 'noop', _catch_up => 'all', _overlap => 'allow', _zone => 'UTC');
select queues.schedule('year', '* * * * * *', 'noop', _zone => 'Europe/Oslo', _catch_up => 'skip', _catch_up_window => '1 minute');
-- All workers stop for an hour.
select test.fire_at('2030-01-01 01:02+00');
select is(test.fires('once'), 'missed 00:05:00 x11, late 01:00:00', 'once: the newest, and one row for the others');
select is(test.fires('skip'), null, 'skip: nothing');
select is((select d.skip_reason || ' ' || d.skip_slots from queues.schedule_due as d join queues.schedule as s using (schedule_id) where s.schedule_name = 'skip'),
          'missed 12', 'which is counted');
select is((select count(*) from queues.schedule_fire where schedule_name = 'all' and decision = 'late'), 12::bigint, 'all: all of them, though the first is open');
select is(test.fires('window'), 'expired 00:05:00 x10, late 00:55:00, late 01:00:00', 'only within the window');
select is((select count(*) from queues.schedule_fire where schedule_name = 'seconds'), 100::bigint, 'in bounded batches');
select queues.fire_due(1000) from generate_series(1, 40);
select is((select count(*) from queues.schedule_fire where schedule_name = 'seconds'), 3720::bigint, 'until all are there');
select is((select count(*) from queues.schedule_fire where schedule_name = 'seconds' and first_slot = '2030-01-01 00:00:01+00'), 1::bigint, 'each once');
select is((select t.payload->>'is_late' from queues.task as t where t.task_id = test.fired('once')), 'true', 'the work is told that it is late');
select test.fire_at('2030-01-01 01:05+00');
select is(test.fires('skip'), 'missed 00:05:00 x12, on_time 01:05:00', 'then all go on');
-- A year is no more than a row, and takes no step for each of its seconds.
select test.fire_at('2031-01-01 00:00+00');
select results_eq($$select d.skip_slots + (select coalesce(sum(f.slots), 0) from queues.schedule_fire as f where f.schedule_id = d.schedule_id)
                    from queues.schedule_due as d join queues.schedule as s using (schedule_id) where s.schedule_name = 'year'$$,
                  $$values (31536000::numeric)$$, 'every second of a year has its account');
select is(test.violations(), '', 'no slot is without one');
select * from finish();
rollback;
