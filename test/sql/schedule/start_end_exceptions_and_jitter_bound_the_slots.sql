begin;
select plan(14);
select queues.set_test_clock('2030-01-01 00:00+00');
select queues.schedule('bounded', '0 6 * * *', 'noop', _zone => 'Europe/Oslo', _starts_at => '2030-01-03', _ends_at => '2030-01-08', _except => '{2030-01-05}');
select is((select string_agg(to_char(local_time, 'DD HH24:MI'), ', ') from queues.next_fires('bounded', 10)), '03 06:00, 04 06:00, 06 06:00, 07 06:00', 'start, end and exceptions');
select is((select internal.count_slots(row(cron, every, anchor, zone, starts_at, ends_at, excluded)::internal.plan, '2029-01-01', '2031-01-01') from queues.schedule), 4::bigint, 'are counted, too');
select queues.schedule('every', _every => '40 minutes', _task_type => 'noop', _starts_at => '2030-01-01 10:00+00', _zone => 'UTC');
select is((select string_agg(to_char(local_time, 'HH24:MI'), ', ') from queues.next_fires('every', 3)), '10:00, 10:40, 11:20', 'an interval begins at its start');
select queues.schedule('every', _every => '40 minutes', _task_type => 'noop', _starts_at => '2030-01-01 10:00+00', _zone => 'UTC', _overlap => 'allow');
select is((select anchor from queues.schedule where schedule_name = 'every'), timestamptz '2030-01-01 10:00+00', 'and keeps it');
select throws_ok($$select queues.schedule('x', '@daily', 'noop', _ends_at => '2030-01-01 00:00:01+00')$$, '22023', 'schedule "x" has no slot between now and its end, or none in 50 years', 'a plan without a slot');
select throws_ok($$select queues.schedule('x', '0 6 1 6 *', 'noop', _except => (select array_agg(make_date(y, 6, 1)) from generate_series(2030, 2100) as y))$$, '22023', null,
                 'a plan whose exceptions go on for longer than 50 years: it would cost every worker the search');
select throws_ok($$select queues.schedule('x', '* * * * *', 'noop', _jitter => '2 minutes')$$, '22023', null, 'jitter that reaches into the next slot');
select queues.schedule('stable', '0 * * * *', 'noop', _zone => 'UTC', _jitter => '10 minutes');
select queues.schedule('random', '0 * * * *', 'noop', _zone => 'UTC', _random_jitter => '10 minutes');
select is((select fire_at between '2030-01-01 01:00+00' and '2030-01-01 01:10+00' from queues.schedule_due join queues.schedule using (schedule_id) where schedule_name = 'stable'), true, 'jitter is late, never early');
select is((select fire_at between '2030-01-01 01:00+00' and '2030-01-01 01:10+00' from queues.schedule_due join queues.schedule using (schedule_id) where schedule_name = 'random'), true, 'also at random');
select fire_at as first from queues.schedule_due join queues.schedule using (schedule_id) where schedule_name = 'stable' \gset
select test.fire_at(:'first');
select is((select fire_at - :'first'::timestamptz from queues.schedule_due join queues.schedule using (schedule_id) where schedule_name = 'stable'), interval '1 hour', 'a stable offset is the same each time');
select is(test.fires('stable'), 'on_time 01:00:00', 'the slot is that of the plan');
select test.fire_at('2030-01-09 00:00+00');
select is((select state from queues.schedule_state where schedule_name = 'bounded'), 'ended', 'after its end a schedule has ended');
select is((select count(distinct scheduled_for) from queues.next_fires('every 1.1 seconds', 1000)), 1000::bigint, 'an interval that is no whole number goes on');
select is((select internal.count_slots(row(null, '1.1 seconds', '2030-01-01', 'UTC', null, null, null)::internal.plan, '2030-01-01 00:00:03.3+00', '2030-01-01 00:00:06.6+00')), 3::bigint, 'and is counted');
select * from finish();
rollback;
