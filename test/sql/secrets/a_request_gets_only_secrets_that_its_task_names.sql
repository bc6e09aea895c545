begin;
select plan(6);
select vault.create_secret('one-value', 'one'), vault.create_secret('two-value', 'two');
select internal.allow_secret('one', '{x}', '{queues_enqueuer}', '{header}'), internal.allow_secret('two', '{x}', '{queues_enqueuer}', '{sign}'),
       internal.allow_secret('three', '{x}', '{queues_enqueuer}');
select queues.enqueue('http', '{"request": {"url": "https://x/", "method": "POST", "body": 1, "secret_headers": {"Authorization": {"secret": "one"}}, "sign": {"secret": "two"}}}');
select c.task_id as id, c.lease_no as no from queues.claim(test.worker()) as c \gset
select is((select b.secrets from queues.begin_dispatch_batch(test.worker(), array[:id]::bigint[], array[:no]) as b),
    '{"named": {"one": "one-value", "two": "two-value"}}', 'what it names');
select is(internal.request_secrets(test.worker(), :id, :no, '{"url": "https://x/", "sign": {"secret": "three"}}'),
    '{"named": {"one": "one-value", "two": "two-value"}}', 'whatever is asked for, what its own request names');
select is(internal.request_secrets(test.worker(), :id, :no + 1, '{"sign": {"secret": "one"}}'), '{}', 'nothing for another lease');
select is(internal.request_secrets(gen_random_uuid(), :id, :no, '{"sign": {"secret": "one"}}'), '{}', 'nothing for another worker');
update queues.running set expires_at = now() - interval '1 minute';
select is(internal.request_secrets(test.worker(), :id, :no, '{"sign": {"secret": "one"}}'), '{}', 'nothing when the lease is over');
select queues.enqueue('http', '{"request": {"url": "https://x/"}}');
select c.task_id as id, c.lease_no as no from queues.claim(test.worker()) as c \gset
select is((select b.secrets from queues.begin_dispatch(test.worker(), :id, :no) as b), '{}', 'and nothing for a request that names none');
select * from finish();
rollback;
