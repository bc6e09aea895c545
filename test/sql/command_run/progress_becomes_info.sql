begin;
select plan(6);
select worker.enqueue('act', '{"report": {"rows": 5, "a": 1}, "info": {"rows": 7}}') as id \gset
select test.run_command(:id);
select is(test.info(:id), '{"rows": 7, "a": 1}', 'what the handler gives at the end is laid over it');
select worker.enqueue('act', '{"report": {"rows": 5}, "raise": "P0001"}') as failed \gset
select test.run_command(:failed);
select is(test.info(:failed), null, 'a run that failed has reported nothing');
select throws_ok($$select worker.report_progress('{}')$$, '55000', null, 'outside a run nothing is running');
select throws_ok($$select worker.report_progress('[]')$$, '22023', null, 'and it must be an object');
select worker.enqueue('act', '{"report": {"big": "x"}}') as one, worker.enqueue('act') as two \gset
select test.run_command(:one), test.run_command(:two);
select is(test.info(:two), null, 'the next run begins with nothing');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
