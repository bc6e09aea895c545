-- The numbers of task types are small integers: 32767 of them, for ever.
begin;
select plan(7);
create function pg_temp.drawn(_table text) returns bigint language plpgsql
as $$
declare
    _last bigint;
begin
    execute format('select case when is_called then last_value else 0 end from %s',
                   pg_get_serial_sequence(_table, case _table when 'queues.queue' then 'queue_id' else 'type_id' end)) into _last;
    return _last;
end
$$;
select queues.register_task_type('fax', 'http');
create temp table before as select pg_temp.drawn('queues.registered_task_type') as types, pg_temp.drawn('queues.queue') as queues;
select queues.register_task_type('fax', 'http', _description => n::text) from generate_series(1, 100) as n;
select is(pg_temp.drawn('queues.registered_task_type'), (select types from before), 'registering a type again draws no number');
select is((select description from queues.registered_task_type where task_type = 'fax'), '100', 'and changes the type');
select throws_ok($$select queues.register_task_type('fax', 'sms')$$, '22023', null, 'a registration that is refused');
select is(pg_temp.drawn('queues.registered_task_type'), (select types from before), 'draws none either');
select throws_ok($$select queues.create_queue('default')$$, '42710', null, 'a queue that is there already');
select is(pg_temp.drawn('queues.queue'), (select queues from before), 'draws no number of a queue');
-- As a migration does.
\ir ../../../sql/rows.sql
select is((pg_temp.drawn('queues.registered_task_type'), pg_temp.drawn('queues.queue')), (select (types, queues) from before),
          'nor do the first rows when they are applied again');
select * from finish();
rollback;
