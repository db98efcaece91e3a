-- The service logs in with two roles of its own, which are members of carillon_app and carillon_system. They own nothing.
-- A process that has no address of the owner reads here whether the schema is complete.
grant select on migration to carillon_system;

-- People belong to no workspace. Requests in a workspace see its members only, and no other address of the installation.
alter table person enable row level security;
create policy tenant on person for select to carillon_app using (
  exists (
    select from member
    where member.person_id = person.id and member.workspace_id = current_setting('carillon.workspace', true)
  )
);
create policy system on person to carillon_system using (true) with check (true);
