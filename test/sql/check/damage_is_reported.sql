-- One kind of damage after the other, each undone before the next.
begin;
select plan(18);
create function pg_temp.after(_damage text) returns text language plpgsql as $$
declare
    _found text;
begin
    begin
        execute _damage;
        _found := test.violations();
        raise exception using errcode = 'ZZ999';
    exception when sqlstate 'ZZ999' then
        null;
    end;
    return _found;
end $$;
select test.unguard(t::regclass) from unnest(array['queues.task', 'queues.task_lease', 'queues.task_completed', 'queues.task_lease_ended',
    'queues.task_dispatched', 'queues.late_result', 'queues.process_run', 'queues.process_ended']) as t;
select test.enqueue() as waits, test.enqueue() as held, test.enqueue() as done, test.enqueue_email(_on_in_doubt => 'fail') as sent \gset
select test.lease(:held), test.run(:done), test.dispatch(:sent);
select test.process(1, 'end') as tick \gset
select test.run(:tick);
create temp table damage (what text, statement text, found text);
insert into damage values
    ('a lost ready row', format('delete from queues.ready where task_id = %s', :waits), 'one_place'),
    ('a lost running row', format('delete from queues.running where task_id = %s', :held), 'one_place'),
    ('a row in two places', format('insert into queues.ready (queue_id, priority, available_at, task_id, type_id) select queue_id, priority, now(), task_id, type_id from queues.running where task_id = %s', :held), 'one_place'),
    ('a completed task that waits', format('insert into queues.ready (queue_id, priority, available_at, task_id, type_id) select queue_id, 0, now(), %s, type_id from queues.running where task_id = %s', :done, :held), 'one_place'),
    ('another time', 'update queues.ready set available_at = available_at + interval ''1 s''', 'ready_follows_facts'),
    ('another priority', 'update queues.ready set priority = priority + 1', 'ready_follows_facts'),
    ('another count of crashes', 'update queues.ready set crash_count = 3', 'ready_follows_facts'),
    ('another lease number', format('update queues.running set lease_no = 7 where task_id = %s', :held), 'running_follows_facts'),
    ('another end of a lease', format('update queues.running set expires_at = now() where task_id = %s', :held), 'running_follows_facts'),
    ('a gap in lease numbers', format('update queues.task_lease set lease_no = 3 where task_id = %s', :done), 'lease_numbers'),
    ('a time that never comes', format('update queues.task set scheduled_at = ''infinity'' where task_id = %s', :done), 'finite_times'),
    ('a start before its time', format('update queues.task set scheduled_at = now() + interval ''1 day'' where task_id = %s', :done), 'not_before_its_time'),
    ('a lease after the end', format('insert into queues.task_lease (task_id, leased_at, expires_at, lease_no, holder_id) select task_id, now(), now(), 2, holder_id from queues.task_lease where task_id = %s', :done), 'no_lease_after_completion'),
    ('a completion of an old lease', format('update queues.task_completed set lease_no = 0 where task_id = %s', :done), 'completion_of_newest_lease'),
    ('two keys', format('insert into queues.task_dispatched values (%s, 2, now(), ''email'', ''other'')', :sent), 'one_key_per_task'),
    ('two sends when in doubt fails', format('insert into queues.task_dispatched select task_id, 2, dispatched_at, adapter, idempotency_key from queues.task_dispatched where task_id = %s', :sent), 'dispatched_once'),
    ('a fact of no task', 'insert into queues.task_completed (task_id, completed_at, outcome) values (999999999, now(), ''failed'')', 'facts_of_unknown_task'),
    ('a process without run or end', 'delete from queues.process_ended', 'process_open_or_ended');
select ok(pg_temp.after(statement) ~ ('(^|,)' || found || '(,|$)'), what) from damage;
select * from finish();
rollback;
