-- New rules of a zone are played by a change of the stored zone, which no function makes: the next decision finds another plan.
begin;
select plan(9);
select queues.set_test_clock('2030-01-01 00:00:00+00');
select queues.schedule(n, '30 2 * * *', 'noop', _zone => 'Europe/Oslo', _overlap => 'allow', _catch_up => c)
from (values ('later', 'all'), ('earlier', 'all'), ('skipping', 'skip')) as v(n, c);
select test.fire_at('2030-01-01 01:30+00');
select test.fire_at('2030-01-02 01:30+00');
select is(test.fires('later'), 'on_time 01:30:00, on_time 01:30:00', 'two days by the old rules');
-- The country moves an hour to the west, or to the east.
update queues.schedule set zone = 'Europe/London' where schedule_name in ('later', 'skipping');
update queues.schedule set zone = 'Europe/Helsinki' where schedule_name = 'earlier';
-- The rules are read at the next decision, whose time was computed by the old ones.
select test.fire_at('2030-01-03 01:30+00');
select is(test.fires('later'), 'on_time 01:30:00, on_time 01:30:00, late 02:30:00', 'a slot that the new rules add is fired, though late');
select is(test.fires('earlier'), 'on_time 01:30:00, on_time 01:30:00, late 00:30:00', 'the next day has its slot by the new rules, and the last day has no second one');
select test.fire_at('2030-01-03 02:30+00');
select test.fire_at('2030-01-04 00:30+00');
select is(test.fires('later'), 'on_time 01:30:00, on_time 01:30:00, late 02:30:00, on_time 02:30:00', 'then all goes by the new rules');
select is(test.fires('earlier'), 'on_time 01:30:00, on_time 01:30:00, late 00:30:00, on_time 00:30:00', 'here, too');
select ok(not exists (select 1 from queues.schedule_fire as f where f.first_slot > f.decided_at), 'no slot is in the future');
select is((select string_agg(distinct s.schedule_name, ', ') from queues.schedule as s join queues.schedule_due as d using (schedule_id)
           where d.next_slot <= d.decided_to), null, 'no next slot is in the past');
-- Ten days without workers under yet other rules: slots that were passed over are counted by the rules of the decision.
update queues.schedule set zone = 'Asia/Tokyo' where schedule_name = 'skipping';
select test.fire_at('2030-01-13 12:00+00');
select is(test.violations(), '', 'the check counts by the rules of today, and only from where they fit');
-- A plan whose rules cannot change has no such excuse.
select queues.schedule('utc', '30 2 * * *', 'noop', _zone => 'UTC', _overlap => 'allow');
select test.fire_at('2030-01-14 02:30+00');
insert into queues.schedule_fire (schedule_id, schedule_name, decision, first_slot, last_slot, slots, decided_at)
select s.schedule_id, 'utc', 'missed', '2030-01-14 02:35+00', '2030-01-14 02:35+00', 1, queues.clock() from queues.schedule as s where s.schedule_name = 'utc';
select alike(test.violations(), '%slot_is_in_the_plan%', 'a slot that is not in a plan of fixed rules is found');
select * from finish();
rollback;
