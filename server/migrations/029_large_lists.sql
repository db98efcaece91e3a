-- Lists of a workspace with millions of posts that are filtered by platform or by words (decision 38).

-- The platforms of a post, sorted, with commas between them. Null if it is not known: the post was stored by an earlier release, or its
-- channels were replaced by one. Workers fill it in.
alter table post add column platforms text;
alter table post_tally add column platforms text;

create or replace function tally_posts_added() returns trigger language plpgsql as $$
begin
  insert into post_tally (workspace_id, status, type, archived, platforms, posts)
  select workspace_id, status, type, archived_at is not null, platforms, count(*) from added group by 1, 2, 3, 4, 5;
  insert into post_unsearched (workspace_id, post_id) select workspace_id, id from added on conflict do nothing;
  return null;
end $$;

create or replace function tally_posts_removed() returns trigger language plpgsql as $$
begin
  insert into post_tally (workspace_id, status, type, archived, platforms, posts)
  select r.workspace_id, r.status, r.type, r.archived_at is not null, r.platforms, -count(*) from removed r
  where exists (select from workspace w where w.id = r.workspace_id) group by 1, 2, 3, 4, 5;
  return null;
end $$;

create or replace function tally_posts_changed() returns trigger language plpgsql as $$
begin
  insert into post_tally (workspace_id, status, type, archived, platforms, posts)
  select workspace_id, status, type, archived, platforms, sum(n) from (
    select workspace_id, status, type, archived_at is not null as archived, platforms, 1 as n from added
    union all
    select workspace_id, status, type, archived_at is not null, platforms, -1 from removed) as change
  group by 1, 2, 3, 4, 5 having sum(n) <> 0;
  return null;
end $$;

-- A worker of the release before would add up rows of different platforms and lose them. It does not set this, so it deletes none of them,
-- and adds up only what it deletes.
create policy sums_by_platform on post_tally as restrictive for delete to carillon_system
  using (platforms is null or current_setting('carillon.tally', true) = 'by platform');

-- The release before replaces the channels of a draft without changing the platforms of the post.
create function forget_platforms() returns trigger language plpgsql as $$
begin
  update post p set platforms = null from removed r
  where p.workspace_id = r.workspace_id and p.id = r.post_id and p.platforms is not null;
  return null;
end $$;
create trigger channel_removed after delete on channel referencing old table as removed
  for each statement execute function forget_platforms();

-- Searching: the title and the text of each post in lower case. A table of its own, because each change of a post's status writes all indexes
-- of that table, and this index is a large one. Workers fill it, so that creating a post does not wait for it.
do $$
begin
  create extension if not exists pg_trgm;
  create extension if not exists btree_gin;
exception when others then
  raise exception 'Searching posts needs the extensions pg_trgm and btree_gin, which are part of PostgreSQL: %. Install the package with them '
    '(postgresql-contrib), or let an administrator run "create extension pg_trgm; create extension btree_gin" in this database, and migrate again.',
    sqlerrm;
end $$;
create table post_search (
  workspace_id text not null,
  post_id text not null,
  words text not null,
  primary key (workspace_id, post_id),
  foreign key (workspace_id, post_id) references post (workspace_id, id) on delete cascade
);
-- Posts that post_search does not have yet, or has with an earlier text. They are searched one by one.
create table post_unsearched (
  workspace_id text not null references workspace (id) on delete cascade,
  post_id text not null,
  primary key (workspace_id, post_id)
);
do $$
declare
  t text;
begin
  foreach t in array array['post_search', 'post_unsearched']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy tenant on %I to carillon_app using (workspace_id = current_setting(''carillon.workspace'', true)) with check (workspace_id = current_setting(''carillon.workspace'', true))', t);
    execute format('create policy system on %I to carillon_system using (true) with check (true)', t);
    execute format('grant select, insert, update, delete on %I to carillon_system', t);
  end loop;
end $$;
grant select, insert, update on post_unsearched to carillon_app;

-- The row is updated, not left alone: that locks it, so that a worker cannot remove it with the text of before this change.
create function note_new_words() returns trigger language plpgsql as $$
begin
  insert into post_unsearched (workspace_id, post_id) values (new.workspace_id, new.id)
  on conflict (workspace_id, post_id) do update set post_id = excluded.post_id;
  return null;
end $$;
create trigger post_words after update of title, text on post for each row
  when (old.title is distinct from new.title or old.text is distinct from new.text) execute function note_new_words();

-- The newest posts of the workspace whose words match. PostgreSQL does not use an index for LIKE where row-level security applies, because LIKE
-- could reveal something about rows of other workspaces. This function has no policy but its own condition, which is that of the policy.
create policy search on post_search for select to current_user using (true);
create function search_posts(pattern text, posts_max integer) returns setof text language plpgsql stable security definer
  set search_path = public, pg_temp set plan_cache_mode = force_custom_plan rows 100 as $$
begin
  return query
    select post_id from post_search
    where workspace_id = current_setting('carillon.workspace', true) and words like pattern
    order by post_id desc limit posts_max;
end $$;
revoke all on function search_posts(text, integer) from public;
grant execute on function search_posts(text, integer) to carillon_app;
