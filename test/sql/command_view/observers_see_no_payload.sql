begin;
select plan(5);
select worker.enqueue('merged', '{"kind": "secret"}') as id, worker.enqueue('merged', '{"kind": "secret"}'), worker.enqueue('act', '{"info": {"secret": 1}}') as done \gset
select test.run_command(:done);
create function test.seen(_role name) returns jsonb language plpgsql as $$
declare
    _seen jsonb;
begin
    perform set_config('role', _role, true);
    select jsonb_agg(to_jsonb(t)) into _seen from worker.tasks as t;
    _seen := _seen || worker.current_status();
    perform set_config('role', 'none', true);
    return _seen;
end $$;
select unalike(test.seen('queues_observer')::text, '%secret%', 'payload and info are hidden');
select alike(test.seen('queues_operator')::text, '%"kind": "secret"%', 'an operator sees them');
select is(test.sqlstate_as('queues_observer', 'select * from queues.merging'), '42501', 'not by another way');
set local role queues_observer;
select coalesce(internal.shown_payload(:id, '{"command": "merged"}')::text, 'hidden') as payload, coalesce(internal.tree_info(:done)::text, 'hidden') as info \gset
reset role;
select is(:'payload'::text, 'hidden', 'nor by the functions behind the view');
select is(:'info'::text, 'hidden', 'either of them');
select * from finish();
rollback;
