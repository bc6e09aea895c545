begin;
select plan(6);
select worker.enqueue('act') as a, worker.enqueue('act') as b \gset
select worker.spawn('act', '{}', :a), worker.spawn('act', '{}', :a, p_child_mode => 'concurrent');
select is((select child_mode::text from worker.tasks where id = :a), 'concurrent', 'concurrent by default');
select worker.spawn('act', '{}', :b, p_child_mode => 'serial'), worker.spawn('act', '{}', :b);
select is((select child_mode::text from worker.tasks where id = :b), 'serial', 'serial if the first one says so');
select is((select count(*) from queues.ready where parent_id = :b and phase = 'b'), 1::bigint, 'the second one is blocked');
select throws_ok(format('select worker.spawn(''act'', ''{}'', %s, p_child_mode => ''serial'')', :a), '22023', null, 'another mode is refused');
select throws_ok(format('select worker.spawn(''act'', ''{}'', %s, p_child_mode => ''concurrent'')', :b), '22023', null, 'either way');
select is((select count(*) from queues.task where parent_id in (:a, :b)), 4::bigint, 'and nothing was written');
select * from finish();
rollback;
