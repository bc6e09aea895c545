do $$
declare
    _job bigint;
begin
    assert (select w.enabled from pgqueue.webhooks as w where w.name = '{{full}}'), 'the webhook exists and is on';
    assert (select array_agg(distinct upper(e.event_manipulation::text) order by upper(e.event_manipulation::text))
            from information_schema.triggers as e
            where e.event_object_schema = '{{schema_text}}' and e.event_object_table = '{{name}}'
              and e.trigger_name like 'reeve\_webhook\_%') @> '{{events}}', 'each event has a trigger';
    _job := pgqueue.test_webhook('{{full}}');
    assert (select j.url from pgqueue.job_queue as j where j.job_id = _job) = '{{url}}', 'a test body goes to the URL';

    -- CHANGE: a change of your own, such as
    --     insert into {{table}} ...;
    --     assert exists (select 1 from pgqueue.job_queue as j where j.url = '{{url}}' and j.job_id > _job);
end
$$;
rollback;
\echo {{full}}: all tests passed
