-- The number of posts of a workspace, by the columns that the list can be filtered by, so that a page shows its total without counting.
-- Each change inserts a new row, so that transactions do not wait for each other; a sweep adds the rows up.
create table post_tally (
  workspace_id text not null references workspace (id) on delete cascade,
  id bigint generated always as identity,
  status text not null,
  type text not null,
  archived boolean not null,
  posts bigint not null,
  primary key (workspace_id, id)
);
create index post_tally_new on post_tally (id);
alter table post_tally enable row level security;
alter table post_tally force row level security;
create policy tenant on post_tally to carillon_app using (workspace_id = current_setting('carillon.workspace', true))
  with check (workspace_id = current_setting('carillon.workspace', true));
create policy system on post_tally to carillon_system using (true) with check (true);
grant select, insert, delete on post_tally to carillon_app, carillon_system;

-- Nothing is counted for the posts of a workspace that is being deleted.
create function tally_posts_added() returns trigger language plpgsql as $$
begin
  insert into post_tally (workspace_id, status, type, archived, posts)
  select workspace_id, status, type, archived_at is not null, count(*) from added group by 1, 2, 3, 4;
  return null;
end $$;

create function tally_posts_removed() returns trigger language plpgsql as $$
begin
  insert into post_tally (workspace_id, status, type, archived, posts)
  select r.workspace_id, r.status, r.type, r.archived_at is not null, -count(*) from removed r
  where exists (select from workspace w where w.id = r.workspace_id) group by 1, 2, 3, 4;
  return null;
end $$;

create function tally_posts_changed() returns trigger language plpgsql as $$
begin
  insert into post_tally (workspace_id, status, type, archived, posts)
  select workspace_id, status, type, archived, sum(n) from (
    select workspace_id, status, type, archived_at is not null as archived, 1 as n from added
    union all
    select workspace_id, status, type, archived_at is not null, -1 from removed) as change
  group by 1, 2, 3, 4 having sum(n) <> 0;
  return null;
end $$;

create trigger post_added after insert on post referencing new table as added for each statement execute function tally_posts_added();
create trigger post_removed after delete on post referencing old table as removed for each statement execute function tally_posts_removed();
create trigger post_changed after update on post referencing new table as added old table as removed
  for each statement execute function tally_posts_changed();
