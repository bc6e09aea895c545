begin;
select plan(24);
create table public.t (id integer primary key, v text);
create function pg_temp.fired(_clause text, _arguments text, _statement text default 'insert into public.t values (1)') returns text language plpgsql as $$
begin
    execute format('create trigger w %s execute function pgqueue.trigger_webhook(%s)', _clause, _arguments);
    execute _statement;
    raise exception using errcode = '00001', message = 'fired';
exception when others then
    return sqlstate || ' ' || sqlerrm;
end $$;
select is(pg_temp.fired('after insert on public.t for each row', a), w, a)
from (values ('', '22023 url argument is required'), ('''''', '22023 url argument is required'), ('''null''', '22023 url argument is required'),
    ('''_headers={}''', '22023 url argument is required'),
    ('''https://x/'', ''_colour=red''', '22023 unknown webhook argument "_colour=red"'),
    ('''_url=https://x/'', ''{"a": "b"}''', '22023 unknown webhook argument "{"a": "b"}"'),
    ('''https://x/'', ''url=https://y/''', '22023 webhook argument "url" is given twice'),
    ('''https://x/'', ''{bad''', '22023 webhook argument cannot be read: invalid input syntax for type json'),
    ('''https://x/'', ''signing_alg=sha3''', '22023 webhook argument cannot be read: invalid input value for enum pgqueue.signing_algs: "sha3"'),
    ('''ftp://x/''', '22023 url "ftp://x/" is not of a known form'),
    ('''https://x/'', ''{"a b": "c"}''', '22023 header name "a b" is not valid'),
    ('''https://x/?a=b''', '00001 fired'), ('''/fn''', '00001 fired'),
    ('''_url=/fn'', ''headers={"a": "b"}'', ''_jwt=t'', ''signing_secret=s'', ''signing_header=X'', ''signing_style=HMAC_WITH_PREFIX'', ''signing_alg=md5'', ''signing_enc=base64''', '00001 fired'),
    ('''/fn'', ''{}'', ''t'', ''\x00ff'', '''', ''X-S'', ''HMAC'', ''sha512'', ''hex''', '00001 fired')) as x(a, w);
select is(left(pg_temp.fired('before insert on public.t for each row', '''/x'''), 5), '0A000', 'before');
select is(left(pg_temp.fired('after truncate on public.t for each statement', '''/x''', 'truncate public.t'), 5), '0A000', 'truncate');
select is(left(pg_temp.fired('after insert on public.t for each statement', '''/x'''), 5), '0A000', 'for each statement without transition tables');
select is(left(pg_temp.fired('after insert on public.t referencing new table as mine for each statement', '''/x'''), 5), '0A000', 'or with others');
select is(left(pg_temp.fired('after update on public.t referencing new table as new_rows for each statement', '''/x''', 'update public.t set id = 1'), 5), '0A000', 'or with half of them');
-- Secrets in arguments.
create trigger w after insert on public.t for each row execute function pgqueue.trigger_webhook('/fn', 'jwt=from_session', 'signing_secret=s3cret');
insert into public.t values (1);
select results_eq('select job_status::text, response_status, response_content from pgqueue.job_queue',
    $$values ('other', 0::smallint, 'authorization header not found in the request')$$, 'no session: the statement goes on, and the job says why');
select is((select count(*) from queues.advise() as a where a.problem like 'trigger w on t has a secret%' or a.problem like 'trigger w on public.t has a secret%'), 1::bigint, 'advise warns of a secret in arguments');
select set_config('request.headers', '{"authorization": "Bearer tok"}', true);
insert into public.t values (2);
select results_eq('select job_jwt, signing_secret from pgqueue.job_secret', $$values ('tok', 's3cret'::bytea)$$, 'with a session its token is kept');
-- Whoever may change the table need not know of jobs.
create role test_clerk;
grant insert on public.t to test_clerk;
select is(test.sqlstate_as('test_clerk', 'insert into public.t values (3)'), '00000', 'no role needs a right of ours');
select * from finish();
rollback;
