-- Mail addresses are compared without regard to case.
create unique index person_address on person (lower(email));

create table invitation (
  workspace_id text not null references workspace (id) on delete cascade,
  id text not null,
  email text not null,
  role text not null check (role in ('owner', 'admin', 'editor', 'viewer')),
  -- The hash of the token in the link; only the mail contains the token itself.
  token_hash bytea not null unique,
  invited_by text not null,
  mail text not null check (mail in ('waiting', 'sent', 'failed', 'not_configured')),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  created_at timestamptz not null,
  primary key (workspace_id, id)
);
-- One open invitation per address; an expired one is deleted before a new one is created.
create unique index invitation_open on invitation (workspace_id, lower(email)) where accepted_at is null;

-- A user is at a platform's consent page. Each row is used once and expires after ten minutes.
create table connect_flow (
  workspace_id text not null references workspace (id) on delete cascade,
  -- The hash of the OAuth state.
  state_hash bytea not null unique,
  person_id text not null,
  -- True if a signed-in user started it: only a session of the same person can finish it.
  by_session boolean not null,
  platform text not null,
  instance_url text,
  verifier_sealed bytea,
  -- The connection to reconnect, if it is not for a new one.
  connection_id text,
  -- The path in the web app to return to.
  return_to text,
  expires_at timestamptz not null,
  primary key (workspace_id, state_hash)
);

-- Our app registration at each instance of a platform with dynamic registration. It belongs to the installation, not to a workspace.
create table instance_app (
  platform text not null,
  instance_url text not null,
  redirect_url text not null,
  client_id text not null,
  client_secret_sealed bytea not null,
  -- The first successful use. Instances may delete registrations that were never used.
  proven_at timestamptz,
  created_at timestamptz not null,
  primary key (platform, instance_url, redirect_url)
);

-- If one sign-in gives access to several accounts or pages: all of them, and who signed in. account_id is the one chosen to publish to.
alter table connection add column targets jsonb, add column sign_in_id text;

do $$
declare
  t text;
begin
  foreach t in array array['invitation', 'connect_flow']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy tenant on %I to carillon_app using (workspace_id = current_setting(''carillon.workspace'', true)) with check (workspace_id = current_setting(''carillon.workspace'', true))', t);
    execute format('create policy system on %I to carillon_system using (true) with check (true)', t);
  end loop;
end $$;
grant select, insert, update, delete on invitation, connect_flow to carillon_app, carillon_system;
grant select, insert, update, delete on instance_app to carillon_system;

-- The audit log stays append-only for both roles. Only this function deletes entries. It runs as the owner of the tables and refuses while
-- the workspace exists.
create policy erase on audit_entry to current_user using (true) with check (true);
create policy erase on workspace for select to current_user using (true);
create function erase_audit(gone text) returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if gone is distinct from current_setting('carillon.workspace', true) or exists (select from workspace where id = gone) then
    raise exception 'workspace % is still there, or another one', gone;
  end if;
  delete from audit_entry where workspace_id = gone;
end $$;
revoke all on function erase_audit(text) from public;
grant execute on function erase_audit(text) to carillon_app;
