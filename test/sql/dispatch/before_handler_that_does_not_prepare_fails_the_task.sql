begin;
select plan(20);
create temp table bad as select w.what, w.error, test.enqueue_email(w.more) as id from (values
    ('raises', '{"before": "raise"}'::jsonb, 'before handler test.before failed: no address'),
    ('other status', '{"before": "answer", "answer": {"status": "not_yet"}}', 'before handler test.before returned status: not_yet'),
    ('failure with a text', '{"before": "answer", "answer": {"error": "gone"}}', 'before handler test.before returned status: error: gone'),
    ('no payload', '{"before": "answer", "answer": {"status": "succeeded"}}', 'before handler test.before did not return payload'),
    ('missing field', '{"request": {"from_address": "a", "subject": "s", "html": "h"}}', 'email payload: missing "to_address"')) as w(what, more, error);
select is(test.dispatch(id), 'completed', what || ': decided') from bad;
select is(test.last_error(id), error, what || ': error fact') from bad;
select is(test.outcome(id), 'failed', what || ': failed') from bad;
select is((select e.detail->>'error' from test.effect as e where e.what = 'error' and (e.detail->>'task')::bigint = b.id), b.error, b.what || ': error handler') from bad as b;
select * from finish();
rollback;
