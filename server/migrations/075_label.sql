-- compatible: the release before knows neither labels nor notes, and what it stores has none.
-- What people sort their posts by. A campaign is a label that may have a first and a last day.
create table label (
  workspace_id text not null references workspace (id) on delete cascade,
  id text not null,
  name text not null,
  color text not null,
  kind text not null,
  starts_on date,
  ends_on date,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id)
);
create unique index label_name on label (workspace_id, fold_case(name));

-- Which posts have a label. The key has the posts of a label in the order of a list; the index has the labels of a post.
create table post_label (
  workspace_id text not null,
  label_id text not null,
  post_id text not null,
  primary key (workspace_id, label_id, post_id),
  foreign key (workspace_id, label_id) references label (workspace_id, id) on delete cascade,
  foreign key (workspace_id, post_id) references post (workspace_id, id) on delete cascade
);
create index post_label_of_post on post_label (workspace_id, post_id, label_id);

-- What people write on days of the calendar. There are few in a workspace, so the key is the only index.
create table note (
  workspace_id text not null references workspace (id) on delete cascade,
  id text not null,
  starts_on date not null,
  ends_on date not null,
  text text not null,
  color text not null,
  person_id text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id)
);

do $$
declare
  t text;
begin
  foreach t in array array['label', 'post_label', 'note']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy tenant on %I to carillon_app using (workspace_id = current_setting(''carillon.workspace'', true)) with check (workspace_id = current_setting(''carillon.workspace'', true))', t);
    execute format('create policy system on %I to carillon_system using (true) with check (true)', t);
  end loop;
end $$;
grant select, insert, update, delete on label, post_label, note to carillon_app, carillon_system;
