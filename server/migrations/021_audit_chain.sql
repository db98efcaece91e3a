-- What people did with their own account: signing in, changing a password, ending a session. Personal data, so it is deleted with the person.
create table account_entry (
  person_id text not null,
  id uuid not null,
  at timestamptz not null,
  action text not null,
  -- How: for a sign-in, the method.
  detail text,
  ip_address text,
  user_agent text,
  trace_id text not null,
  primary key (person_id, id)
);
grant select, insert on account_entry to carillon_system;

-- The audit logs are hash chains: one per workspace and one per person, with the id of either as the name of the chain. Each link has the
-- hash of the link before it and of its entry. Creating a post must not wait for the previous one, so entries are linked by a worker, in
-- the order of their ids, a few seconds after they were committed.
create table audit_link (
  chain text not null,
  position bigint not null,
  entry_id uuid not null,
  linked_at timestamptz not null,
  hash bytea not null,
  primary key (chain, position)
);
create unique index audit_link_entry on audit_link (chain, entry_id);

-- The end of each chain, authenticated with a key that is not in the database.
create table audit_head (
  chain text primary key,
  position bigint not null,
  hash bytea not null,
  key_id text not null,
  mac bytea not null
) with (fillfactor = 50);
create index audit_head_key on audit_head (key_id);

-- Entries that have no link yet.
create table audit_pending (
  chain text not null,
  entry_id uuid not null,
  primary key (chain, entry_id)
);

grant select, insert on audit_link to carillon_system;
grant select, insert, update on audit_head to carillon_system;
-- "update" is what locking a row needs.
grant select, update, delete on audit_pending to carillon_system;

-- Runs as the owner of the tables, so that an entry cannot be inserted without being queued.
create function queue_audit_entry() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_table_name = 'audit_entry' then
    insert into audit_pending (chain, entry_id) values (new.workspace_id, new.id);
  else
    insert into audit_pending (chain, entry_id) values (new.person_id, new.id);
  end if;
  return null;
end $$;
revoke all on function queue_audit_entry() from public;
create trigger audit_entry_queue after insert on audit_entry for each row execute function queue_audit_entry();
create trigger account_entry_queue after insert on account_entry for each row execute function queue_audit_entry();

insert into audit_pending (chain, entry_id) select workspace_id, id from audit_entry;

-- Workspaces whose log was erased, so that what is written about them afterwards cannot be erased again.
create table erased_workspace (
  id text primary key,
  at timestamptz not null default now()
);
grant select on erased_workspace to carillon_system;

-- As before, but the chain goes with its entries. Entries that are being linked are waited for: their rows in audit_pending are locked.
create or replace function erase_audit(gone text) returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if gone is distinct from current_setting('carillon.workspace', true) or exists (select from workspace where id = gone) then
    raise exception 'workspace % is still there, or another one', gone;
  end if;
  if exists (select from person where id = gone) or exists (select from erased_workspace where id = gone) then
    raise exception '% is no workspace, or one that was erased before', gone;
  end if;
  insert into erased_workspace (id) values (gone);
  delete from audit_pending where chain = gone;
  delete from audit_head where chain = gone;
  delete from audit_link where chain = gone;
  delete from audit_entry where workspace_id = gone;
end $$;

-- The same for the log of a person: only after the person is gone, and never for the chain of a workspace.
create function erase_account_log(gone text) returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from person where id = gone) then
    raise exception 'person % is still there', gone;
  end if;
  if exists (select from workspace where id = gone) or exists (select from audit_entry where workspace_id = gone) then
    raise exception '% is no person', gone;
  end if;
  delete from audit_pending where chain = gone;
  delete from audit_head where chain = gone;
  delete from audit_link where chain = gone;
  delete from account_entry where person_id = gone;
end $$;
revoke all on function erase_account_log(text) from public;
grant execute on function erase_account_log(text) to carillon_system;
