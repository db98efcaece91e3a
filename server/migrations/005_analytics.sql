-- When a channel ended, well or not. While its state is not a final one, this is nothing or the end of an earlier try.
alter table channel add column finished_at timestamptz;
-- The tables' owner is bound by row-level security too; what is there already is filled in without it.
alter table channel no force row level security;
update channel set finished_at = coalesce(published_at, submitted_at, due_at) where state in ('published', 'failed', 'unconfirmed', 'canceled');
-- What a workspace's analytics count, in order of time, without a look at the channels themselves.
create index channel_finished on channel (workspace_id, finished_at, id) include (platform, state) where state in ('published', 'failed', 'unconfirmed');
-- A connection's published posts, whose figures are asked for.
create index channel_published on channel (workspace_id, connection_id, published_at) where state = 'published' and platform_post_id is not null;

-- The latest figures of a published channel. Null is a figure the platform does not tell.
create table channel_metric (
  workspace_id text not null,
  channel_id text not null,
  platform text not null,
  published_at timestamptz not null,
  -- The last time the platform was asked, and the last time it told something.
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

-- The same figures as they were on each day (UTC) they were asked for; kept for good.
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

-- When a connection's figures are pulled next. No foreign key to it: a post may end after its connection went, and the next pull tidies up.
create table metric_pull (
  workspace_id text not null references workspace (id) on delete cascade,
  connection_id text not null,
  platform text not null,
  -- Null: nothing recent to ask about, or the engine has it.
  due_at timestamptz,
  handed_at timestamptz,
  -- The platform said: not before.
  held_until timestamptz,
  -- A person asked for fresh figures, and not all of them are here yet.
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

-- What a connection that goes away has yet to send.
create index channel_of_connection on channel (workspace_id, connection_id) where finished_at is null;
