-- Every function that writes queues.task, ready, running or task_completed is in a plain file beside this one, with the
-- columns that it inserts; differences are printed.  A new writer, or another list of columns, is a decision: ARCHITECTURE.md,
-- "Who writes", says what to look at.  Then the line goes into writers.golden.
begin;
select plan(11);
create temp table source as
select n.nspname || '.' || p.proname as name, regexp_replace(p.prosrc, '--[^\n]*', '', 'g') as text
from pg_proc as p join pg_namespace as n on n.oid = p.pronamespace
where n.nspname in ('queues', 'internal', 'worker', 'pgqueue', 'comms', 'files', 'vault')
  and (n.nspname, p.proname) <> ('internal', 'refuse_insert'); -- its hint speaks of an insert
create temp table writer as
select distinct m[2] as kind, split_part(m[1], ' ', 1) as act, s.name,
       array(select btrim(c) from regexp_split_to_table(btrim(regexp_replace(m[3], '\s+', ' ', 'g'), '()'), ',') as c
             where m[1] = 'insert into' order by btrim(c)) as columns
from source as s
cross join lateral regexp_matches(s.text,
    '\m(insert into|update|delete from)\s+queues\.(task|ready|running|task_completed)\M(?:\s+as\s+\w+)?\s*(\([^)]*\))?', 'g') as m;
create temp table must (kind text, columns text[]);
insert into must values
    ('task', '{task_type,payload,enqueued_at,scheduled_at,queue}'), ('ready', '{queue_id,priority,available_at,task_id,type_id}'),
    ('running', '{task_id,lease_no,holder_id,queue_id,priority,leased_at,expires_at,type_id}'), ('task_completed', '{task_id,completed_at,outcome}');
-- What a task carries from ready to running and back.
create temp table carried as
select a.attname::text as name from pg_attribute as a join pg_attribute as b on b.attname = a.attname
where a.attrelid = 'queues.ready'::regclass and b.attrelid = 'queues.running'::regclass and a.attnum > 0 and b.attnum > 0;
-- A direct claim takes only tasks in which these are null; its condition says so for the first two, and calls alone have the third.
create temp table spared (name text, column_name text);
insert into spared values ('queues.claim_next', 'phase'), ('queues.claim_next', 'crash_count'), ('queues.claim_next', 'is_retry');

create temp table golden (line text);
\copy golden from 'contract/writers.golden'
create temp table found as select concat_ws(' ', w.act, w.kind, w.name, '(' || nullif(array_to_string(w.columns, ', '), '') || ')') as line from writer as w;
select is_empty('select line from found except select line from golden',
    'no writer is new, and none writes other columns: see "Who writes" in ARCHITECTURE.md, then contract/writers.golden');
select is_empty('select line from golden except select line from found', 'no line of writers.golden is of the past');
select is_empty($$select w.name, w.kind, c from writer as w join must as m on m.kind = w.kind, unnest(m.columns) as c
    where w.act = 'insert' and c <> all(w.columns)$$, 'no insert lacks a column that all must write');
select is_empty($$select w.name, c.name from writer as w, carried as c where w.kind = 'running' and w.act = 'insert' and c.name <> all(w.columns)
    and (w.name, c.name) not in (select s.name, s.column_name from spared as s)$$, 'every claim carries each column that ready and running share');
select is_empty($$select w.name, c.name from writer as w, carried as c where w.kind = 'ready' and w.act = 'insert' and 'lease_no' = any(w.columns)
    and c.name <> all(w.columns)$$, 'and so does every move back');
select is((select array_agg(w.name order by w.name) from writer as w where w.kind = 'ready' and w.act = 'insert' and 'lease_no' = any(w.columns)),
    '{internal.move_to_ready,queues.rebuild_working_set}', 'two functions move back');
select is_empty($$select s.name, s.column_name from spared as s where not exists (select 1 from source as x where x.name = s.name
    and (s.column_name = 'is_retry' or x.text like '%r.' || s.column_name || ' is null%'))$$, 'what a direct claim spares is null in what it takes');
select is_empty($$select t.name, c from writer as t, unnest(t.columns) as c where t.kind = 'task' and t.act = 'insert'
    and exists (select 1 from pg_attribute as a where a.attrelid = 'queues.ready'::regclass and a.attname = c)
    and not exists (select 1 from writer as r where r.name = t.name and r.kind = 'ready' and r.act = 'insert' and c = any(r.columns))
    and c <> 'payload'$$, 'what a task and its ready row share is written to both'); -- the payload is in ready only when it was merged
select is_empty($$select t.name from writer as t where t.kind = 'task' and t.act = 'insert'
    and not exists (select 1 from writer as r where r.name = t.name and r.kind = 'ready' and r.act = 'insert')$$, 'a task is never added without its ready row');
select is_empty($$select t.name from writer as t join source as s on s.name = t.name where t.kind = 'task' and t.act = 'insert'
    and s.text !~ 'internal\.keep_trace\(|insert into queues\.task_trace'$$, 'whoever adds a task keeps its trace');
select is_empty($$select s.name from source as s where s.text ~* '(insert into|update|delete from)\s+(queues\.)?%'
    and s.text ~ 'queues\.%|''(task|ready|running|task_completed)'''$$, 'none hides behind a made-up statement');
select * from finish();
rollback;
