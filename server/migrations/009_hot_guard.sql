-- Setting the guard happens thousands of times in the second in which many posts are due, so it must not update an index. Therefore no
-- index contains the state itself, only columns that do not change when a channel goes from dispatched to submitting.
alter table channel
  -- When the dispatcher reads the channel; null if it is not scheduled.
  add column wake_at timestamptz generated always as (case when state = 'scheduled' then dispatch_at end) stored,
  -- The final state; null in any other state.
  add column outcome text generated always as (case when state in ('published', 'failed', 'unconfirmed') then state end) stored;

drop index channel_due, channel_finished, channel_published;
-- The schedule. The channels that are due next are at the start of this index, however many are scheduled.
create index channel_due on channel (wake_at) where wake_at is not null;
-- The channels that analytics count, by time; an index-only scan does not read the table.
create index channel_finished on channel (workspace_id, finished_at, id) include (platform, outcome) where outcome is not null;
-- The published posts of a connection, for which metrics are requested.
create index channel_published on channel (workspace_id, connection_id, published_at) where outcome = 'published' and platform_post_id is not null;
