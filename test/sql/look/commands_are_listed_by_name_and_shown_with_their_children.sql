-- Pages of commands, and one command with its children.
begin;
select plan(12);
create schema shop;
create procedure shop.nothing(payload jsonb) language sql security definer set search_path = pg_catalog, pg_temp as $$ select 1 $$;
revoke all on procedure shop.nothing(jsonb) from public;
grant usage on schema shop to queues_runner;
grant execute on procedure shop.nothing(jsonb) to queues_runner;
select worker.register_command('alpha', 'shop.nothing', 'default'), worker.register_command('beta', 'shop.nothing', 'default');
create temp table made as select n, worker.enqueue(case when n % 2 = 0 then 'alpha' else 'beta' end, jsonb_build_object('n', n)) as id from generate_series(1, 7) as n;
create function pg_temp.ids(_list jsonb) returns bigint[] language sql as $$ select array_agg((r->>'id')::bigint) from jsonb_array_elements(_list->'rows') as r $$;
select is(pg_temp.ids(worker.list_commands()), (select array_agg(m.id order by m.id desc) from made as m), 'all of them, newest first');
select is(pg_temp.ids(worker.list_commands('alpha')), (select array_agg(m.id order by m.id desc) from made as m where m.n % 2 = 0), 'those of a name');
select is(pg_temp.ids(worker.list_commands('alpha', _limit => 2)), (select array_agg(x.id order by x.id desc) from (select m.id from made as m where m.n % 2 = 0 order by m.id desc limit 2) as x),
    'a page');
select is(pg_temp.ids(worker.list_commands('alpha', _limit => 2, _cursor => worker.list_commands('alpha', _limit => 2)->>'cursor')),
    (select array_agg(x.id order by x.id desc) from (select m.id from made as m where m.n % 2 = 0 order by m.id limit 1) as x), 'and the next one');
select is(worker.list_commands('alpha', 'failed')->'rows', '[]', 'none has failed');
select is(jsonb_array_length(worker.list_commands(_state => 'pending')->'rows'), 7, 'all are pending');
select throws_ok($$select worker.list_commands(_state => 'bogus')$$, '22023', null, 'an unknown state is refused');
select is((select jsonb_object_agg(k, v) from jsonb_each(worker.show_command((select min(m.id) from made as m))) as e(k, v)
           where k in ('id', 'command', 'state', 'queue', 'priority', 'parent_id', 'created_at', 'completed_at', 'duration_ms', 'error', 'payload')),
    (select jsonb_build_object('id', w.id, 'command', w.command, 'state', w.state, 'queue', w.queue, 'priority', w.priority, 'parent_id', w.parent_id, 'created_at', w.created_at,
         'completed_at', w.completed_at, 'duration_ms', w.duration_ms, 'error', w.error, 'payload', w.payload)
     from worker.tasks as w where w.id = (select min(m.id) from made as m)), 'one command as the view shows it');
select queues.cancel_task(max(m.id)) from made as m;
select is(worker.list_commands('beta', 'failed')->'rows'->0->'state', '"failed"', 'a cancelled one has failed');
select is_empty($$select r->>'id', r->>'state', r->>'error' from jsonb_array_elements(worker.list_commands()->'rows') as r
    except select w.id::text, w.state, w.error from worker.tasks as w$$, 'states and errors are those of the view');
select ok(worker.list_commands('alpha', _queue => 'default', _limit => 3)->'cursor' = 'null', 'the last page has no cursor');
select is(worker.show_command(999999), null, 'null: there is none');
select * from finish();
rollback;
