begin;
select plan(2);
select worker.enqueue('act') as parent \gset
select worker.spawn('merged', '{"kind": "a"}', :parent), worker.spawn('merged', '{"kind": "a"}', :parent), worker.enqueue('merged', '{"kind": "a"}');
select is((select count(*) from worker.tasks where command = 'merged'), 3::bigint, 'two children and one at the top');
select is(array_length(test.children(:parent), 1), 2, 'each child its own');
select * from finish();
rollback;
