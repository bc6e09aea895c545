-- Types of messages.
create type comms.channel as enum ('email', 'sms');
comment on type comms.channel is 'How a message travels: email or sms.';
