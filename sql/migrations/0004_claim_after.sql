-- 0004_claim_after: a claim can start right behind a task, and where the last one ended.
-- Locks: none on tables.
alter type internal.lane add attribute after_id bigint;
drop function if exists internal.claim_lanes(integer, integer, integer, smallint[], text[], boolean, jsonb, timestamptz, integer);
