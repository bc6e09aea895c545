begin;
select plan(2);
create function test.unique_twice(_payload jsonb) returns jsonb language plpgsql set search_path = pg_catalog, pg_temp as $$
begin create temp table once (a integer primary key); insert into pg_temp.once values (1), (1); return '{}'; end $$;
select internal.allow_function('test.unique_twice');
select test.enqueue('test.unique_twice') as a \gset
select test.run(:a);
select ok(test.last_error(:a) like '%Detail: %(1)%', 'the detail is kept');
select internal.set_config('error_detail', 'false');
select test.enqueue('test.unique_twice') as b \gset
select test.run(:b);
select ok(test.last_error(:b) not like '%(1)%', 'or not, by a setting');
select * from finish();
rollback;
