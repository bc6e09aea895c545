begin;
select plan(8);
insert into comms.email_template (template_key, subject, body, body_params)
values ('welcome', 'Hello ${name}', '<p>${name} ${secret}</p>', '{name}'), ('plain', 's ${x}', 'b ${x}', '{}');
insert into comms.sms_template (template_key, body, body_params) values ('code', 'Your code is ${code}', '{code}');
select is((select subject from comms.render_email_template('welcome', '{"name": "Ann", "secret": "x"}')), 'Hello Ann', 'the subject');
select is((select body from comms.render_email_template('welcome', '{"name": "Ann", "secret": "x"}')), '<p>Ann ${secret}</p>', 'the body');
select is((select r::text from comms.render_email_template('plain', '{"x": 1}') as r), '("s ${x}","b ${x}")', 'no key, no change');
select ok((select subject is null and body is null from comms.render_email_template('unknown', '{}')), 'an unknown template is all null');
select is(comms.render_sms_template('code', '{"code": 1234}'), 'Your code is 1234', 'a text message');
select is(comms.render_sms_template('welcome', '{}'), null, 'templates of e-mail are others');
select throws_ok($$insert into comms.email_template (template_key, subject, body) values ('welcome', '', '')$$, '23505', null, 'a key is one template');
select is(test.sqlstate_as('queues_admin', $$update comms.sms_template set body = 'x' where template_key = 'code'$$), '00000', 'administrators keep them');
select * from finish();
rollback;
