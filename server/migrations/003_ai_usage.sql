-- Tokens of the language model by calendar month (UTC). One row per workspace is enough: an answer takes seconds, so updates are rare.
create table ai_usage_month (
  workspace_id text not null references workspace (id) on delete cascade,
  month text not null,
  tokens bigint not null,
  primary key (workspace_id, month)
) with (fillfactor = 70);
alter table ai_usage_month enable row level security;
alter table ai_usage_month force row level security;
create policy tenant on ai_usage_month to carillon_app using (workspace_id = current_setting('carillon.workspace', true)) with check (workspace_id = current_setting('carillon.workspace', true));
create policy system on ai_usage_month to carillon_system using (true) with check (true);
grant select, insert, update, delete on ai_usage_month to carillon_app, carillon_system;
