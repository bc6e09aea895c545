begin;
select plan(18);
select vault.create_secret('s3cret-value', 'order_key', 'signs orders') as id \gset
select results_eq('select name, description, secret, decrypted_secret from vault.decrypted_secrets',
    $$values ('order_key', 'signs orders', 's3cret-value', 's3cret-value')$$, 'a secret written by SQL');
select is((select count(*) from queues.advise() as a where a.problem = 'secret "order_key" is not sealed'), 1::bigint, 'is not sealed, which advise tells');
select is(internal.vault_values(array['order_key', 'other']), '{"order_key": "s3cret-value"}', 'it is found by its name');
select vault.update_secret(:'id', new_secret => 'reeve:v1:AAAA');
select is((select decrypted_secret from vault.decrypted_secrets), null, 'a sealed one is opened by the program only');
select is(internal.vault_values(array['order_key']), '{"order_key": {"sealed": "reeve:v1:AAAA"}}', 'and leaves the database sealed');
select is((select count(*) from queues.advise() as a where a.area = 'secrets'), 0::bigint, 'no advice any more');
select throws_ok($$select vault.create_secret('x', 'order_key')$$, '23505', null, 'names are unique');
select is(internal.put_secret('order_key', 'plain'), 'changed', 'changed by name');
select is(internal.put_secret('new_key', 'plain'), 'added', 'added by name');
select results_eq(format('select name, secret from internal.unsealed_secrets(%L) order by name', test.worker()), $$values ('new_key', 'plain'), ('order_key', 'plain')$$, 'a worker is told what to seal');
select is((select count(*) from internal.unsealed_secrets(gen_random_uuid())), 0::bigint, 'but nobody who is no worker');
select ok(not internal.seal_secret(test.worker(), :'id', 'old_name', 'plain', 'reeve:v1:AAAA'), 'what was sealed for a name that it has no more is not taken');
select ok(internal.seal_secret(test.worker(), :'id', 'order_key', 'plain', 'reeve:v1:BBBB') and not internal.seal_secret(test.worker(), :'id', 'order_key', 'plain', 'reeve:v1:CCCC'), 'it is sealed once');
select throws_ok(format('select vault.update_secret(%L, new_name => ''other_key'')', :'id'), '22023', 'secret "order_key" is sealed and opens under no other name', 'a sealed one gets no other name');
select lives_ok(format('select vault.update_secret(%L, new_name => ''order_key'', new_description => ''signs''), vault.update_secret(%L, ''plain'', ''other_key''), vault.update_secret(%L, new_name => ''order_key'')', :'id', :'id', :'id'), 'unless its value comes with it');
select is(internal.drop_secret('new_key'), true, 'removed');
select is_empty($$select r from unnest(array['queues_enqueuer', 'queues_observer', 'queues_operator', 'queues_admin', 'worker_service_user']) as r
    where test.sqlstate_as(r, 'select * from vault.secrets') <> '42501' or test.sqlstate_as(r, 'select * from vault.decrypted_secrets') <> '42501'$$, 'no role reads a value');
select is(test.sqlstate_as('queues_admin', $$select vault.create_secret('x', 'y')$$), '00000', 'administrators write them');
select * from finish();
rollback;
