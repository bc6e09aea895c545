begin;
select plan(2);
select internal.set_config('max_payload_bytes', '100');
select throws_ok($$select queues.enqueue('http', jsonb_build_object('a', repeat('x', 100)))$$, '54000', null, 'over the new limit');
select lives_ok($$select queues.enqueue('http', jsonb_build_object('a', repeat('x', 80)))$$, 'below it');
select * from finish();
rollback;
