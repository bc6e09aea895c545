-- One run folds at most 16 MB of merged payloads; a new task gets the rest.
begin;
select plan(2);
insert into queues.merging (task_id, payload, available_at, priority, merged_at, merged_by)
select 1, jsonb_build_object('n', n, 'text', (select string_agg(md5((n * i)::text), '') from generate_series(1, 200000) as i)), now(), 0, now(), session_user
from generate_series(1, 3) as n;
select is(array(select p->>'n' from unnest(internal.take_merges(1, 0, 0)) as p), '{1,2}', 'the first two of six megabytes each');
select is((select array_agg(m.payload->>'n') from queues.merging as m), '{3}', 'the third is left');
select * from finish();
rollback;
