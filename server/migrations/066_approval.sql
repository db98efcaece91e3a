-- compatible: the release before neither asks for approvals nor ends them; choose who needs one when all processes have this release.
-- Whose posts wait for an approval: nobody's, those of programs, or those of programs and editors.
alter table workspace add column approval text not null default 'none';

-- Where a post is on its way to be approved, and the hash of what was submitted. Both are null for a post that was not.
alter table post
  add column approval text,
  add column approval_revision text;

-- What people and programs decided about a post, in the order of their ids. `due_at` is the time that was wished for, or that it was released for.
create table approval_event (
  workspace_id text not null,
  post_id text not null,
  id bigint generated always as identity,
  action text not null,
  person_id text not null,
  api_key_id uuid,
  at timestamptz not null,
  comment text,
  revision text,
  due_at timestamptz,
  primary key (workspace_id, post_id, id),
  foreign key (workspace_id, post_id) references post (workspace_id, id) on delete cascade
);
alter table approval_event enable row level security;
alter table approval_event force row level security;
create policy tenant on approval_event to carillon_app
  using (workspace_id = current_setting('carillon.workspace', true))
  with check (workspace_id = current_setting('carillon.workspace', true));
create policy system on approval_event to carillon_system using (true) with check (true);
grant select, insert, update, delete on approval_event to carillon_app, carillon_system;
