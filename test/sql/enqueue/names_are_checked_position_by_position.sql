begin;
select plan(16);
create temp table refused (payload jsonb, code text, why text);
insert into refused values
    ('{"db_function": 1}', '22023', 'db_function is a number'),
    ('{"db_function": null}', '22023', 'db_function is JSON null'),
    ('{"before_handler": ["test.before"]}', '22023', 'before_handler is an array'),
    ('{"db_function": "test.secret"}', '42501', 'not registered'),
    ('{"db_function": "test.before"}', '42501', 'a before handler is not a task'),
    ('{"before_handler": "test.ok"}', '42501', 'a task is not a before handler'),
    ('{"success_handler": "test.before"}', '42501', 'a before handler is not a success handler'),
    ('{"error_handler": "test.success"}', '42501', 'a success handler is not an error handler'),
    ('{"db_function": "test.ok", "success_handler": "test.secret"}', '42501', 'a success handler beside a function that is registered'),
    ('{"db_function": "test.ok", "error_handler": "test.secret"}', '42501', 'an error handler'),
    ('{"db_function": "test.ok", "before_handler": "test.secret"}', '42501', 'a before handler'),
    ('{"db_function": "test.ok(jsonb)"}', '42501', 'only the exact name counts'),
    ('{"db_function": "test.ok; drop table queues.task"}', '42501', 'injected text');
select throws_ok(format('select queues.enqueue(%L, %L)', 'db_function', payload), code, null, why) from refused;
select throws_ok($$select queues.enqueue('http', '{"before_handler": "a.b"}')$$, '42501',
                 'function "a.b" is not registered as a before handler', 'the text names the position');
select internal.revoke_function('test.ok');
select throws_ok($$select test.enqueue('test.ok')$$, '42501', null, 'a revoked function');
select is((select count(*) from queues.task), 0::bigint, 'nothing was written');
select * from finish();
rollback;
