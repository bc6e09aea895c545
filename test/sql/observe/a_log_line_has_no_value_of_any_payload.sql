begin;
select plan(3);
select is(internal.logged_line(E'boom: canary\nmore', '[{"text": "canary"}, null]'), 'boom: ...', 'a value of the payload is cut out');
create procedure test.tells_kind(payload jsonb) language plpgsql security definer set search_path = pg_catalog, pg_temp as
    $$ begin raise exception 'ids are %', payload->'ids'; end $$;
update worker.command_registry set handler_procedure = 'test.tells_kind' where command = 'merged';
select worker.enqueue('merged', '{"kind": "a", "ids": ["first"]}') as id \gset
select worker.enqueue('merged', '{"kind": "a", "ids": ["canary"]}');
select is(test.run_command(:id), 'failed', 'a command with a merge fails');
select unalike((select error from internal.ended_as(test.worker(), :id, 1)), '%canary%', 'a value that was merged in is cut out, too');
select * from finish();
rollback;
