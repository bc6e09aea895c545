-- The whole list of (role, object, privilege) is a plain file beside this one; differences
-- are printed.  helpers.sql tells how to write it anew.
begin;
select plan(3);
create temp table golden (line text);
\copy golden from 'contract/privileges.golden'
select is_empty('select line from golden except select line from test.privilege', 'nothing is missing');
select is_empty('select line from test.privilege except select line from golden', 'nothing is too much');
select is((select count(*) from golden), (select count(distinct line) from golden), 'no line is there twice');
select * from finish();
rollback;
