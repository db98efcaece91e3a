-- The person who runs this installation, named by the first run or by a command. Before, it was who owned the oldest workspace, which a tenant
-- could become when older workspaces were deleted or moved away. An installation that exists keeps the person who is operator now: of
-- several owners the first.
alter table cell add column operator_id text references person (id) on delete set null;

alter table workspace no force row level security;
alter table member no force row level security;
update cell
set operator_id = (
  select person_id
  from member
  where role = 'owner' and workspace_id = (select id from workspace order by id limit 1)
  order by joined_at, person_id
  limit 1
);
alter table workspace force row level security;
alter table member force row level security;
