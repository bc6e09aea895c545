begin;
select plan(17);
set local client_min_messages = error;
select internal.allow_function('test.ok'), internal.allow_function('test.raises'), internal.allow_function('test.answer');
select queues.worker_alive(test.worker());
create function pg_temp.why(_id bigint) returns queues.explanation language sql as $$ select queues.why(_id) $$;

select test.enqueue('test.ok') as ok, test.enqueue('test.raises') as bad, test.enqueue('test.ok') as revoked, test.enqueue('test.ok') as gone,
       test.enqueue('test.ok') as crashes, test.enqueue('test.answer', '{"answer": {"status": "not_now"}}') as no \gset
select test.run(:ok), test.run(:bad), test.run(:no);
select is((pg_temp.why(:ok)).reason, 'succeeded', 'it succeeded');
select alike((pg_temp.why(:ok)).sentence, 'Task % succeeded at % ago), run by worker one.', 'when, and by whom');
select is((pg_temp.why(:no)).reason, 'non_success', 'it ended without success');
select alike((pg_temp.why(:no)).sentence, '%with status not_now%', 'with its status');
select is((pg_temp.why(:bad)).reason, 'failed', 'it failed');
select alike((pg_temp.why(:bad)).sentence, '%: boom.', 'with its last error');
select queues.retry_task(:bad) as retried \gset
select is((pg_temp.why(:bad)).evidence->'retried_as', jsonb_build_array(:retried::bigint), 'and was retried by hand');
select internal.revoke_function('test.ok');
select test.run(:revoked);
select is((pg_temp.why(:revoked)).reason, 'function_not_registered', 'its function was not registered');
select queues.cancel_task(:gone, 'no longer needed');
select is((pg_temp.why(:gone)).reason || ' by ' || (pg_temp.why(:gone)).by_whom, 'cancelled by ' || session_user, 'cancelled, by whom');
select alike((pg_temp.why(:gone)).sentence, '%: no longer needed.', 'and why');
select internal.allow_function('test.ok');
select test.enqueue('test.ok') as stopped \gset
select test.lease(:stopped), queues.cancel_task(:stopped, 'stop it'), test.expire(:stopped), test.take_back();
select alike((pg_temp.why(:stopped)).sentence, '%was cancelled at % by %: stop it.', 'a request to cancel a running task, too');
select test.lease(:crashes), test.expire(:crashes), test.take_back() from generate_series(1, 5);
select is((pg_temp.why(:crashes)).reason || ' ' || ((pg_temp.why(:crashes)).evidence->>'leases_died'), 'quarantined 5', 'its leases died');
select queues.enqueue('db_function', '{"db_function": "test.ok"}', _dedup_key => 'k') as old \gset
select queues.enqueue('db_function', '{"db_function": "test.ok"}', _dedup_key => 'k', _dedup_policy => 'replace');
select is((pg_temp.why(:old)).reason, 'superseded', 'another task replaced it');
select internal.allow_function('test.before', 'before'), internal.allow_function('test.success', 'success'), internal.allow_function('test.error', 'error');
select test.enqueue_email('{}', 'fail') as mail \gset
select test.dispatch(:mail);
select queues.finish(test.worker(), :mail, 1, 'in_doubt');
select is((pg_temp.why(:mail)).reason, 'in_doubt', 'in doubt');
select queues.set_retry_policy('function', 'test.raises', 2, '[0]');
select test.enqueue('test.raises') as first \gset
select test.run(:first);
select task_id as second from queues.task where retry_of = :first \gset
select test.run(:second);
select is((pg_temp.why(:second)).reason || ' ' || ((pg_temp.why(:second)).evidence->>'attempt'), 'failed 2', 'the last attempt has failed');
select alike((pg_temp.why(:first)).sentence, format('%%goes on with task %s, and attempt task %s has ended as failed.', :second, :second), 'the first attempt says how the chain ended');
select ok((select bool_and(w.sentence ~ '^[A-Z].*\.$' and w.sentence !~ '\.\.$|%|null') from queues.task as t, queues.why(t.task_id) as w), 'every sentence is one');
select * from finish();
rollback;
