-- 0007_speed: no check constraint on the hot insert of tasks.
-- Locks: task exclusively, for a moment.
alter table queues.task drop constraint scheduled_at_is_finite;
