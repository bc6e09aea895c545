begin;
select plan(2);
select test.process(1, 'again') as id \gset
select task_id from queues.dequeue_next_available_task();
select is(queues.complete_task(:id), 'completed', 'by hand');
select is((select reason from queues.process_ended where process_id = test.process_id(1)), 'succeeded', 'no open run is left: an end fact');
select * from finish();
rollback;
