-- A column's type may have a cast to json that is a function of its owner's.  A webhook never calls it.
begin;
select tap.plan(12);
\ir evil.sql
set local role test_mallory;
create type evil.colour as enum ('red', 'green');
create domain evil.shade as evil.colour;
create type evil.pair as (a integer, c evil.colour);
create function evil.leak(evil.colour) returns json language plpgsql security definer as $$
begin
    perform evil.spoil();
    perform evil.took('called', 'cast');
    return '"spoilt"';
end $$;
create cast (evil.colour as json) with function evil.leak(evil.colour);
create function evil.words(evil.colour) returns text language plpgsql security definer as $$
begin
    perform evil.spoil();
    perform evil.took('called', 'cast to text');
    return 'spoilt';
end $$;
create cast (evil.colour as text) with function evil.words(evil.colour);
create table evil.paint (id integer primary key, c evil.colour, d evil.shade, cs evil.colour[], p evil.pair, ps evil.pair[], n json);
create trigger w after insert on evil.paint for each row execute function pgqueue.trigger_webhook('https://x.example/');
insert into evil.paint values (1, 'red', 'green', '{red,NULL,green}', '(7,red)', '{"(8,green)"}', '{"k": 1}');
reset role;
select tap.is(test.loot(), '', 'for each row: nobody looked anything up in evil');
reset role;
select tap.is((select j.payload->'record' from pgqueue.job as j order by j.job_id desc limit 1),
          '{"id": 1, "c": "red", "d": "green", "cs": ["red", null, "green"], "p": {"a": 7, "c": "red"}, "ps": [{"a": 8, "c": "green"}], "n": {"k": 1}}',
          'its values are written as they are shown');
set local role test_mallory;
drop trigger w on evil.paint;
create trigger w after insert on evil.paint referencing new table as new_rows for each statement
    execute function pgqueue.trigger_webhook('https://x.example/');
create trigger u after update on evil.paint referencing old table as old_rows new table as new_rows for each statement
    execute function pgqueue.trigger_webhook('https://x.example/');
create trigger d after delete on evil.paint referencing old table as old_rows for each statement
    execute function pgqueue.trigger_webhook('https://x.example/');
insert into evil.paint (id, c, cs) values (2, 'red', '{{red,green},{green,red}}');
update evil.paint set c = 'green' where id = 2;
delete from evil.paint where id = 2;
reset role;
select tap.is(test.loot(), '', 'for each statement: nobody');
select tap.results_eq($$select j.payload->>'type', j.payload #>> '{record,c}', j.payload #>> '{old_record,c}', j.payload #> '{record,cs}' from pgqueue.job as j order by j.job_id desc limit 3$$,
    $$values ('DELETE', null, 'green', null), ('UPDATE', 'green', 'red', '[["red", "green"], ["green", "red"]]'::jsonb),
             ('INSERT', 'red', null, '[["red", "green"], ["green", "red"]]')$$, 'the values');
set local role test_mallory;
insert into evil.paint (id, c, cs, p) select i, 'red', '{green}', row(i, 'red')::evil.pair from generate_series(1001, 1300) as i;
reset role;
select tap.is(test.loot(), '', 'a large statement: nobody');
select tap.ok(true) from pgqueue.webhook_change limit 1;
select tap.is((select count(*) from pgqueue.webhook_change_column as c cross join json_array_elements(c.others) as e
           where c.column_name in ('c', 'cs', 'p') and e::text ~ 'spoilt'), 0::bigint, 'and what is kept of it is unspoilt');
call worker.process_tasks();
select tap.is(test.loot(), '', 'nor when its jobs are made');
select tap.is((select j.payload->'record' from pgqueue.job as j where j.payload #>> '{record,id}' = '1300'),
          '{"id": 1300, "c": "red", "d": null, "cs": ["green"], "p": {"a": 1300, "c": "red"}, "ps": null, "n": null}', 'the values');

-- The same through a webhook of an administrator on a table that has such a column.
grant queues_admin to test_mallory;
set local role test_mallory;
select pgqueue.create_webhook('paint', 'evil.paint', '{INSERT,UPDATE}', 'https://x.example/', _columns => '{id,c}');
insert into evil.paint (id, c) values (5, 'red');
update evil.paint set c = 'green' where id = 5;
insert into evil.paint (id, c) select i, 'red' from generate_series(2001, 2300) as i;
reset role;
select tap.is(test.loot(), '', 'a webhook by name: nobody');
select tap.is((select j.payload->'record' from pgqueue.job as j join pgqueue.webhook as w on w.webhook_id = j.webhook_id where j.payload->>'type' = 'UPDATE'),
          '{"id": 5, "c": "green"}', 'the values');
select tap.is(current_setting('search_path'), 'public, tap', 'and the session is as it was');
select * from tap.finish();
rollback;
