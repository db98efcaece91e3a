-- The library. The bytes are in the store under storage_key; what is known of them is here.
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
  -- What preparing it for a platform needs to know besides: codecs, animation, whether it tells where it was made.
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

-- Which files a post shows, in order. An empty slug means every connection without files of its own.
create table post_media (
  workspace_id text not null,
  post_id text not null,
  connection_slug text not null default '',
  position smallint not null,
  media_id text not null,
  -- Null means the library's.
  alt text,
  primary key (workspace_id, post_id, connection_slug, position),
  foreign key (workspace_id, post_id) references post (workspace_id, id) on delete cascade,
  foreign key (workspace_id, media_id) references media (workspace_id, id) on delete cascade
);
create index post_media_of_media on post_media (workspace_id, media_id, post_id);

-- A large file on its way, in parts. It keeps its id as media.
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

-- A file made to fit a platform's rules; the same rules find it again.
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

-- Files the store should no longer hold. A key is written down before its bytes are stored and struck out by the transaction that refers
-- to it, so whatever a crash leaves behind is removed. No foreign key: it outlives the workspace.
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
