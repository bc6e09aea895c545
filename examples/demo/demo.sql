-- The story of reeve dev: a function that writes a note, one that fails, and the parcel
-- example.  May be applied again.
create schema if not exists demo;
create table if not exists demo.note (
    note_id  bigint generated always as identity primary key,
    text     text not null,
    task_id  bigint not null,
    at       timestamptz not null default clock_timestamp()
);

create or replace function demo.write_note(_payload jsonb) returns jsonb
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
    insert into demo.note (text, task_id) values (coalesce(_payload->>'text', 'hello'), queues.current_task_id());
    return jsonb_build_object('status', 'succeeded');
end
$$;

create or replace function demo.fail(_payload jsonb) returns jsonb
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
    insert into demo.note (text, task_id) values ('this is rolled back', queues.current_task_id());
    raise exception 'the coffee machine is empty';
end
$$;
revoke all on all functions in schema demo from public;
select internal.allow_function('demo.write_note');
select internal.allow_function('demo.fail');
