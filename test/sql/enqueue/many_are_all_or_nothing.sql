begin;
select plan(8);
create temp table refused (call text, code text, why text);
insert into refused values
    ($$'http', array['{}', '[]']::jsonb[]$$, '22023', 'one is an array'),
    ($$'http', array['{}', jsonb_build_object('a', repeat('x', 1048576))]$$, '54000', 'one is too large'),
    ($$'db_function', array['{"db_function": "test.ok"}', '{"db_function": "a.b"}']::jsonb[]$$, '42501', 'one names an unknown function'),
    ($$'db_function', array['{"db_function": "test.ok"}', '{"db_function": null}']::jsonb[]$$, '22023', 'one names JSON null'),
    ($$'http', null$$, '22004', 'no array at all'),
    ($$'http', '{"{}"}', 'infinity'$$, '22008', 'an infinite time'),
    ($$'http', '{"{}"}', now(), 'nowhere'$$, '23503', 'an unknown queue');
select throws_ok('select queues.enqueue_many(' || call || ')', code, null, why) from refused;
select is((select count(*) from queues.task), 0::bigint, 'nothing was written');
select * from finish();
rollback;
