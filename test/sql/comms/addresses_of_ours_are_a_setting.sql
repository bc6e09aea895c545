begin;
select plan(3);
select is(comms.from_email_address('noreply'), null, 'not set yet');
select internal.set_config('from_emails', '{"noreply": "noreply@example.org", "hello": null}');
select is(comms.from_email_address('noreply'), 'noreply@example.org', 'by its name');
select is(comms.from_email_address('other'), null, 'an unknown name');
select * from finish();
rollback;
