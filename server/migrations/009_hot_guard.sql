-- Setting the guard, thousands of times in the second many posts are due, must not touch an index. So no index mentions the state itself,
-- only what is left the same while a channel goes from dispatched to submitting.
alter table channel
  -- When the dispatcher is to look at it; null while it does not wait in the schedule.
  add column wake_at timestamptz generated always as (case when state = 'scheduled' then dispatch_at end) stored,
  -- How it ended; null while it has not.
  add column outcome text generated always as (case when state in ('published', 'failed', 'unconfirmed') then state end) stored;

drop index channel_due, channel_finished, channel_published;
-- The schedule: a year of posts is entries of this index, and the next ones due are at its start.
create index channel_due on channel (wake_at) where wake_at is not null;
-- What a workspace's analytics count, in order of time, without a look at the channels themselves.
create index channel_finished on channel (workspace_id, finished_at, id) include (platform, outcome) where outcome is not null;
-- A connection's published posts, whose figures are asked for.
create index channel_published on channel (workspace_id, connection_id, published_at) where outcome = 'published' and platform_post_id is not null;
