-- Over the catalogue: where code of a user's is called, and what may stand around it.  See docs/security.md.
begin;
select plan(7);
create temp view ours as
select p.oid, n.nspname || '.' || p.proname as name, p.prosecdef, p.prosrc, p.proowner::regrole::text as owner
from pg_proc as p join pg_namespace as n on n.oid = p.pronamespace
where n.nspname in ('queues', 'internal', 'worker', 'pgqueue', 'vault', 'comms', 'files')
  and pg_get_userbyid(p.proowner) in ('queues_owner', 'queues_runner');
-- A statement that is put together at run time.  Hooks of task types are functions of ours: test/sql/contract says so.
create temp view hooked as
select o.*, regexp_replace(o.prosrc, 'execute format\(\s*''select [^'']*%s\([^'']*'', (_hook|_hook\.hook|_step\.fail_hook|(_task|_step|_type)\.hooks->>''[a-z]+'')\)', 'hook', 'g') as rest
from ours as o;
create temp view dynamic as
select o.*, (regexp_matches(o.rest, '\n *execute [^;]*;\s*([^\n]*)', 'g'))[1] as next_line from hooked as o where o.rest ~ '\n *execute [^;]*;';
select set_eq($$select distinct name from hooked where rest <> prosrc$$,
    array['internal.run_batch', 'internal.leased_call', 'internal.complete_running', 'internal.drop_ready', 'internal.begin_finish',
          'queues.finish', 'queues.finish_batch', 'queues.begin_dispatch', 'queues.begin_dispatch_batch'], 'functions that call hooks of task types');
select set_eq($$select distinct name from dynamic where prosecdef$$,
    array['internal.call_merge', 'internal.fire_webhook', 'pgqueue.trigger_webhook'],
    'definer functions with dynamic statements: a value that is undone, and two that build theirs from the catalogue');
select set_eq($$select distinct name from dynamic where not prosecdef$$,
    array['internal.run_function', 'internal.run_leased', 'internal.run_one', 'internal.run_batch', 'internal.read_facts', 'queues.begin_dispatch_batch', 'queues.finish_batch',
          'internal.grant_function', 'internal.keep_view', 'internal.keep_triggers', 'internal.take_relation', 'internal.set_runner_mode', 'internal.range_union', 'internal.tidy_session',
          'pgqueue.create_webhook', 'pgqueue.drop_webhook'],
    'invoker functions with dynamic statements: runners, and those that change the catalogue with the caller''s rights');
-- Values: the call is followed by the error that carries the value out.
select is_empty($$
    select name from ours where name in ('internal.call_merge', 'internal.read_facts')
      and prosrc !~ '\n *execute [^;]*;\s*(else\s*execute [^;]*;\s*end if;\s*)?raise exception using errcode = ''QU010'''$$, 'values leave by an error');
-- Effects: the next statement sets the path again.
select is_empty($$
    select name from hooked
    where name in ('internal.run_function', 'internal.run_leased', 'internal.run_one', 'internal.run_batch', 'queues.begin_dispatch_batch', 'queues.finish_batch')
      and (select count(*) from regexp_matches(rest, '\n *execute [^;]*;', 'g'))
          <> (select count(*) from regexp_matches(rest,
                '\n *execute [^;]*;(?=(\s*(els(e|if [^;]*? then)\s*execute [^;]*;|end if;))*\s*(perform|_void :=) pg_catalog\.set_config\(''search_path'', ''pg_catalog, pg_temp'', true\);)', 'g'))$$,
    'after a call the path is set again');
-- Views run no code of a user's: none of the functions that they call reaches a dynamic statement.
select is_empty($$
    with recursive called(oid) as (
        select distinct d.refobjid from pg_rewrite as r join pg_depend as d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid
        and d.refclassid = 'pg_proc'::regclass where d.refobjid in (select oid from ours)
        union
        select o.oid from called as c join ours as b on b.oid = c.oid
        join ours as o on strpos(b.prosrc, o.name || '(') > 0)
    select o.name from called as c join dynamic as o on o.oid = c.oid
    where o.name <> 'internal.range_union' -- a cast to a multirange of PostgreSQL's own
$$, 'views call nothing that calls a user''s code');
-- A path of ours holds nothing that others can write to.
select is_empty($$select name from ours where oid in (select p.oid from pg_proc as p where not coalesce('search_path=pg_catalog, pg_temp' = any(p.proconfig), false))$$,
    'every function of ours begins with a path that nobody else can write to');
select * from finish();
rollback;
