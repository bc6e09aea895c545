begin;
select plan(9);
create temp table told as
select w.what, test.enqueue(w.function, w.more || '{"error_handler": "test.error"}') as id, w.error, w.more from (values
    ('exception', 'test.raises', '{}'::jsonb, 'function test.raises failed: boom'),
    ('failure', 'test.answer', '{"answer": {"error": "no good"}}', 'no good'),
    ('non-success', 'test.answer', '{"answer": {"status": "late"}}', 'function test.answer returned status: late'),
    ('validation', 'test.answer', '{"answer": {"validation_failure_message": "bad"}}', 'bad')) as w(what, function, more, error);
select test.run(id) from told;
select is((select e.detail->>'error' from test.effect as e where e.what = 'error' and e.detail->'original_payload' @> t.more and (e.detail->>'task')::bigint = t.id),
          t.error, t.what || ': text, under its own task')
from told as t;
select is((select array_agg(detail->>'error') from test.effect where detail @> '{"validation_failure": true}'), array['bad'], 'only a validation failure is called one');
select is(test.outcome(id), case what when 'non-success' then 'non_success' else 'failed' end, what || ': completed') from told;
select * from finish();
rollback;
