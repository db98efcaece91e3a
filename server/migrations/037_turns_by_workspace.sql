-- no transaction
-- With a backlog, the claim steps from one workspace and platform to the next instead of reading the oldest channels of all of them.
drop index concurrently if exists channel_due_by_workspace;
create index concurrently channel_due_by_workspace on channel (workspace_id, platform, wake_at, id) where wake_at is not null;
