begin;
select plan(3);
select internal.set_config('max_payload_bytes', '1024');
select throws_ok($$select queues.enqueue('http', jsonb_build_object('a', repeat('x', 1024)))$$, '54000', null, 'over the new limit');
select throws_ok($$select queues.enqueue('http', jsonb_build_object('a', 1e1500))$$, '54000', null, 'over it as text');
select lives_ok($$select queues.enqueue('http', jsonb_build_object('a', repeat('x', 1000)))$$, 'below it');
select * from finish();
rollback;
