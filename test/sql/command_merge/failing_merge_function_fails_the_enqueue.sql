begin;
select plan(5);
set local client_min_messages = error;
create function test.merge_fails(_old jsonb, _new jsonb) returns jsonb language plpgsql as $$
begin
    if _new ? 'bad' then
        raise exception using errcode = 'ZZ123', message = 'cannot merge';
    end if;
    return case when _new ? 'odd' then '[]' else _old || _new end;
end $$;
select worker.register_command('x', 'test.plain', 'default', p_dedup_keys => '{}', p_merge_function => 'test.merge_fails');
select lives_ok($$select worker.enqueue('x', '{"bad": true}')$$, 'the first one has nothing to be merged with');
select throws_ok($$select worker.enqueue('x', '{"bad": true}')$$, 'ZZ123', 'cannot merge', 'with its own SQLSTATE');
select throws_ok($$select worker.enqueue('x', '{"odd": true}')$$, '22023', null, 'a result that is no object');
select lives_ok($$select worker.enqueue('x', '{"good": true}')$$, 'others are merged');
select is((select count(*) from queues.merging), 1::bigint, 'and what failed is not');
select * from finish();
rollback;
