begin;
select plan(4);
select test.process(1, 'end') as id \gset
select test.process_id(1) as process \gset
select is(queues.sweep_processes(), 0, 'nothing is lost');
select test.unguard('queues.process'), test.unguard('queues.process_ended');
select test.run(:id);
delete from queues.process_ended where process_id = :process;
update queues.process set created_at = now() - interval '1 hour';
select is(queues.sweep_processes(), 1, 'neither run nor end: found');
select is(test.open_ticks(:process), 1::bigint, 'it has a run again');
select is(queues.sweep_processes(), 0, 'found once');
select * from finish();
rollback;
