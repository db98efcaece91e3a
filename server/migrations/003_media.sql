-- The media library. The file itself is in the store under storage_key.
create table media (
  workspace_id text not null references workspace (id) on delete cascade,
  id text not null,
  name text not null,
  type text not null check (type in ('image', 'video', 'document')),
  mime_type text not null,
  size_bytes bigint not null,
  sha256 bytea not null,
  width integer,
  height integer,
  duration_seconds double precision,
  pages integer,
  -- Other facts needed to prepare the file for a platform: codecs, animation, whether it contains a location.
  traits jsonb not null,
  storage_key text not null,
  thumbnail_key text,
  tags text[] not null default '{}',
  alt text not null default '',
  description text not null default '',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id)
);
create index media_tags on media using gin (tags);

-- The files of a post, in order. An empty slug means every connection that has no files of its own.
create table post_media (
  workspace_id text not null,
  post_id text not null,
  connection_slug text not null default '',
  position smallint not null,
  media_id text not null,
  -- Null: use the value of the library.
  alt text,
  primary key (workspace_id, post_id, connection_slug, position),
  foreign key (workspace_id, post_id) references post (workspace_id, id) on delete cascade,
  foreign key (workspace_id, media_id) references media (workspace_id, id) on delete cascade
);
create index post_media_of_media on post_media (workspace_id, media_id, post_id);

-- A large file that is being uploaded in parts. The media item will have the same id.
create table media_upload (
  workspace_id text not null references workspace (id) on delete cascade,
  id text not null,
  name text not null,
  size_bytes bigint not null,
  part_size_bytes integer not null,
  storage_key text not null,
  store_upload_id text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  primary key (workspace_id, id)
);
create index media_upload_end on media_upload (expires_at);

-- A file converted for a platform's rules. It is reused for the same rules.
create table rendition (
  workspace_id text not null,
  media_id text not null,
  rules_hash text not null,
  storage_key text not null,
  mime_type text not null,
  size_bytes bigint not null,
  width integer,
  height integer,
  duration_seconds double precision,
  changes jsonb not null,
  created_at timestamptz not null,
  primary key (workspace_id, media_id, rules_hash),
  foreign key (workspace_id, media_id) references media (workspace_id, id) on delete cascade
);

-- Files to delete from the store. A key is inserted before its file is stored, and deleted by the transaction that refers to the file. So
-- a file that a crash leaves behind is deleted later. No foreign key: the row must remain when the workspace is deleted.
create table storage_removal (
  workspace_id text not null,
  key text not null,
  due_at timestamptz not null,
  primary key (workspace_id, key)
);
create index storage_removal_due on storage_removal (due_at);

do $$
declare
  t text;
begin
  foreach t in array array['media', 'post_media', 'media_upload', 'rendition', 'storage_removal']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy tenant on %I to carillon_app using (workspace_id = current_setting(''carillon.workspace'', true)) with check (workspace_id = current_setting(''carillon.workspace'', true))', t);
    execute format('create policy system on %I to carillon_system using (true) with check (true)', t);
    execute format('grant select, insert, update, delete on %I to carillon_app, carillon_system', t);
  end loop;
end $$;
