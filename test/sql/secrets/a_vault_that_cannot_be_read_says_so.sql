begin;
select plan(3);
alter view vault.decrypted_secrets rename to hidden;
alter schema vault rename to vault_of_others;
create schema vault;
create view vault.decrypted_secrets as select null::uuid as id, 'x'::text as name, 'y'::text as decrypted_secret, 'z'::text as secret;
grant usage on schema vault to queues_owner;
insert into pgqueue.job_queue (url, signing_vault) values ('https://example.com/', 'x') returning task_id as task \gset
select test.lease(:task);
select is((select d.secrets from queues.begin_dispatch(test.worker(), :task, 1) as d),
    '{"job": true, "named": {}, "vault_problem": "the vault cannot be read: permission denied for view decrypted_secrets"}', 'what is wrong is told');
grant select on vault.decrypted_secrets to queues_owner;
select is((select d.secrets from queues.begin_dispatch(test.worker(), :task, 1) as d), '{"job": true, "named": {"x": "y"}}', 'when it may be read it is');
drop view vault.decrypted_secrets;
select is((select d.secrets from queues.begin_dispatch(test.worker(), :task, 1) as d), '{"job": true, "named": {}}', 'where there is none, nothing is wrong');
select * from finish();
rollback;
