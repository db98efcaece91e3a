-- The id that a client's own system has for a record, and what else it wants to remember about it.
alter table workspace add column external_id text, add column metadata jsonb not null default '{}';
alter table connection add column external_id text, add column metadata jsonb not null default '{}';
alter table post add column external_id text, add column metadata jsonb not null default '{}';
