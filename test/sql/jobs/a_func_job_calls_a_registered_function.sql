begin;
select plan(18);
create function test.job_function(_n integer, _text text default 'none', _list integer[] default null, _more jsonb default null) returns text
    language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    perform test.note('job', jsonb_build_object('n', _n, 'text', _text, 'list', _list, 'more', _more));
    if _n = 13 then
        raise exception 'unlucky';
    end if;
    return 'did ' || _n;
end $$;
create function test.job_void() returns void language sql as $$ select test.note('void') $$;
create function public.job_here() returns text language sql as $$ select 'here' $$;
select internal.allow_function(f, 'job') from unnest(array['test.job_function', 'test.job_void', 'public.job_here']) as f;
insert into pgqueue.job_queue (job_type, url, payload) values
    ('FUNC', 'test.job_function', '{"_n": 1, "_text": "a; drop table x", "_list": [3, 1, 2], "_more": {"a": [1]}}'),
    ('FUNC', 'test.job_function', '{"_n": 13}'), ('FUNC', 'test.job_function', '{"_n": "7", "_text": null}'),
    ('FUNC', 'test.job_void', null), ('FUNC', 'job_here', '{}'),
    ('FUNC', 'test.job_function', '{}'), ('FUNC', 'test.job_function', '{"_n": 1, "other": 2}'),
    ('FUNC', 'test.job_function', '{"_n": [1]}'), ('FUNC', 'test.job_function', '{"_n": "x"}'), ('FUNC', 'test.job_function', '[1]');
select is(test.effects('job'), 0::bigint, 'nothing runs in the inserting transaction by itself');
call worker.process_tasks();
create temp table job as select row_number() over (order by j.job_id) as n, j.* from pgqueue.job_queue as j;
select is((select array_agg(job_status::text order by n) from job),
          array['completed', 'failed', 'completed', 'completed', 'completed', 'failed', 'failed', 'failed', 'failed', 'failed'], 'a bad job leaves the others alone');
select is((select response_content from job where n = 1), 'did 1', 'the result as text');
select is((select detail from test.effect where what = 'job' and detail->>'n' = '1'), '{"n": 1, "text": "a; drop table x", "list": [3, 1, 2], "more": {"a": [1]}}', 'parameters by name');
select is((select detail->'text' from test.effect where what = 'job' and detail->>'n' = '7'), 'null', 'a JSON null is null, not the default');
select is((select response_content from job where n = 4), '', 'void is empty');
select is((select response_content from job where n = 5), 'here', 'no schema means public');
select is(test.effects('job'), 2::bigint, 'what a failed run did is gone');
select results_eq('select response_status, response_content, retry_count from job where n = 2', $$values (0::smallint, 'unlucky', 1)$$, 'a function that raises');
select is((select response_content from job where n = 6), 'parameter "_n" of test.job_function is missing', 'a parameter is missing');
select is((select response_content from job where n = 7), 'test.job_function has no parameter "other"', 'one too many');
select is((select response_content from job where n = 8), 'parameter "_n" of test.job_function cannot be made from an array', 'of the wrong form');
select is((select response_content from job where n = 9), 'invalid input syntax for type integer: "x"', 'or type');
select is((select response_content from job where n = 10), 'payload of a FUNC job must be a JSON object', 'and a payload that is none');
select is((select count(*) from pgqueue.failed_log), 6::bigint, 'every failure is in the log');
select is(test.job_wait((select job_id from job where n = 2)), 5.000, 'and is tried again');
select internal.revoke_function('test.job_void');
select is(test.sqlstate_as('queues_enqueuer', $$insert into pgqueue.job_queue (job_type, url) values ('FUNC', 'test.job_void')$$), '42501', 'a revoked function is refused');
select is(test.violations(), '', 'healthy');
select * from finish();
rollback;
