-- A shop for the dashboard: some of everything that its pages show.  {NAME} stands for a name, plain or evil.
set client_min_messages = warning;
create schema shop;
grant usage on schema shop to queues_runner, queues_enqueuer;
create table shop.orders (id integer primary key, total numeric not null);

create function shop.pack(_payload jsonb) returns jsonb language sql security definer set search_path = pg_catalog, pg_temp
    as $$ select jsonb_build_object('status', 'succeeded', 'packed', _payload->'parcel') $$;
create function shop.breaks(_payload jsonb) returns jsonb language plpgsql security definer set search_path = pg_catalog, pg_temp
    as $$ begin raise exception 'the printer is out of paper: %', coalesce(_payload->>'why', 'no reason'); end $$;
create procedure shop.rebuild(payload jsonb) language plpgsql security definer set search_path = pg_catalog, pg_temp
    as $$
begin
    if payload->>'part' is null then
        perform worker.spawn('rebuild', jsonb_build_object('part', p), worker.current_task_id()) from generate_series(1, 3) as p;
    end if;
end
$$;
create procedure shop.collapses(payload jsonb) language plpgsql security definer set search_path = pg_catalog, pg_temp
    as $$ begin raise exception 'the index does not fit'; end $$;
revoke all on all routines in schema shop from public;
grant execute on all routines in schema shop to queues_runner;
select internal.allow_function('shop.pack'), internal.allow_function('shop.breaks');
select worker.register_command('rebuild', 'shop.rebuild', 'analytics', p_description => 'builds an index again'),
       worker.register_command('collapses', 'shop.collapses', 'analytics');

select queues.create_queue('reports', 2, null, 'two reports at once'), queues.create_queue('imports');
select queues.enqueue('db_function', jsonb_build_object('db_function', 'shop.pack', 'parcel', p, 'to', 'Ada ' || p)) from generate_series(1, 90) as p;
select queues.enqueue('db_function', '{"db_function": "shop.breaks", "why": "ask the clerk"}', _max_attempts => 2, _backoff => '[0.1]') from generate_series(1, 2);
select queues.enqueue('db_function', '{"db_function": "shop.breaks", "why": "ask the clerk"}') from generate_series(1, 8);
select queues.enqueue('db_function', '{"db_function": "shop.pack", "parcel": 0}', now() + interval '3 hours') from generate_series(1, 14);
select queues.enqueue('db_function', '{"db_function": "shop.pack", "parcel": 7}', _queue => 'reports') from generate_series(1, 30);
select queues.pause_queue('imports', '2 hours');
select queues.enqueue('db_function', '{"db_function": "shop.pack", "parcel": 8}', _queue => 'imports') from generate_series(1, 25);
select worker.enqueue('rebuild', '{}'), worker.enqueue('collapses', '{"index": 5}');
select queues.schedule('nightly', '0 3 * * *', 'db_function', '{"db_function": "shop.pack", "parcel": 9}', _zone => 'Europe/Oslo'),
       queues.schedule('poll', 'every 1 minutes', 'db_function', '{"db_function": "shop.pack", "parcel": 10}'),
       queues.schedule('old', '0 4 * * *', 'db_function', '{"db_function": "shop.pack", "parcel": 11}');
select queues.fire_schedule('poll');
select queues.pause_schedule('old', 'replaced by nightly');
select pgqueue.create_webhook('orders', 'shop.orders', array['insert', 'update'], 'http://127.0.0.1:1/orders');
insert into pgqueue.job_queue (job_type, url, payload, retry_limit) select 'POST', 'http://127.0.0.1:1/hook/' || g, jsonb_build_object('order', g), 0
from generate_series(1, 5) as g;
insert into shop.orders values (1, 10), (2, 20);
