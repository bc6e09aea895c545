-- Messages, where the module is installed.
set client_min_messages = warning;
select comms.create_and_kickoff_email_task('shop@example.com', 'ada@example.com', 'Your parcel is on its way', '<p>Hello Ada, it comes on Friday.</p>');
select comms.create_and_kickoff_sms_task('+4712345678', 'Your parcel is here');
