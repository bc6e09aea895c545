begin;
select plan(22);
create function pg_temp.repaired(_damage text) returns text language plpgsql as $$
declare
    _changed bigint;
    _before text;
begin
    begin
        execute _damage;
        _before := test.violations();
        _changed := queues.rebuild_working_set();
        _before := format('%s, then %s', case when _before <> '' then 'red' else 'green' end,
                          case when test.violations() = '' then 'green' else test.violations() end);
        if _changed < 1 then
            _before := 'nothing changed';
        end if;
        raise exception using errcode = 'ZZ999';
    exception when sqlstate 'ZZ999' then
        null;
    end;
    return _before;
end $$;
select test.enqueue() as waits, test.enqueue() as held, test.enqueue() as done, test.enqueue() as crashed, test.enqueue_email('{"on_success": "raise"}') as pending,
       queues.enqueue('http', '{"a": 1}', _dedup_key => 'k') as merged \gset
select queues.enqueue('http', '{"b": 2}', _dedup_key => 'k', _dedup_policy => 'merge');
select test.lease(:crashed);
select queues.expire_lease(:crashed);
select test.lease(:held), test.run(:done), test.dispatch(:pending);
select queues.finish(test.worker(), :pending, 1, 'succeeded');
select test.process(1, 'again') as tick \gset
select test.run(:tick);
select is(test.violations(), '', 'healthy');
select is(queues.rebuild_working_set(), 0::bigint, 'nothing to repair');
create temp table damage (what text, statement text);
insert into damage values
    ('a lost ready row', format('delete from queues.ready where task_id = %s', :waits)),
    ('all ready rows', 'delete from queues.ready'),
    ('a lost running row', format('delete from queues.running where task_id = %s', :held)),
    ('a row in two places', format('insert into queues.ready (queue_id, priority, available_at, task_id, type_id) select queue_id, priority, now(), task_id, type_id from queues.running where task_id = %s', :held)),
    ('a completed task that waits', format('insert into queues.ready (queue_id, priority, available_at, task_id, type_id) select queue_id, 0, now(), %s, type_id from queues.running where task_id = %s', :done, :held)),
    ('a row of no task', format('insert into queues.ready (queue_id, priority, available_at, task_id, type_id) select queue_id, 0, now(), 999999999, type_id from queues.running where task_id = %s', :held)),
    ('another time', format('update queues.ready set available_at = now() + interval ''1 hour'' where task_id = %s', :waits)),
    ('another priority', 'update queues.ready set priority = priority + 1'),
    ('a lower lease number', format('update queues.ready set lease_no = 0 where task_id = %s', :crashed)),
    ('another count of crashes', format('update queues.ready set crash_count = 4 where task_id = %s', :crashed)),
    ('another phase', format('update queues.ready set phase = null where task_id = %s', :pending)),
    ('another number in running', format('update queues.running set lease_no = 7 where task_id = %s', :held)),
    ('another end of a lease', format('update queues.running set expires_at = now() where task_id = %s', :held));
select is(pg_temp.repaired(statement), 'red, then green', what) from damage;
-- What comes back is what was there.
create temp table before as select * from queues.ready;
create temp table before_running as select * from queues.running;
delete from queues.ready;
delete from queues.running;
select is(queues.rebuild_working_set(), (select count(*) from before) + (select count(*) from before_running), 'all of it is written anew');
select is_empty('select * from before except select * from queues.ready', 'every ready row, merged payload and all');
select is_empty('select * from queues.ready except select * from before', 'and no other');
select is_empty('select * from before_running except select * from queues.running', 'every running row');
select is_empty('select * from queues.running except select * from before_running', 'and no other one');
select is((select count(*) from queues.audit where action = 'rebuild_working_set'), 2::bigint, 'on record');
select is(test.sqlstate_as('queues_operator', 'select queues.rebuild_working_set()'), '42501', 'not for operators');
select * from finish();
rollback;
