begin;
select plan(1);
select test.worker();
select queues.create_queue('fresh');
select test.enqueue(_queue => 'fresh') as id \gset
select is((select task_id from queues.claim(test.worker())), :id, 'all queues means the new one, too');
select * from finish();
rollback;
