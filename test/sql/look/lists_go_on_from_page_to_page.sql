-- Every list shows the newest things first, each once, and its cursor goes on where it ended.
begin;
select plan(20);
set local client_min_messages = error;
select internal.allow_function('test.raises'), internal.allow_function('test.ok');
select array_agg(test.enqueue('test.raises') order by n) as bad from generate_series(1, 5) as n \gset
select array_agg(test.enqueue('test.ok') order by n) as good from generate_series(1, 5) as n \gset
select test.run(i) from unnest(:'bad'::bigint[] || :'good'::bigint[]) as i;
select array_agg(queues.enqueue('noop', '{}', now() + interval '1 hour') order by n) as later from generate_series(1, 3) as n \gset
select array_agg(queues.enqueue('noop', '{}', now() - interval '1 hour') order by n) as due from generate_series(1, 3) as n \gset
create function pg_temp.ids(_list jsonb, _key text default 'task_id') returns bigint[] language sql as
    $$ select coalesce(array_agg((r->>_key)::bigint order by n), '{}') from jsonb_array_elements(_list->'rows') with ordinality as r(r, n) $$;
create function pg_temp.pages(_call text, _key text default 'task_id') returns bigint[] language plpgsql as $$
declare
    _list jsonb;
    _all bigint[] := '{}';
    _cursor text;
begin
    for _page in 1..30 loop
        execute format('select %s', replace(_call, 'CURSOR', coalesce(quote_literal(_cursor), 'null'))) into _list;
        _all := _all || pg_temp.ids(_list, _key);
        _cursor := _list->>'cursor';
        exit when _cursor is null;
    end loop;
    return _all;
end $$;
select array_agg(t.task_id order by t.task_id desc) as everything from queues.task as t \gset
select is(pg_temp.ids(queues.list_tasks()), :'everything', 'all tasks, newest first');
select is(queues.list_tasks()->>'looked_back_to', null, 'everything was looked at');
select is(pg_temp.pages('queues.list_tasks(_limit => 3, _cursor => CURSOR)'), :'everything', 'by pages of three');
select is(pg_temp.pages('queues.list_tasks(_limit => 16, _cursor => CURSOR)'), :'everything', 'by a page that is just full');
select is(queues.list_tasks(_limit => 16)->>'cursor', null, 'a full page that is the last one has no cursor');
select is(pg_temp.ids(queues.list_tasks('completed', 'failed')), array(select i from unnest(:'bad'::bigint[]) as i order by i desc), 'by outcome');
select is(pg_temp.pages('queues.list_tasks(_outcome => ''succeeded'', _limit => 2, _cursor => CURSOR)'), array(select i from unnest(:'good'::bigint[]) as i order by i desc), 'successes by pages');
select is(pg_temp.ids(queues.list_tasks('scheduled')), array(select i from unnest(:'later'::bigint[]) as i order by i desc), 'not due yet');
select is(pg_temp.pages('queues.list_tasks(''ready'', _limit => 1, _cursor => CURSOR)'), array(select i from unnest(:'due'::bigint[]) as i order by i desc), 'due');
select is(queues.list_tasks('ready', 'failed')->'rows', '[]', 'open tasks have no outcome');
-- Each row says what the view says.
select is_empty($$
    select r.* from jsonb_to_recordset(queues.list_tasks()->'rows') as r(task_id bigint, task_type text, queue text, priority bigint, state text, status text,
        scheduled_at timestamptz, completed_at timestamptz, last_error text)
    except select s.task_id, s.task_type::text, s.queue, s.priority, s.state, s.status, s.scheduled_at, s.completed_at, s.last_error from queues.task_state as s$$, 'as in queues.task_state');
select queues.reschedule_task((:'later'::bigint[])[1], now() - interval '1 minute');
select task_id as leased from queues.claim(test.worker(), null, null, 1, '1 hour') \gset
select is((select jsonb_object_agg(r->>'task_id', r->>'state') from jsonb_array_elements(queues.list_tasks(_limit => 6)->'rows') as r),
    (select jsonb_object_agg(s.task_id, s.state) from queues.task_state as s where s.task_id = any(:'later'::bigint[] || :'due'::bigint[])), 'also after a change and a claim');
select is_empty('select queues.show_task(s.task_id) from queues.task_state as s where queues.show_task(s.task_id) is distinct from to_jsonb(s.*)', 'and each alone');
select is(pg_temp.ids(queues.list_tasks('running')), array[:leased]::bigint[], 'a leased task');
-- Too many open tasks to be read: the list walks from the newest instead, and agrees.
select is(internal.open_tasks('ready', null, null, 2), null, 'too many are not read');
select is((select array_agg(p.task_id order by p.task_id desc) from (select (internal.look_at_tasks(null, 'ready', null, null, null, null, null, 9223372036854775807, 1000)).ids as found) as x,
    unnest(x.found) as p(task_id)), internal.open_tasks('ready', null, null, 1000), 'the walk finds the same');
-- Processes and jobs.
select test.process(n, 'wait') from generate_series(1, 3) as n;
select is(pg_temp.pages('queues.list_processes(_limit => 2, _cursor => CURSOR)', 'process_id'), (select array_agg(p.process_id order by p.process_id desc) from queues.process as p), 'processes by pages');
select is(pg_temp.pages('queues.list_processes(''live'', _limit => 2, _cursor => CURSOR)', 'process_id'), (select array_agg(p.process_id order by p.process_id desc) from queues.process as p), 'live ones');
insert into pgqueue.job_queue (url) select 'https://x.invalid/' || n from generate_series(1, 5) as n;
select is(pg_temp.pages('pgqueue.list_jobs(_limit => 2, _cursor => CURSOR)', 'job_id'), (select array_agg(j.job_id order by j.job_id desc) from pgqueue.job as j), 'jobs by pages');
select is(pg_temp.ids(pgqueue.list_jobs('new', _url => 'https://x.invalid/3'), 'job_id'), (select array_agg(j.job_id) from pgqueue.job as j where j.url like '%3'), 'by URL');
select * from finish();
rollback;
