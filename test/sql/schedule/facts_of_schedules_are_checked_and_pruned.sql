begin;
select plan(8);
select queues.set_test_clock('2030-01-01 00:00:30+00');
select queues.schedule('a', '* * * * *', 'noop', _zone => 'UTC', _overlap => 'allow');
select test.fire_at('2030-01-01 00:01+00'), test.fire_at('2030-01-01 00:02+00'), test.fire_at('2030-01-01 00:03+00');
select is(test.violations(), '', 'all agrees');
savepoint damage;
select test.unguard('queues.schedule_fire');
delete from queues.schedule_fire where first_slot = '2030-01-01 00:02+00';
select is(test.violations(), 'no_slot_without_an_account', 'a slot that was lost is found');
rollback to damage;
select test.unguard('queues.schedule_fire');
insert into queues.schedule_fire (schedule_id, schedule_name, decision, first_slot, last_slot, slots, decided_at)
select schedule_id, 'a', 'missed', '2030-01-01 00:02+00', '2030-01-01 00:02+00', 1, now() from queues.schedule;
select is(test.violations(), 'slot_has_one_account', 'and one that was decided about twice');
rollback to damage;
delete from queues.schedule_due;
select is(test.violations(), 'schedule_has_its_working_row', 'and a schedule that nobody would look at');
rollback to damage;
select throws_ok($$insert into queues.schedule_fire (schedule_id, schedule_name, decision, first_slot, last_slot, decided_at, task_id)
                   select schedule_id, schedule_name, decision, first_slot, last_slot, decided_at, task_id from queues.schedule_fire limit 1$$, '23505', null,
                 'a slot cannot be fired twice');
select queues.set_test_clock('2030-06-01 00:00+00');
select queues.prune();
select is((select count(*) from queues.schedule_fire), 0::bigint, 'old decisions are removed');
select is((select count(*) from queues.schedule), 1::bigint, 'the schedule lives on');
select is(test.violations(), '', 'all agrees');
select * from finish();
rollback;
