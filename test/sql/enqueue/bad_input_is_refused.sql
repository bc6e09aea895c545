-- Every refused input with its SQLSTATE, and nothing written.
begin;
select plan(21);
create temp table refused (call text, code text, why text);
insert into refused values
    ($$null, '{}'$$, '22004', 'null type'),
    ($$'nonsense', '{}'$$, '23514', 'type not registered'),
    ($$'Not A Type', '{}'$$, '23514', 'type not of its form'),
    ($$'http', '[]'$$, '22023', 'payload is an array'),
    ($$'http', '"text"'$$, '22023', 'payload is a string'),
    ($$'http', 'null'$$, '22023', 'payload is JSON null'),
    ($$'http', jsonb_build_object('a', repeat('x', 1048576))$$, '54000', 'payload over the limit'),
    ($$'http', (repeat('{"a":', 70) || '1' || repeat('}', 70))::jsonb$$, '54000', 'payload too deep'),
    ($$'http', '{}', 'infinity'$$, '22008', 'time is infinity'),
    ($$'http', '{}', '-infinity'$$, '22008', 'time is -infinity'),
    ($$'http', '{}', now(), 'nowhere'$$, '23503', 'queue not known'),
    ($$'http', '{}', _dedup_key => 'k', _dedup_policy => 'sometimes'$$, '22023', 'policy not known'),
    ($$'http', '{}', _dedup_key => ''$$, '22023', 'empty dedup key'),
    ($$'http', '{}', _dedup_key => repeat('k', 513)$$, '54000', 'dedup key too long'),
    ($$'http', '{}', _max_crashes => 0$$, '22023', 'max_crashes 0'),
    ($$'http', '{}', _max_crashes => 1001$$, '22023', 'max_crashes 1001'),
    ($$'http', '{}', _timeout => '0'$$, '22023', 'timeout 0'),
    ($$'http', '{}', _on_in_doubt => 'maybe'$$, '22023', 'on_in_doubt not known');
select throws_ok('select queues.enqueue(' || call || ')', code, null, why) from refused;
select throws_ok($$select queues.enqueue('nonsense', '{}')$$, '23514', 'task type "nonsense" is not registered', 'text of an unknown type');
select throws_ok($$select queues.enqueue('http', '{}', _queue => 'x')$$, '23503', 'queue "x" does not exist', 'text of an unknown queue');
select is((select count(*) from queues.task), 0::bigint, 'nothing was written');
select * from finish();
rollback;
