-- compatible: the release before shows no comments.
-- What members and clients say about a post. `person_id` is null for a client, who is known by a name and the link.
create table post_comment (
  workspace_id text not null,
  post_id text not null,
  id text not null,
  person_id text,
  api_key_id uuid,
  link_id text,
  client_name text,
  audience text not null,
  text text not null,
  mentions text[] not null default '{}',
  created_at timestamptz not null,
  edited_at timestamptz,
  primary key (workspace_id, post_id, id),
  foreign key (workspace_id, post_id) references post (workspace_id, id) on delete cascade
);
alter table post_comment enable row level security;
alter table post_comment force row level security;
create policy tenant on post_comment to carillon_app
  using (workspace_id = current_setting('carillon.workspace', true))
  with check (workspace_id = current_setting('carillon.workspace', true));
create policy system on post_comment to carillon_system using (true) with check (true);
grant select, insert, update, delete on post_comment to carillon_app, carillon_system;
