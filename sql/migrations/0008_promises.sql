-- 0008_promises: functions whose signature or place has changed go, the new ones come with the functions.
drop function if exists internal.require_plain_casts(oid);
