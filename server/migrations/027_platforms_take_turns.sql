-- no transaction
-- The claim takes the platforms of a workspace in turns, so the index of due channels holds the platform too.
drop index concurrently if exists channel_due_by_platform;
create index concurrently channel_due_by_platform on channel (wake_at, workspace_id, platform, id) where wake_at is not null;
drop index concurrently if exists channel_due;
