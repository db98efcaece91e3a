-- compatible: the release before makes no links; what is decided with one is a decision of the person who made it there.
-- The links with which people without an account read submitted posts and decide about them. Only a hash of the secret is stored.
create table approval_link (
  workspace_id text not null,
  id text not null,
  token_hash bytea not null,
  name text,
  email text,
  mailed boolean not null,
  person_id text not null,
  api_key_id uuid,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  primary key (workspace_id, id),
  foreign key (workspace_id) references workspace (id) on delete cascade
);
create unique index approval_link_token on approval_link (token_hash);

-- The posts behind a link, and what they were when it was made.
create table approval_link_post (
  workspace_id text not null,
  link_id text not null,
  post_id text not null,
  revision text not null,
  position integer not null,
  primary key (workspace_id, link_id, post_id),
  foreign key (workspace_id, link_id) references approval_link (workspace_id, id) on delete cascade,
  foreign key (workspace_id, post_id) references post (workspace_id, id) on delete cascade
);
create index approval_link_post_post on approval_link_post (workspace_id, post_id);

-- Who decided by a link, as they named themselves. `person_id` is then who made the link.
alter table approval_event
  add column link_id text,
  add column client_name text;

-- How often it was said that a post which waits for approval is near its time (1) or past it (2).
alter table post add column approval_reminders smallint not null default 0;

do $$
declare t text;
begin
  foreach t in array array['approval_link', 'approval_link_post'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy tenant on %I to carillon_app using (workspace_id = current_setting(''carillon.workspace'', true)) with check (workspace_id = current_setting(''carillon.workspace'', true))', t);
    execute format('create policy system on %I to carillon_system using (true) with check (true)', t);
  end loop;
end $$;
grant select, insert, update, delete on approval_link, approval_link_post to carillon_app, carillon_system;
