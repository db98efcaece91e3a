-- no transaction
-- Failures of the last days are counted on every page. The index has their time, so that older ones cost nothing, however many there are.
drop index concurrently if exists channel_troubled_by_time;
create index concurrently channel_troubled_by_time on channel (workspace_id, outcome, finished_at, post_id)
  where outcome in ('failed', 'unconfirmed');
drop index concurrently if exists channel_troubled;
