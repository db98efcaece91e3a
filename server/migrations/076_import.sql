-- compatible: the release before knows no imports, and leaves these tables alone.
-- A file of posts that was read, and what its names of accounts stand for. `accounts` maps each of them to the slug of a connection.
create table post_import (
  workspace_id text not null references workspace (id) on delete cascade,
  id text not null,
  name text,
  format text not null,
  accounts jsonb not null,
  -- A hash of the file: the same file is the same import.
  fingerprint bytea not null,
  person_id text not null,
  created_at timestamptz not null,
  primary key (workspace_id, id)
);
create unique index post_import_fingerprint on post_import (workspace_id, fingerprint);

-- A row of the file and what became of it. `content` is null for a row of which no post can be made.
create table import_row (
  workspace_id text not null,
  import_id text not null,
  number integer not null,
  key text not null,
  content jsonb,
  status text not null,
  placement text,
  post_id text,
  code text,
  message text,
  details jsonb,
  primary key (workspace_id, import_id, number),
  foreign key (workspace_id, import_id) references post_import (workspace_id, id) on delete cascade
);

-- Which rows are posts already, whichever import made them. A post that is deleted can be imported again.
create table imported_post (
  workspace_id text not null,
  key text not null,
  post_id text not null,
  primary key (workspace_id, key),
  foreign key (workspace_id, post_id) references post (workspace_id, id) on delete cascade
);
create index imported_post_of_post on imported_post (workspace_id, post_id);

do $$
declare
  t text;
begin
  foreach t in array array['post_import', 'import_row', 'imported_post']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy tenant on %I to carillon_app using (workspace_id = current_setting(''carillon.workspace'', true)) with check (workspace_id = current_setting(''carillon.workspace'', true))', t);
    execute format('create policy system on %I to carillon_system using (true) with check (true)', t);
  end loop;
end $$;
grant select, insert, update, delete on post_import, import_row, imported_post to carillon_app, carillon_system;
