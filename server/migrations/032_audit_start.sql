-- Where the log of a workspace or person begins, if its oldest entries were deleted because of CARILLON_AUDIT_DAYS: the last deleted link. It is
-- authenticated with a key that is not in the database, as the end of the chain is.
create table audit_start (
  chain text primary key,
  position bigint not null,
  hash bytea not null,
  key_id text not null,
  mac bytea not null
) with (fillfactor = 50);
create index audit_start_key on audit_start (key_id);
grant select, insert, update on audit_start to carillon_system;

-- Deletes the links up to a position with their entries. The service has no right to delete entries in another way. Without the key of the new
-- start, a verification shows what was deleted; and entries of the last 30 days cannot be deleted at all.
create function trim_audit(trimmed text, last_position bigint) returns void language plpgsql security definer
  set search_path = public, pg_temp as $$
begin
  if not exists (select from audit_start where chain = trimmed and position = last_position) then
    raise exception 'the log % has no start at %', trimmed, last_position;
  end if;
  if exists (
    select from audit_link where chain = trimmed and position <= last_position and linked_at > now() - interval '30 days'
  ) then
    raise exception 'entries of the last 30 days are not deleted';
  end if;
  delete from audit_entry e using audit_link l
  where l.chain = trimmed and l.position <= last_position and e.workspace_id = trimmed and e.id = l.entry_id;
  delete from account_entry e using audit_link l
  where l.chain = trimmed and l.position <= last_position and e.person_id = trimmed and e.id = l.entry_id;
  delete from audit_link where chain = trimmed and position <= last_position;
end $$;
revoke all on function trim_audit(text, bigint) from public;
grant execute on function trim_audit(text, bigint) to carillon_system;

-- As before, and the start goes with the chain.
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
  delete from audit_start where chain = gone;
  delete from audit_link where chain = gone;
  delete from audit_entry where workspace_id = gone;
end $$;

create or replace function erase_account_log(gone text) returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from person where id = gone) then
    raise exception 'person % is still there', gone;
  end if;
  if exists (select from workspace where id = gone) or exists (select from audit_entry where workspace_id = gone) then
    raise exception '% is no person', gone;
  end if;
  delete from audit_pending where chain = gone;
  delete from audit_head where chain = gone;
  delete from audit_start where chain = gone;
  delete from audit_link where chain = gone;
  delete from account_entry where person_id = gone;
end $$;
