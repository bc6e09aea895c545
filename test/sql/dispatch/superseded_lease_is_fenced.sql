begin;
select plan(5);
select test.enqueue_email() as id \gset
select test.lease(:id);
select is((select decision from queues.begin_dispatch(test.worker(), :id, 2)), 'fenced', 'another number');
select is((select decision from queues.begin_dispatch(test.worker('two'), :id, 1)), 'fenced', 'another worker');
select test.expire(:id), test.take_back();
select is((select decision from queues.begin_dispatch(test.worker(), :id, 1)), 'fenced', 'taken back');
select is(test.effects('before'), 0::bigint, 'nothing ran');
select is((select count(*) from queues.task_dispatched), 0::bigint, 'nothing was announced');
select * from finish();
rollback;
