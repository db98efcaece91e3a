-- compatible: the release before knows no folders, and what it stores has none.
-- The folders of a media library. There is one level of them.
create table media_folder (
  workspace_id text not null references workspace (id) on delete cascade,
  id text not null,
  name text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id)
);
create unique index media_folder_name on media_folder (workspace_id, fold_case(name));

-- A file stays when its folder is deleted. The key has the workspace in it, so no file can be in a folder of another one.
alter table media add column folder_id text;
alter table media add constraint media_folder_fkey
  foreign key (workspace_id, folder_id) references media_folder (workspace_id, id) on delete set null (folder_id);
create index media_in_folder on media (workspace_id, folder_id, id) where folder_id is not null;

alter table media_folder enable row level security;
alter table media_folder force row level security;
create policy tenant on media_folder to carillon_app
  using (workspace_id = current_setting('carillon.workspace', true))
  with check (workspace_id = current_setting('carillon.workspace', true));
create policy system on media_folder to carillon_system using (true) with check (true);
grant select, insert, update, delete on media_folder to carillon_app, carillon_system;
