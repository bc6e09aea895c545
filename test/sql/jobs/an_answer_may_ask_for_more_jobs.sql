begin;
select plan(23);
create function pg_temp.ask(_body text, _url text default 'https://example.com/x') returns bigint language plpgsql as $$
declare
    _id bigint := test.job(_url);
begin
    perform test.answer_job(_id, 201, '{}', _body);
    return _id;
end $$;
select pg_temp.ask('{"url": "https://example.org/next", "payload": {"a": 1}, "headers": {"X-A": "b"}, "job_type": "POST"}') as id \gset
select is(test.job_status(:id), 'redirected', 'redirected');
select results_eq(format('select url, payload, headers, job_type::text, job_owner, depth, root_job_id, retry_limit, job_status::text from pgqueue.job_queue where parent_job_id = %s', :id),
    format($$values ('https://example.org/next', '{"a": 1}'::jsonb, '{"X-A": "b"}'::jsonb, 'POST', 'pgqueue', 1, %s::bigint, 10, 'new')$$, :id), 'and a new job');
select pg_temp.ask('[{"url": "https://a/"}, {"url": "https://b/", "job_type": "GET"}, {"url": "https://c/", "run_at": "2099-01-01"}]') as id \gset
select is((select count(*) from pgqueue.job_queue where parent_job_id = :id), 3::bigint, 'three');
select pg_temp.ask(b) as id, b as body, n as n into temp table odd
from unnest(array['not json', '{"a": 1}', '[]', '"x"', '', '{"url": "f", "job_type": "FUNC"}', '{"url": 1}', '{"url": "ftp://x"}',
    '{"url": "/edge"}', '{"url": "https://x", "jwt": "from_session"}', '{"url": "https://x", "headers": []}', '{"url": "https://x", "run_at": "soon"}',
    (select jsonb_agg(jsonb_build_object('url', 'https://x/' || i))::text from generate_series(1, 11) as i)]) with ordinality as x(b, n);
select is(test.job_status(id), 'completed', 'completed: ' || left(body, 40)) from odd order by n;
select is((select count(*) from pgqueue.job_queue where parent_job_id in (select id from odd)), 0::bigint, 'and none of these made a job');
select is((select array_agg(o.n::integer order by o.n) from odd as o join pgqueue.job_run as k on k.job_id = o.id join queues.error as e using (task_id)
           where e.error_message like 'no follow-up job: %'), array[6, 7, 8, 9, 10, 11, 12, 13], 'what looked like a job says why');
select pg_temp.ask('{"url": "/next"}', '/edge') as id \gset
select is((select count(*) from pgqueue.job_queue where parent_job_id = :id), 1::bigint, 'an edge function may ask for one');
-- A chain of jobs ends.
select test.job() as id \gset
do $$ begin for i in 1 .. 6 loop
    perform test.answer_job((select max(j.job_id) from pgqueue.job_queue as j), 201, '{}', '{"url": "https://next/"}');
end loop; end $$;
select is((select max(depth) from pgqueue.job_queue where root_job_id = :id), 5, 'five deep');
select is((select count(*) from queues.error where error_message = 'no follow-up job: the chain of jobs is five deep'), 1::bigint, 'and says so');
select is((select job_status::text from pgqueue.job_queue where depth = 5), 'completed', 'the last one is completed');
select is((select count(*) from pgqueue.job where has_secret or has_token), 0::bigint, 'no secret is handed down');
select * from finish();
rollback;
