-- compatible: the release before makes no connect links. It can finish a sign-in that one of them started only for an admin of the workspace.
-- A link with which a person who has no account here connects theirs to a workspace. Only a hash of its secret is stored.
create table connect_link (
  workspace_id text not null references workspace (id) on delete cascade,
  id text not null,
  token_hash bytea not null,
  -- Who made it, and with which key. The link is worth what they may do when it is used.
  person_id text not null,
  api_key_id text,
  platforms text[] not null,
  -- The connection to reconnect, and then the one that was made.
  connection_id text,
  is_reconnect boolean not null,
  external_id text,
  metadata jsonb not null default '{}',
  return_url text,
  return_secret_sealed bytea,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  revoked_at timestamptz,
  primary key (workspace_id, id)
);
create unique index connect_link_token on connect_link (token_hash);
create index connect_link_expiry on connect_link (expires_at);

alter table connect_link enable row level security;
alter table connect_link force row level security;
create policy tenant on connect_link to carillon_app
  using (workspace_id = current_setting('carillon.workspace', true))
  with check (workspace_id = current_setting('carillon.workspace', true));
create policy system on connect_link to carillon_system using (true) with check (true);
grant select, insert, update, delete on connect_link to carillon_app, carillon_system;

-- The link that a sign-in was started with. Only the browser that started it can come back, so browser_hash is set from the start.
alter table connect_flow add column link_id text;

-- Where connect links may send people afterwards.
alter table workspace add column return_origins text[] not null default '{}';
