-- The private steps can be called by the worker role, so each checks for itself.
begin;
select plan(5);
select test.enqueue() as id \gset
select test.lease(:id);
select throws_ok(format('select internal.end_execute(test.worker(%L), ''{}'', ''{}'', ''{}'', array[row(%s, 1, %L, null, null, null, null, null, null, null, null, null, null, false, null, null)::internal.run_end])', 'two', :id, 'succeeded'), 'QU002', null, 'end_execute of another worker');
select throws_ok(format('select internal.end_finish(test.worker(%L), %s, 1, null, null)', 'two', :id), 'QU002', null, 'end_finish of another worker');
select throws_ok(format('select internal.record_dispatch(test.worker(%L), %s, 1, null)', 'two', :id), 'QU002', null, 'record_dispatch of another worker');
select throws_ok('select * from internal.claim_for(-1, null, null, 1, interval ''60 s'', null, null, true, false)', '42501', null, 'a claim for another holder');
select is(test.place(:id), 'running', 'nothing has happened');
select * from finish();
rollback;
