begin isolation level serializable;
select plan(2);
select lives_ok($$select queues.enqueue('http', '{}')$$, 'serializable');
select lives_ok($$select queues.enqueue('http', '{}', _dedup_key => 'k')$$, 'with a key');
select * from finish();
rollback;
