begin;
select plan(2);
select queues.enqueue('http', '{}', _dedup_key => 'k') as id \gset
select throws_ok($$select queues.enqueue('http', '{}', _dedup_key => 'k', _dedup_policy => 'error')$$, '23505', null, 'an equal task waits');
select lives_ok($$select queues.enqueue('http', '{}', _dedup_key => 'k2', _dedup_policy => 'error')$$, 'none waits');
select * from finish();
rollback;
