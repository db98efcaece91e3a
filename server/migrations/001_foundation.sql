-- Two roles share the tables. carillon_app serves requests and sees one workspace at a time, the one set for the transaction.
-- carillon_system sees all workspaces. It is used where the workspace is not known yet, such as for finding an API key, and for due work.
do $$
begin
  if not exists (select from pg_roles where rolname = 'carillon_app') then create role carillon_app nologin; end if;
  if not exists (select from pg_roles where rolname = 'carillon_system') then create role carillon_system nologin; end if;
  execute format('grant carillon_app, carillon_system to %I', current_user);
end $$;

create table person (
  id text primary key,
  email text not null unique,
  name text not null,
  created_at timestamptz not null
);

create table workspace (
  id text primary key,
  name text not null,
  slug text not null,
  plan text not null check (plan in ('free', 'pro', 'business')),
  timezone text not null,
  hold_if_late_minutes integer check (hold_if_late_minutes > 0),
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table member (
  workspace_id text not null references workspace (id) on delete cascade,
  person_id text not null references person (id),
  role text not null check (role in ('owner', 'admin', 'editor', 'viewer')),
  joined_at timestamptz not null,
  primary key (workspace_id, person_id)
);
create index member_of_person on member (person_id);

create table api_key (
  workspace_id text not null references workspace (id) on delete cascade,
  id uuid not null,
  person_id text not null references person (id),
  label text not null,
  prefix text not null,
  hash bytea not null unique,
  scopes text[],
  workspace_only boolean not null,
  expires_at timestamptz,
  created_at timestamptz not null,
  primary key (workspace_id, id)
);

create table connection (
  workspace_id text not null references workspace (id) on delete cascade,
  id text not null,
  platform text not null,
  slug text not null,
  handle text not null,
  display_name text not null,
  avatar_url text,
  account_id text not null,
  instance_url text,
  status text not null check (status in ('active', 'expiring', 'needs_reconnect', 'disconnected')),
  status_reason text,
  credentials_sealed bytea not null,
  token_expires_at timestamptz,
  token_renewed_at timestamptz not null,
  connected_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id),
  unique (workspace_id, slug)
);

create index connection_token_end on connection (platform, token_expires_at) where token_expires_at is not null;

create table post (
  workspace_id text not null references workspace (id) on delete cascade,
  id text not null,
  request_id uuid not null,
  status text not null check (status in ('draft', 'scheduled', 'queued', 'publishing', 'completed', 'partial_failure', 'failed')),
  type text not null check (type in ('text', 'photo', 'video', 'document')),
  content_format text,
  title text,
  text text,
  first_comment text,
  link_url text,
  platform_options jsonb not null,
  scheduled_at timestamptz,
  -- The wall time, if the schedule was given as one: if DST rules change, the instant moves and the wall time stays.
  scheduled_wall text,
  timezone text,
  published_at timestamptz,
  archived_at timestamptz,
  warnings jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id)
) with (fillfactor = 85);
create unique index post_request on post (workspace_id, request_id);
create index post_status on post (workspace_id, status, id);
create index post_day on post (workspace_id, (coalesce(scheduled_at, created_at)));

-- One post on one connection: what users see of it, and what the engine needs to publish it.
create table channel (
  workspace_id text not null,
  id text not null,
  post_id text not null,
  position smallint not null,
  connection_id text not null,
  connection_slug text not null,
  target_name text not null,
  platform text not null,
  state text not null check (state in ('draft', 'scheduled', 'dispatched', 'submitting', 'confirming', 'published', 'failed', 'unconfirmed', 'canceled')),
  -- When it should be published. dispatch_at is when the dispatcher reads it next; after a retry it is later than due_at.
  due_at timestamptz,
  dispatch_at timestamptz,
  -- Increases when the channel is claimed, rescheduled, retried or canceled: a job with an older generation does nothing.
  generation integer not null default 0,
  -- Set while the channel is being sent: if it is not settled by then, its worker has died and the sweep recovers it.
  look_again_at timestamptz,
  needs_stage boolean not null,
  staged jsonb,
  -- The token and the staging are ready for this attempt; the channel waits for its time and its batch.
  prepared boolean not null default false,
  -- The time of the first send. It is part of the handle and the same for every attempt.
  armed_at timestamptz,
  submitted_at timestamptz,
  reference text,
  attempts integer not null default 0,
  -- Attempts since a user last requested it; limits automatic retries.
  tries smallint not null default 0,
  -- The platform rejected the token; the next attempt renews it first.
  renew_token boolean not null default false,
  post_url text,
  platform_post_id text,
  published_at timestamptz,
  late_ms integer,
  error jsonb,
  warnings jsonb not null,
  comment_state text not null default 'none' check (comment_state in ('none', 'waiting', 'submitting', 'done')),
  primary key (workspace_id, id),
  foreign key (workspace_id, post_id) references post (workspace_id, id) on delete cascade
) with (fillfactor = 70);
create index channel_of_post on channel (workspace_id, post_id);
-- The schedule. The channels that are due next are at the start of this index, however many are scheduled.
create index channel_due on channel (dispatch_at) where state = 'scheduled';
-- Channels that are being sent; the sweep reads it to find those that a crash interrupted. No query by primary key implies the condition
-- of this index. Otherwise the planner, whose statistics of these short-lived rows are poor, would read this index instead.
create index channel_moving on channel (look_again_at) where look_again_at is not null;
create index channel_comment on channel (published_at) where comment_state in ('waiting', 'submitting');

-- Publishing calls in the current window, by connection and by platform app.
create table rate_window (
  key text not null,
  window_ms bigint not null,
  started_at timestamptz not null,
  used integer not null,
  primary key (key, window_ms)
) with (fillfactor = 50);

-- Accepted posts by calendar month (UTC), in shards so that the requests of a busy workspace do not wait for one row.
create table usage_month (
  workspace_id text not null references workspace (id) on delete cascade,
  month text not null,
  shard smallint not null,
  posts integer not null,
  primary key (workspace_id, month, shard)
) with (fillfactor = 50);

create table idempotency (
  workspace_id text not null references workspace (id) on delete cascade,
  route text not null,
  key text not null,
  request_hash bytea not null,
  status smallint not null,
  -- Encrypted, because an answer may contain a secret that is shown only once.
  body_sealed bytea not null,
  created_at timestamptz not null,
  primary key (workspace_id, route, key)
);
create index idempotency_age on idempotency (created_at);

-- No foreign key: an audit entry remains when its subject is deleted.
create table audit_entry (
  workspace_id text not null,
  id uuid not null,
  at timestamptz not null,
  person_id text,
  api_key_id uuid,
  action text not null,
  subject_id text,
  trace_id text not null,
  primary key (workspace_id, id)
);

-- Events that have not been turned into deliveries yet.
create table outbox_event (
  id bigint generated always as identity primary key,
  workspace_id text not null,
  event text not null,
  post_id text,
  channel_id text,
  connection_id text,
  at timestamptz not null
);

create table webhook (
  workspace_id text not null references workspace (id) on delete cascade,
  id text not null,
  url text not null,
  events text[] not null,
  secret_sealed bytea not null,
  secret_hint text not null,
  previous_secret_sealed bytea,
  previous_secret_until timestamptz,
  active boolean not null,
  disabled_reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id)
);

create table webhook_delivery (
  workspace_id text not null,
  webhook_id text not null,
  id uuid not null,
  event text not null,
  url text not null,
  body text not null,
  status text not null check (status in ('pending', 'delivered', 'failed')),
  status_code integer not null,
  attempts integer not null,
  -- Attempts since a user last requested the delivery; limits the retries.
  tries smallint not null,
  response_body text not null,
  delivered_at timestamptz,
  next_attempt_at timestamptz,
  generation integer not null default 0,
  claimed_at timestamptz,
  created_at timestamptz not null,
  primary key (workspace_id, webhook_id, id),
  foreign key (workspace_id, webhook_id) references webhook (workspace_id, id) on delete cascade
);
create index webhook_delivery_due on webhook_delivery (next_attempt_at) where status = 'pending';

-- Written by a job that went through the engine to a worker: a recent row proves that both work.
create table heartbeat (
  worker text primary key,
  at timestamptz not null
);

do $$
declare
  t text;
begin
  foreach t in array array['member', 'api_key', 'connection', 'post', 'channel', 'usage_month', 'idempotency', 'audit_entry', 'outbox_event', 'webhook', 'webhook_delivery']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy tenant on %I to carillon_app using (workspace_id = current_setting(''carillon.workspace'', true)) with check (workspace_id = current_setting(''carillon.workspace'', true))', t);
    execute format('create policy system on %I to carillon_system using (true) with check (true)', t);
  end loop;
end $$;
alter table workspace enable row level security;
alter table workspace force row level security;
create policy tenant on workspace to carillon_app using (id = current_setting('carillon.workspace', true)) with check (id = current_setting('carillon.workspace', true));
create policy system on workspace to carillon_system using (true) with check (true);

grant select, insert, update, delete on all tables in schema public to carillon_app, carillon_system;
grant usage on all sequences in schema public to carillon_app, carillon_system;
-- The audit log is append-only. Tenants have no access to rate limits and heartbeats.
revoke update, delete on audit_entry from carillon_app, carillon_system;
revoke all on rate_window, heartbeat from carillon_app;
revoke insert, update, delete on person from carillon_app;
grant select on heartbeat to carillon_app;
