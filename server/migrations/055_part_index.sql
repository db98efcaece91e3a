-- no transaction
-- Lists and figures are about channels: with this condition their indexes answer them alone.
drop index concurrently if exists part_finished;
create index concurrently part_finished on part (workspace_id, finished_at, id) include (platform, outcome) where outcome is not null and number = 0;
drop index concurrently if exists channel_finished;
drop index concurrently if exists part_published;
create index concurrently part_published on part (workspace_id, connection_id, published_at)
  where outcome = 'published' and platform_post_id is not null and number = 0;
drop index concurrently if exists channel_published;
drop index concurrently if exists part_troubled;
create index concurrently part_troubled on part (workspace_id, outcome, finished_at, post_id)
  where outcome in ('failed', 'unconfirmed') and number = 0;
drop index concurrently if exists channel_troubled_by_time;
