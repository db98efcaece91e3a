-- Lists and the calendar find posts by time. The expression is a CASE, because PostgreSQL does not use an index on COALESCE for a condition
-- while row-level security applies: it cannot know that COALESCE reveals nothing about rows of other workspaces.
drop index post_day;
create index post_day on post (workspace_id, (case when scheduled_at is null then created_at else scheduled_at end));
-- The calendar shows posts without a scheduled time at the time at which they were published.
create index post_unscheduled on post (workspace_id, (case when published_at is null then created_at else published_at end))
  where scheduled_at is null and status <> 'draft';

-- Changes that only open pages are told about name their subject, and events may name the person who caused them.
alter table outbox_event add column subject_id text, add column person_id text;

-- What streams of a workspace have sent in the last ten minutes, so that a stream that was interrupted can continue. The relay inserts
-- while it holds a lock until its commit: ids become visible in their order, and a reader that has seen an id has missed none below it.
create table live_event (
  id bigint generated always as identity primary key,
  workspace_id text not null references workspace (id) on delete cascade,
  event text not null,
  -- JSON, as it is sent.
  data text not null,
  at timestamptz not null default clock_timestamp()
);
create index live_event_of_workspace on live_event (workspace_id, id);
alter table live_event enable row level security;
alter table live_event force row level security;
create policy tenant on live_event to carillon_app using (workspace_id = current_setting('carillon.workspace', true))
  with check (workspace_id = current_setting('carillon.workspace', true));
create policy system on live_event to carillon_system using (true) with check (true);
-- Only the relay writes it, and only streams, which serve many workspaces at once, read it.
grant select, insert, delete on live_event to carillon_system;

-- Failed attempts, retries and decisions of people, for the timeline of a post. What goes well is in the columns of the channel. It belongs
-- to the post and not to the channel, because editing a draft replaces its channels.
create table channel_event (
  workspace_id text not null,
  post_id text not null,
  id bigint generated always as identity,
  channel_id text not null,
  at timestamptz not null,
  stage text not null check (stage in ('queued', 'failed', 'unconfirmed', 'resolved')),
  attempt integer not null,
  code text,
  platform_code text,
  message text,
  retry_at timestamptz,
  primary key (workspace_id, post_id, id),
  foreign key (workspace_id, post_id) references post (workspace_id, id) on delete cascade
);
alter table channel_event enable row level security;
alter table channel_event force row level security;
create policy tenant on channel_event to carillon_app using (workspace_id = current_setting('carillon.workspace', true))
  with check (workspace_id = current_setting('carillon.workspace', true));
create policy system on channel_event to carillon_system using (true) with check (true);
grant select, insert, update, delete on channel_event to carillon_app, carillon_system;
