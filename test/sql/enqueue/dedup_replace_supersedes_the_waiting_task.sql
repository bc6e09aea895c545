begin;
select plan(4);
select queues.enqueue('http', '{"a": 1}', _dedup_key => 'k') as id \gset
select queues.enqueue('http', '{"a": 2}', _dedup_key => 'k', _dedup_policy => 'replace') as new \gset
select isnt(:new, :id, 'a new task');
select is(test.outcome(:id), 'superseded', 'the old one is completed');
select is(test.place(:new), 'ready', 'the new one waits');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
