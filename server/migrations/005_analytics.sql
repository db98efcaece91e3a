-- When the channel reached a final state. In any other state it is null or the end of an earlier attempt.
alter table channel add column finished_at timestamptz;
-- Row-level security also applies to the owner of the tables, so it is switched off while existing rows are updated.
alter table channel no force row level security;
update channel set finished_at = coalesce(published_at, submitted_at, due_at) where state in ('published', 'failed', 'unconfirmed', 'canceled');
-- The channels that analytics count, by time; an index-only scan does not read the table.
create index channel_finished on channel (workspace_id, finished_at, id) include (platform, state) where state in ('published', 'failed', 'unconfirmed');
-- The published posts of a connection, for which metrics are requested.
create index channel_published on channel (workspace_id, connection_id, published_at) where state = 'published' and platform_post_id is not null;

-- The latest metrics of a published channel. Null: the platform does not report this metric.
create table channel_metric (
  workspace_id text not null,
  channel_id text not null,
  platform text not null,
  published_at timestamptz not null,
  -- The last request to the platform, and the last answer with metrics.
  asked_at timestamptz not null,
  collected_at timestamptz,
  likes bigint,
  comments bigint,
  shares bigint,
  impressions bigint,
  clicks bigint,
  saves bigint,
  primary key (workspace_id, channel_id),
  foreign key (workspace_id, channel_id) references channel (workspace_id, id) on delete cascade
) with (fillfactor = 70);
create index channel_metric_time on channel_metric (workspace_id, published_at);

-- The metrics of each day (UTC) on which they were requested. They are never deleted.
create table metric_day (
  workspace_id text not null,
  channel_id text not null,
  day date not null,
  likes bigint,
  comments bigint,
  shares bigint,
  impressions bigint,
  clicks bigint,
  saves bigint,
  primary key (workspace_id, channel_id, day),
  foreign key (workspace_id, channel_id) references channel_metric (workspace_id, channel_id) on delete cascade
) with (fillfactor = 85);

-- When the metrics of a connection are read next. No foreign key: a post may be published after its connection was deleted; the next run
-- deletes the row.
create table metric_pull (
  workspace_id text not null references workspace (id) on delete cascade,
  connection_id text not null,
  platform text not null,
  -- Null: there are no recent posts, or the job is enqueued.
  due_at timestamptz,
  handed_at timestamptz,
  -- The platform asked for no requests before this time.
  held_until timestamptz,
  -- A user requested new metrics, and not all of them have arrived.
  wanted_at timestamptz,
  failures smallint not null default 0,
  generation integer not null default 0,
  primary key (workspace_id, connection_id)
) with (fillfactor = 70);
create index metric_pull_due on metric_pull (platform, due_at) where handed_at is null;
create index metric_pull_handed on metric_pull (platform, handed_at) where handed_at is not null;
insert into metric_pull (workspace_id, connection_id, platform, due_at)
select distinct workspace_id, connection_id, platform, now() from channel where state = 'published' and platform_post_id is not null;
alter table channel force row level security;

do $$
declare
  t text;
begin
  foreach t in array array['channel_metric', 'metric_day', 'metric_pull']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy tenant on %I to carillon_app using (workspace_id = current_setting(''carillon.workspace'', true)) with check (workspace_id = current_setting(''carillon.workspace'', true))', t);
    execute format('create policy system on %I to carillon_system using (true) with check (true)', t);
  end loop;
end $$;
grant select, insert, update, delete on channel_metric, metric_day, metric_pull to carillon_app, carillon_system;

-- The channels that are stopped when their connection is deleted.
create index channel_of_connection on channel (workspace_id, connection_id) where finished_at is null;
