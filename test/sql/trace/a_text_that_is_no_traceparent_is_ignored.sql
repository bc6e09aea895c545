-- Traces must never make an enqueue fail.
begin;
select plan(18);
create temp table text_of (n serial, text text);
insert into text_of (text) values ('x'), (''), ('00-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-1111111111111111-0'), ('00-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-1111111111111111-011'),
    ('00-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA-1111111111111111-01'), ('00-00000000000000000000000000000000-1111111111111111-01'),
    ('00-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-0000000000000000-01'), ('ff-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-1111111111111111-01'),
    ('01-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-1111111111111111-01'), ('00-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-1111111111111111-0g'),
    (E'00-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-1111111111111111-01\n'), (E'00-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-1111111111111111-0\n'),
    ('00_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-1111111111111111-01'), (repeat('a', 100000));
select is(test.enqueue(_more => jsonb_build_object('traceparent', text)) is not null, true, 'a field: ' || left(text, 60)) from text_of order by n;
select ok(count(test.enqueue(_more => jsonb_build_object('traceparent', x.value))) = 5, 'fields that are no texts')
from jsonb_array_elements('[null, 1, true, {"a": 1}, ["00-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-1111111111111111-01"]]') as x;
select ok(count(set_config('reeve.traceparent', text, true) || test.enqueue()::text) = 14, 'a setting') from text_of;
select is((select count(*) from queues.task_trace), 0::bigint, 'none of them is kept');
select set_config('reeve.traceparent', '00-bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb-2222222222222222-01', true);
select test.enqueue(_more => '{"traceparent": "x"}') as id \gset
select is((select traceparent from queues.task_trace where task_id = :id),
    '00-bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb-2222222222222222-01', 'behind such a field, the setting counts');
select * from finish();
rollback;
