begin;
select plan(14);
select is(internal.get_config('max_payload_bytes'), '1048576', 'a default');
select is(internal.get_config('nothing'), null, 'an unknown one reads as null');
select internal.set_config('transient_retry_limit', '3');
select is(internal.get_config('transient_retry_limit'), '3', 'changed');
select is((select (updated_by, updated_at > now())::text from internal.config where key = 'transient_retry_limit'), '(postgres,t)', 'by whom and when');
select internal.set_config('app.anything', '{"free": true}');
select is(internal.get_config('app.anything'), '{"free": true}', 'keys of the application are free');
select throws_ok(format('select internal.set_config(%L, %L)', k, v), '22023', null, k || ' = ' || v)
from (values ('nonsense', '1'), ('max_payload_bytes', '"big"'), ('max_payload_bytes', '16777217'),
             ('max_payload_bytes', '1023'), ('notify', '"sometimes"'),
             ('retention_completed', '"soon"'), ('retention_completed', '"-1 day"'), ('transient_retry_limit', '1.5')) as s(k, v);
select throws_ok($$select internal.set_config(null, '1')$$, '22004', null, 'no key');
select * from finish();
rollback;
