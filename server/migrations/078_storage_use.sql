-- compatible: the release before does not read the table, and the triggers count what it stores too.
-- The bytes of the files of each workspace, so that those of all workspaces are known without adding up every file. Requests of one workspace
-- that add files wait for each other anyway, because of the limit of the workspace. The size of a file never changes.
create table storage_use (
  workspace_id text primary key references workspace (id) on delete cascade,
  bytes bigint not null
);
alter table storage_use enable row level security;
alter table storage_use force row level security;
create policy tenant on storage_use to carillon_app
  using (workspace_id = current_setting('carillon.workspace', true))
  with check (workspace_id = current_setting('carillon.workspace', true));
create policy system on storage_use to carillon_system using (true) with check (true);
create policy counted on storage_use to current_user using (true) with check (true);
grant select on storage_use to carillon_app, carillon_system;

-- These run as the owner of the tables, because no request may write the count.
create function count_stored_files() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into storage_use (workspace_id, bytes)
  select workspace_id, sum(size_bytes) from added group by workspace_id order by workspace_id
  on conflict (workspace_id) do update set bytes = storage_use.bytes + excluded.bytes;
  return null;
end $$;

-- Nothing is left to count for a workspace that is being deleted.
create function count_removed_files() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update storage_use u set bytes = u.bytes - r.bytes
  from (select workspace_id, sum(size_bytes) as bytes from removed group by workspace_id) r
  where u.workspace_id = r.workspace_id;
  return null;
end $$;
revoke all on function count_stored_files() from public;
revoke all on function count_removed_files() from public;

create trigger media_stored after insert on media referencing new table as added for each statement execute function count_stored_files();
create trigger media_removed after delete on media referencing old table as removed
  for each statement execute function count_removed_files();

create policy counted on media for select to current_user using (true);
insert into storage_use (workspace_id, bytes) select workspace_id, sum(size_bytes) from media group by workspace_id;
drop policy counted on media;

-- The bytes of all workspaces together, with uploads that are open, each of which counts as a part of its own at least. It names no workspace.
create policy counted on media_upload for select to current_user using (true);
create function sum_installation_storage(open_upload_bytes_min bigint) returns bigint language plpgsql security definer
  set search_path = public, pg_temp as $$
begin
  return (select coalesce(sum(bytes), 0) from storage_use)
    + (select coalesce(sum(greatest(size_bytes, open_upload_bytes_min)), 0) from media_upload);
end $$;
revoke all on function sum_installation_storage(bigint) from public;
grant execute on function sum_installation_storage(bigint) to carillon_app, carillon_system;
