begin;
select plan(9);
select queues.set_test_clock('2030-01-01 00:00+00');
select is(queues.schedule('a', '0 * * * *', 'noop', _zone => 'UTC')->'created', 'true', 'it is made');
select is(queues.schedule('a', '0 * * * *', 'noop', _zone => 'UTC') - 'schedule_id',
          '{"created": false, "changed": {}, "words": "every hour, UTC", "next_fire": "2030-01-01T01:00:00+00:00"}', 'the same again changes nothing');
select is((select count(*) from queues.audit where object = 'a'), 1::bigint, 'and is no act');
select is(queues.schedule('a', '30 * * * *', 'noop', '{"x": 1}', _zone => 'Europe/Oslo', _overlap => 'allow')->'changed',
          '{"zone": ["UTC", "Europe/Oslo"], "overlap": ["skip", "allow"], "payload": "changed", "expression": ["0 * * * *", "30 * * * *"]}', 'it says what changed');
select is((select detail->'changed'->'overlap' from queues.audit where object = 'a' order by audit_id desc limit 1), '["skip", "allow"]', 'and the audit keeps it');
select is((select actor from queues.audit where object = 'a' order by audit_id desc limit 1), session_user::text, 'and who');
select is((select next_fire from queues.schedule_state), timestamptz '2030-01-01 00:30+00', 'the new plan holds');
select queues.set_test_clock('2030-01-01 02:00+00');
select queues.schedule('a', '15 * * * *', 'noop', _zone => 'UTC');
select is(test.fires('a'), 'changed 00:30:00 x2', 'slots of the old plan that nobody decided about are on record');
select queues.unschedule('a');
select is((select count(*) from queues.schedule_due), 0::bigint, 'unschedule leaves only facts');
select * from finish();
rollback;
