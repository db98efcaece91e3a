-- compatible: the release before serves no programs that act for a person.
-- A program that asked for access: made by a registration, described by a document at the address that is its id, or part of this release.
create table oauth_client (
  id text primary key,
  source text not null check (source in ('registered', 'document', 'built_in')),
  name text not null,
  redirect_uris text[] not null,
  -- Equal registrations are one row.
  fingerprint bytea unique,
  created_at timestamptz not null,
  -- When the document was read.
  fetched_at timestamptz,
  -- When a person last gave it access. Null: never.
  used_at timestamptz
);
create index oauth_client_unused on oauth_client (created_at) where used_at is null and source <> 'built_in';
grant select, insert, update, delete on oauth_client to carillon_system;

insert into oauth_client (id, source, name, redirect_uris, created_at)
values ('carillon-cli', 'built_in', 'Carillon command line', '{}', now());

-- What a person lets a program do in one workspace. It stays after it has ended, because the audit log names the program of an entry.
create table oauth_grant (
  workspace_id text not null references workspace (id) on delete cascade,
  id uuid not null,
  person_id text not null references person (id) on delete cascade,
  client_id text not null,
  client_name text not null,
  client_host text,
  resource text not null,
  scopes text[] not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  ended_at timestamptz,
  primary key (workspace_id, id)
);
create index oauth_grant_of_person on oauth_grant (person_id);
create index oauth_grant_of_client on oauth_grant (client_id);

-- Answers of a person that were not exchanged for tokens yet: codes of a redirect, and device codes. A used one stays until it expires, so that a
-- second use is noticed.
create table oauth_code (
  hash bytea primary key,
  workspace_id text not null,
  grant_id uuid not null,
  person_id text not null,
  -- Both are null for a device code.
  redirect_uri text,
  challenge text,
  expires_at timestamptz not null,
  used_at timestamptz,
  foreign key (workspace_id, grant_id) references oauth_grant (workspace_id, id) on delete cascade,
  foreign key (workspace_id, person_id) references member (workspace_id, person_id) on delete cascade
);
create index oauth_code_grant on oauth_code (workspace_id, grant_id);
create index oauth_code_member on oauth_code (workspace_id, person_id);
create index oauth_code_end on oauth_code (expires_at);

-- They go with the membership of their person.
create table oauth_token (
  hash bytea primary key,
  kind text not null check (kind in ('access', 'refresh')),
  workspace_id text not null,
  grant_id uuid not null,
  person_id text not null,
  expires_at timestamptz not null,
  -- When a refresh token was exchanged for the next one.
  replaced_at timestamptz,
  foreign key (workspace_id, grant_id) references oauth_grant (workspace_id, id) on delete cascade,
  foreign key (workspace_id, person_id) references member (workspace_id, person_id) on delete cascade
);
create index oauth_token_grant on oauth_token (workspace_id, grant_id);
create index oauth_token_member on oauth_token (workspace_id, person_id);
create index oauth_token_end on oauth_token (expires_at);

-- A program without a browser of its own that waits for a person. It names no workspace: the person does.
create table oauth_device (
  hash bytea primary key,
  user_code_hash bytea not null unique,
  client_id text not null references oauth_client (id) on delete cascade,
  resource text not null,
  scopes text[] not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  polled_at timestamptz,
  denied_at timestamptz
);
create index oauth_device_end on oauth_device (expires_at);
grant select, insert, update, delete on oauth_device to carillon_system;

alter table oauth_grant enable row level security;
alter table oauth_grant force row level security;
create policy tenant on oauth_grant to carillon_app
  using (workspace_id = current_setting('carillon.workspace', true))
  with check (workspace_id = current_setting('carillon.workspace', true));
create policy system on oauth_grant to carillon_system using (true) with check (true);
grant select, insert, update, delete on oauth_grant to carillon_app, carillon_system;

alter table oauth_code enable row level security;
alter table oauth_code force row level security;
create policy tenant on oauth_code to carillon_app
  using (workspace_id = current_setting('carillon.workspace', true))
  with check (workspace_id = current_setting('carillon.workspace', true));
create policy system on oauth_code to carillon_system using (true) with check (true);
grant select, insert, update, delete on oauth_code to carillon_app, carillon_system;

alter table oauth_token enable row level security;
alter table oauth_token force row level security;
create policy tenant on oauth_token to carillon_app
  using (workspace_id = current_setting('carillon.workspace', true))
  with check (workspace_id = current_setting('carillon.workspace', true));
create policy system on oauth_token to carillon_system using (true) with check (true);
grant select, insert, update, delete on oauth_token to carillon_app, carillon_system;
