begin;
select plan(6);
update internal.installation set system_identifier = 1;
select throws_ok('select test.worker()', 'QU005', 'this database is a copy of another installation', 'another server');
select queues.adopt_database();
select lives_ok('select test.worker()', 'adopted');
update internal.installation set database_oid = 1;
select throws_ok($$select test.worker('two')$$, 'QU005', null, 'another database');
select queues.adopt_database();
select throws_ok($$select queues.start_worker(gen_random_uuid(), 'w', '0', 1, false, gen_random_uuid())$$, 'QU005', null, 'another installation than the one configured');
select lives_ok($$select queues.start_worker(gen_random_uuid(), 'w', '0', 1, false, (select installation_id from internal.installation order by adopted_at desc limit 1))$$, 'the configured one');
-- The copy came from a server whose clock was ahead.
update internal.installation set system_identifier = 1, adopted_at = adopted_at + interval '1 hour';
select queues.adopt_database();
select lives_ok($$select test.worker('three')$$, 'an adoption counts, whatever the time of the one before');
select * from finish();
rollback;
