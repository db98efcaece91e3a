-- Waits are columns, so that a crash or a restart keeps them.
alter table channel
  -- When the channel was created. Part of the handle: the same for every attempt, and known to a backup taken before the first attempt.
  add column if not exists handle_at timestamptz not null default now(),
  -- The channel is not claimed before this: two minutes (the dispatch horizon) after the time of the next attempt at preparing.
  add column not_before timestamptz,
  add column staged_at timestamptz,
  -- Why a channel that is due has not been sent yet, as shown to the person.
  add column waiting_reason text,
  -- How many files the channel was created with; fewer at sending means that a file was deleted.
  add column media_count smallint,
  add column comment_tries smallint not null default 0,
  add column comment_at timestamptz,
  add column comment_submitted_at timestamptz;
update channel set handle_at = armed_at where armed_at is not null;

alter table channel drop constraint channel_comment_state_check;
alter table channel add constraint channel_comment_state_check
  check (comment_state in ('none', 'waiting', 'submitting', 'done', 'failed'));

drop index channel_due;
alter table channel drop column wake_at;
alter table channel
  add column wake_at timestamptz generated always as (case when state = 'scheduled' then greatest(dispatch_at, not_before) end) stored;
-- The schedule. The workspace is part of it, so that claims can be shared fairly between workspaces without reading the channels themselves.
create index channel_due on channel (wake_at, workspace_id, id) where wake_at is not null;
