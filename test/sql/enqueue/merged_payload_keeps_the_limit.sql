begin;
select plan(2);
select internal.set_config('max_payload_bytes', '2000');
select queues.enqueue('http', jsonb_build_object('a', repeat('x', 1500)), _dedup_key => 'k') as id \gset
select throws_ok($$select queues.enqueue('http', jsonb_build_object('b', repeat('x', 1500)), _dedup_key => 'k', _dedup_policy => 'merge')$$, '54000', null, 'together they are too large');
select lives_ok($$select queues.enqueue('http', '{"b": 1}', _dedup_key => 'k', _dedup_policy => 'merge')$$, 'a small one fits');
select * from finish();
rollback;
