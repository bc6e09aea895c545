-- The row lock is the lease; a second session is needed to see it, so only the rule is read here.
begin;
select plan(2);
select test.enqueue() as id \gset
select test.lease(:id);
select is(test.take_back(), 0, 'a lease that has not run out is left alone');
select test.expire(:id);
select is(test.take_back(), 1, 'one that has is not');
select * from finish();
rollback;
