-- A function may answer, or raise, with any words: also with those that the engine once told itself things by.
begin;
select plan(10);
create temporary table answer (nth integer primary key, answer jsonb, task_id bigint, lease_no integer);
insert into answer (nth, answer)
select row_number() over (), a.answer::jsonb
from (values ('{"status": "succeeded", "payload": {"facts": "job"}}'), ('{"status": "succeeded", "facts": "job", "lease_no": 0}'),
             ('{"status": "succeeded", "payload": {"outcome": "busy", "code": "QU008", "error_class": "transient"}}'),
             ('{"status": "succeeded", "payload": {"retry": "retry 5", "hint": "*=1", "has_raised": true}}')) as a(answer);
create function test.raises_words(_payload jsonb) returns jsonb language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$ begin raise exception using message = _payload->>'words'; end $$;
select internal.allow_function('test.raises_words');

-- All of them as one batch, then each alone.
update answer as a set task_id = test.enqueue('test.answer', jsonb_build_object('answer', a.answer));
update answer as a set lease_no = test.lease(a.task_id);
do $$
begin
    for _i in 1 .. 10 loop
        perform queues.execute_batch(test.worker(), (select array_agg(r.task_id order by r.task_id) from queues.running as r),
                                     (select array_agg(r.lease_no order by r.task_id) from queues.running as r));
        exit when not exists (select 1 from queues.running);
    end loop;
end
$$;
select is((select string_agg(distinct coalesce(test.outcome(a.task_id), 'open'), ',') from answer as a), 'succeeded', 'each task of the batch succeeds');
select is(test.effects('answer'), 4::bigint, 'and has its effect once');
select is((select string_agg(distinct test.place(a.task_id), ',') from answer as a), 'completed', 'none is left in the working set');
select is((select count(*) from answer as a join queues.task_completed as c on c.task_id = a.task_id where c.result is not distinct from a.answer->'payload'),
          4::bigint, 'the answers are kept as they are');
select is((select string_agg(distinct test.run(test.enqueue('test.answer', jsonb_build_object('answer', a.answer))), ',') from answer as a), 'succeeded',
          'alone, each succeeds, too');
select is(test.effects('answer'), 8::bigint, 'and has its effect once');

-- Words of errors are words.
select is((select string_agg(distinct test.run(test.enqueue('test.raises_words', jsonb_build_object('words', w.words))), ',')
           from unnest(array['canceling statement due to statement timeout', 'canceling statement due to user request', 'retry 5', 'name=n', '*=n',
                             'task 1 is leased by another worker', 'QU008', 'could not serialize access due to concurrent update']) as w(words)),
          'failed', 'a function that raises the words of another error has failed');
select is((select count(*) from queues.error as e where e.sqlstate = 'P0001'), 8::bigint, 'each with its own SQLSTATE');
select is((select count(*) from queues.ready), 0::bigint, 'and none is tried again');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
