-- One sentence and a fixed word for each reason why a task waits.
begin;
select plan(48);
set local client_min_messages = error;
select internal.allow_function('test.ok'), internal.allow_function('test.raises'), internal.allow_function('test.before', 'before'),
       internal.allow_function('test.success', 'success');
create function pg_temp.reason(_id bigint) returns text language sql as $$ select w.reason from queues.why(_id) as w $$;
create function pg_temp.sentence(_id bigint) returns text language sql as $$ select w.sentence from queues.why(_id) as w $$;
create function pg_temp.also(_id bigint) returns text language sql as
    $$ select string_agg(a->>'reason', ',') from queues.why(_id) as w, jsonb_array_elements(w.evidence->'also') as a $$;

-- Workers.
select test.enqueue('test.ok') as id \gset
select is(pg_temp.reason(:id), 'no_worker', 'nobody works');
select queues.worker_alive(test.worker(), null, array['sms']);
select is(pg_temp.reason(:id), 'not_served', 'none serves its type');
select alike(pg_temp.sentence(:id), '%None of the 1 live workers serves type db_function%', 'and the type is named');
select queues.worker_alive(test.worker(), array['http'], null);
select alike(pg_temp.sentence(:id), '%serves queue default%', 'none serves its queue');
update queues.worker_seen set seen_at = clock_timestamp() - interval '2 minutes';
select is((select w.reason || ' ' || (w.since = s.seen_at) from queues.why(:id) as w, queues.worker_seen as s), 'no_worker true', 'a silent worker is none');
select queues.worker_alive(test.worker());
select is(pg_temp.reason(:id), 'due', 'it is due, and a worker lives');

-- Its turn.
update queues.ready set available_at = now() - interval '1 hour' where task_id = :id;
select test.unguard('queues.task');
update queues.task set scheduled_at = now() - interval '1 hour' where task_id = :id;
select is(pg_temp.reason(:id), 'unknown', 'an hour later nobody knows');
select alike(pg_temp.sentence(:id), 'I don''t know %', 'and it says so');
select test.enqueue('test.ok') as next, test.enqueue('test.ok', _priority => 5) as last \gset
select is((select w.reason || ' ' || (w.evidence->>'before') from queues.why(:next) as w), 'in_line 1', 'another task comes first');
select is((select w.reason || ' ' || (w.evidence->>'more_urgent_priority') from queues.why(:last) as w), 'in_line 0', 'more urgent tasks come first');

-- Time.
select test.enqueue('test.ok', _at => now() + interval '1 hour') as later \gset
select is((select w.reason || ' ' || (w.until = now() + interval '1 hour') from queues.why(:later) as w), 'not_due true', 'it is not due, and until when');
select queues.reschedule_task(:later, now() + interval '2 hours');
select is((select w.reason || ' ' || w.by_whom from queues.why(:later) as w), 'not_due ' || session_user, 'somebody chose another time');
select queues.set_retry_policy('function', 'test.raises', 3, '[600, 600]');
select test.enqueue('test.raises') as first \gset
select test.run(:first);
select task_id as second from queues.task where retry_of = :first \gset
select is((select w.reason || ' ' || (w.evidence->>'attempt') || ' ' || (w.evidence->>'last_attempt' = :'first') || ' ' || (w.sentence like '%boom.') from queues.why(:second) as w),
    'next_attempt 2 true true', 'it is the next attempt of a chain');
select is((select w.reason || ' ' || (w.evidence->>'next_attempt' = :'second') from queues.why(:first) as w), 'retried true', 'and the failed attempt says so');
select test.enqueue('test.ok') as crashed \gset
select test.lease(:crashed), test.expire(:crashed), test.take_back(), test.lease(:crashed), test.expire(:crashed), test.take_back();
select is((select w.reason || ' ' || (w.evidence->>'how') || ' ' || (w.until > clock_timestamp()) from queues.why(:crashed) as w), 'backoff expired true', 'its lease died twice');

-- Queues.
select queues.create_queue('slow', 1), queues.create_queue('tops', null, 1);
select test.enqueue('test.ok', _queue => 'slow') as one, test.enqueue('test.ok', _queue => 'slow') as two \gset
select queues.claim(test.worker(), array['slow']);
select is((select w.reason || ' ' || (w.evidence->>'limit') || ' ' || (w.evidence->'tasks' = jsonb_build_array(:one::bigint)) from queues.why(:two) as w), 'limit_full max_running true', 'a limit is full, and by whom');
select queues.pause_queue('slow');
select is((select w.reason || ' ' || w.by_whom || ' ' || (w.since is not null) || ' ' || (w.until is null) from queues.why(:two) as w), 'queue_paused ' || session_user || ' true true', 'paused, by whom and since when');
select is(pg_temp.also(:two), 'limit_full', 'what else holds it back is not hidden');
select queues.pause_queue('slow', '1 hour');
select ok((select w.until > clock_timestamp() + interval '59 minutes' from queues.why(:two) as w), 'a pause with an end');
select queues.resume_queue('slow');
select test.enqueue('test.ok', _queue => 'tops') as top1, test.enqueue('test.ok', _queue => 'tops') as top2 \gset
select queues.claim(test.worker(), array['tops']);
select is((select w.reason || ' ' || (w.evidence->>'limit') from queues.why(:top2) as w), 'limit_full top_level_limit', 'the limit of trees');
select queues.release(test.worker(), array[:top1]::bigint[], array[1]);
select is((select w.reason || ' ' || (w.evidence->'tasks' = jsonb_build_array(:top1::bigint)) from queues.why(:top2) as w), 'interrupted_first true', 'an interrupted tree goes first');

-- Trees.
select worker.enqueue('act', '{"children": [{}, {}]}') as parent \gset
select test.run_command(:parent);
select (test.children(:parent))[1] as child1, (test.children(:parent))[2] as child2 \gset
select is((select w.reason || ' ' || (w.evidence->>'open_count') || ' ' || (w.evidence->'open' = jsonb_build_array(:child1::bigint, :child2::bigint)) from queues.why(:parent) as w), 'children 2 true', 'a parent waits for its children');
select worker.enqueue('act', '{"children": [{}, {}], "mode": "serial"}') as parent2 \gset
select test.run_command(:parent2);
select (test.children(:parent2))[1] as first_child, (test.children(:parent2))[2] as next_child \gset
select is((select w.reason || ' ' || (w.evidence->'open' = jsonb_build_array(:first_child::bigint)) from queues.why(:next_child) as w), 'sibling true', 'a serial child waits for its turn');

-- Calls.
select test.enqueue_email('{"on_success": "raise"}') as mail \gset
select test.dispatch(:mail);
select queues.finish(test.worker(), :mail, 1, 'succeeded', '{}');
select is((select w.reason || ' ' || (w.evidence->>'outcome') || ' ' || (w.until > clock_timestamp()) from queues.why(:mail) as w), 'handler_pending succeeded true', 'a handler that failed is left to run');
select test.enqueue_email('{}', 'fail') as doubt, test.enqueue_email() as again \gset
select test.dispatch(:doubt), test.dispatch(:again), test.expire(:doubt), test.expire(:again), test.take_back();
select is(pg_temp.reason(:doubt), 'in_doubt', 'in doubt, and not to be sent again');
select alike(pg_temp.also(:again), '%in_doubt%', 'in doubt, and sent again');
select queues.enqueue('http', '{"request": {"url": "https://x.example/a"}}') as call \gset
select destination as destination from queues.ready where task_id = :call \gset
select queues.worker_alive(test.worker(), null, null, array['y.example:443', :'destination'], array[1000, 60000]);
select is((select w.reason || ' ' || (w.evidence->>'destination' = :'destination') || ' ' || w.by_whom || ' ' || (w.until > clock_timestamp() + interval '50 seconds') from queues.why(:call) as w),
    'host_closed true one true', 'a host is closed, by whom and until when');
select queues.worker_alive(test.worker('two'));
select isnt(pg_temp.reason(:call), 'host_closed', 'but not if another worker calls it');
select queues.worker_alive(test.worker('two'), null, null, array[:'destination'], array[-5]);
select isnt(pg_temp.reason(:call), 'host_closed', 'nor if the time is over');

-- What will go wrong, and what runs with it.
select internal.revoke_function('test.ok');
select alike(pg_temp.also(:next), '%function_not_registered%', 'its function was revoked');
select alike((select w.evidence::text from queues.why(:next) as w), '%it names test.ok%', 'and is named');
select worker.enqueue('merged', '{"kind": 1, "n": 1}') as merged \gset
select worker.enqueue('merged', '{"kind": 1, "n": 2}');
select alike(pg_temp.also(:merged), '%merged%', 'payloads were merged into a command');
select is((select w.reason from queues.why(:merged) as w), (select w.reason from queues.why(:merged) as w), 'asking changes nothing');

-- A copy of a database.
select test.unguard('queues.task');
insert into internal.installation (system_identifier, database_oid, database_name, adopted_at) values (1, 1, 'other', now() + interval '1 day');
select is(pg_temp.reason(:next), 'not_adopted', 'a copy works only when it was adopted');
select alike(pg_temp.also(:later), 'not_adopted%', 'what comes first in time is said first');
delete from internal.installation where database_name = 'other';

-- Leases.
select internal.allow_function('test.ok');
select test.enqueue('test.ok') as leased, test.enqueue_email() as sent \gset
select test.lease(:leased), test.dispatch(:sent);
select is((select w.reason || ' ' || w.by_whom || ' ' || (w.until > clock_timestamp()) || ' ' || (w.evidence->>'worker_state') from queues.why(:leased) as w), 'leased worker one true live', 'leased by a live worker, until when');
select is(pg_temp.reason(:sent), 'calling', 'sent, and no answer yet');
select queues.cancel_task(:leased, 'enough');
select alike(pg_temp.sentence(:leased), '%asked to cancel it%', 'somebody asked to cancel it');
update queues.worker_seen set seen_at = clock_timestamp() - interval '2 minutes';
select is((select w.reason || ' ' || (w.evidence->>'worker_state') from queues.why(:leased) as w), 'worker_silent silent', 'its worker is silent');
select is(pg_temp.reason(:sent), 'worker_silent', 'also while a call is under way');
select test.expire(:leased);
select is(pg_temp.reason(:leased), 'lease_expired', 'its lease has run out');
select stop from queues.stop_worker(test.worker('two'), 'enough') as stop;

-- What the facts do not explain.
select is(pg_temp.reason(999999999), 'not_found', 'there is no such task');
select is(pg_temp.reason(null), 'not_found', 'nor a task null');
delete from queues.ready where task_id = :next;
select is(pg_temp.reason(:next), 'unknown', 'a task without its working row is lost');
select alike(pg_temp.sentence(:next), 'I don''t know%', 'and nobody guesses');
delete from queues.ready where parent_id = :parent;
select is(pg_temp.reason(:parent), 'unknown', 'nor why a parent waits for nobody');
select ok((select bool_and(w.sentence ~ '^[A-Z].*\.$' and w.sentence !~ '\.\.$|%|null') from queues.task as t, queues.why(t.task_id) as w), 'every sentence is one');
select is((select count(*) from queues.task as t, queues.why(t.task_id) as w where w.subject <> 'task ' || t.task_id or w.reason is null or w.evidence is null), 0::bigint, 'every explanation is whole');
select * from finish();
rollback;
