-- The last published value about the ends of all audit logs: a number that grows, and the hash of the file in the media store. It is
-- authenticated, with its time, by a key that is not in the database. Entries that are older than this time are not added to a log any more.
create table audit_seal (
  only_one boolean primary key default true check (only_one),
  counter bigint not null,
  at timestamptz not null,
  hash bytea not null,
  key_id text not null,
  mac bytea not null
);
grant select, insert, update on audit_seal to carillon_system;
