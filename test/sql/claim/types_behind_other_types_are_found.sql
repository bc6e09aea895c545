-- Many priorities full of work that this worker cannot do must not hide its own.
begin;
select plan(1);
select test.enqueue(_priority => p) from generate_series(1, 5) as p;
select queues.enqueue('http', '{}', _queue => 'default', _priority => 6) as id \gset
select is((select task_id from queues.claim(test.worker(), array['default'], array['http'])), :id, 'with limit 1');
select * from finish();
rollback;
