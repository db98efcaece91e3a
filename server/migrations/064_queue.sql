-- compatible: the release before knows no queues. What it does to a post frees the post's slot by the trigger below.
-- The times of a week at which posts are published. `timezone` null: that of the workspace.
create table queue (
  workspace_id text not null references workspace (id) on delete cascade,
  id text not null,
  name text not null,
  timezone text,
  slots jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id)
);

-- The posts that wait in a slot. The key is the rule that a slot has one post, however many requests ask for it at once (decision 87). A slot is
-- a wall time, so that it stays the same slot when a country changes its clocks. A post is stored after its slot was chosen, in one transaction.
create table queue_place (
  workspace_id text not null,
  queue_id text not null,
  timezone text not null,
  wall text not null,
  post_id text not null,
  primary key (workspace_id, queue_id, timezone, wall),
  foreign key (workspace_id, queue_id) references queue (workspace_id, id) on delete cascade,
  foreign key (workspace_id, post_id) references post (workspace_id, id) on delete cascade deferrable initially deferred
);
create index queue_place_of_post on queue_place (workspace_id, post_id);

-- Whatever moves a post, makes a draft of it or ends it before its time frees its slot.
create function free_queue_place() returns trigger language plpgsql as $$
begin
  delete from queue_place
  where workspace_id = old.workspace_id and post_id = old.id and timezone = old.timezone and wall = old.scheduled_wall;
  return null;
end $$;
create trigger post_left_slot after update of status, scheduled_wall, timezone on post for each row
  when (
    old.status = 'scheduled'
    and old.scheduled_wall is not null
    and (
      new.scheduled_wall is distinct from old.scheduled_wall
      or new.timezone is distinct from old.timezone
      or new.status = 'draft'
      or (new.status <> 'scheduled' and new.scheduled_at > now())
    )
  )
  execute function free_queue_place();

do $$
declare
  t text;
begin
  foreach t in array array['queue', 'queue_place']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy tenant on %I to carillon_app using (workspace_id = current_setting(''carillon.workspace'', true)) with check (workspace_id = current_setting(''carillon.workspace'', true))', t);
    execute format('create policy system on %I to carillon_system using (true) with check (true)', t);
  end loop;
end $$;
grant select, insert, update, delete on queue, queue_place to carillon_app, carillon_system;
