begin;
select plan(6);
select worker.enqueue('act') as fine, worker.enqueue('act', '{"raise": "P0001"}') as raised, worker.enqueue('act') as cancelled, worker.enqueue('act') as reason, worker.enqueue('act') as asked, worker.enqueue('act') as open \gset
select test.run_command(:fine), test.run_command(:raised), queues.cancel_task(:cancelled), queues.cancel_task(:reason, 'no need');
select test.lease(:asked) as lease, queues.cancel_task(:asked, 'stop it') \gset
select outcome from queues.execute(test.worker(), :asked, :lease);
select is((select count(*) from worker.tasks where (error is not null) <> (state = 'failed')), 0::bigint, 'as said');
select is(test.error_of(:cancelled), 'cancelled', 'cancelled without a reason');
select is(test.error_of(:reason), 'no need', 'with one');
select is(test.error_of(:asked), 'stop it', 'or while it was leased');
select matches(test.error_of(:raised), '^Error: act boom', 'raised');
select is(test.error_of(:open), null, 'open');
select * from finish();
rollback;
