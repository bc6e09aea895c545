begin;
create temp table path (n integer generated always as identity, url text, is_good boolean);
insert into path (url, is_good) values
    ('/name', true), ('/name/sub?x=../..', true), ('/a.b/..c/c..', true), ('/a%20b', true), ('/a%2Fb', true), ('/name#/../x', true), ('/100%25', true),
    ('/...', true), ('/a;b=c', true), ('/', true), ('/ü', true), ('/%C3%BC', true), ('/a//b', true),
    ('/..', false), ('/../../admin', false), ('/a/../b', false), ('/./a', false), ('/a/.', false), ('/a/..?x', false), ('/..#x', false),
    ('/%2e%2e/x', false), ('/%2E%2E/x', false), ('/.%2e/x', false), ('/%2E./x', false), ('/a/..%2fx', false), ('/a%2f..%2Fx', false), ('/a/%2e', false),
    ('/..\x', false), ('/a\..\b', false), ('\..', false), ('/..%5cx', false), ('/a%5C..', false), ('/..;a/x', false), ('/..%3ba/x', false),
    ('/%252e%252e/x', false), ('/%25%32e/x', false), ('/%25%32%65%25%32%65/x', false), ('/%%32e/x', false), ('/%2', false), ('/a%zz', false),
    ('/.%09./x', false), ('/.%0a./x', false), (E'/.\t./x', false), (E'/.\n./x', false), ('/a%00', false), ('/%7f', false), ('/%c0%ae%c0%ae/x', false),
    ('//evil.example/x', false), ('/%2fevil.example', false), ('/%2Fevil', false);
select plan((select count(*)::integer * 3 + count(*) filter (where not is_good)::integer + 2 from path));
create table public.watched_edge (id integer primary key);
create function pg_temp.tried(_what text) returns text language plpgsql as $$ begin execute _what; return '00000'; exception when others then return sqlstate; end $$;
select is(pg_temp.tried(format('insert into pgqueue.job_queue (url) values (%L)', url)), case when is_good then '00000' else '22023' end, 'insert: ' || url) from path order by n;
select is(pg_temp.tried(format('select pgqueue.create_webhook(%L, ''public.watched_edge'', ''{INSERT}'', %L)', 'w' || n, url)),
          case when is_good then '00000' else '22023' end, 'webhook: ' || url) from path order by n;
select is(internal.leaves_base(url), not is_good, 'by itself: ' || url) from path order by n;
-- A follow-up of an edge function.
do $$
declare _p record; _id bigint;
begin
    for _p in select * from path where not is_good order by n loop
        _id := test.job('/edge');
        perform test.answer_job(_id, 201, '{}', jsonb_build_object('url', _p.url)::text);
    end loop;
end $$;
select is((select count(*) from pgqueue.job_queue where parent_job_id is not null), 0::bigint, 'no follow-up');
select is(e.error_message like 'no follow-up job: %', true, 'why: ' || e.error_message)
from queues.error as e join queues.task as t using (task_id) order by e.task_id;
select is(pg_temp.tried('insert into pgqueue.job_queue (url) values (''https://example.com/a/../b'')'), '00000', 'a full URL has no base to leave');
select * from finish();
rollback;
