-- The claim takes the platforms of a workspace in turns, so the index of due channels holds the platform too.
drop index channel_due;
create index channel_due on channel (wake_at, workspace_id, platform, id) where wake_at is not null;
