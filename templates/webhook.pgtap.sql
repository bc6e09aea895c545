select ok(w.enabled, 'the webhook exists and is on') from pgqueue.webhooks as w where w.name = '{{full}}';
select cmp_ok(array_agg(distinct upper(e.event_manipulation::text) order by upper(e.event_manipulation::text)), '@>', '{{events}}'::text[],
    'each event has a trigger')
from information_schema.triggers as e
where e.event_object_schema = '{{schema_text}}' and e.event_object_table = '{{name}}' and e.trigger_name like 'reeve\_webhook\_%';
select is(j.url, '{{url}}', 'a test body goes to the URL')
from pgqueue.test_webhook('{{full}}') as t(job_id) cross join lateral (select q.url from pgqueue.job_queue as q where q.job_id = t.job_id) as j;
-- CHANGE: a change of your own, such as
--     insert into {{table}} ...;
--     select isnt_empty($$ select 1 from pgqueue.job_queue as j where j.url = '{{url}}' $$, 'a new row is sent');
select * from finish();
rollback;
