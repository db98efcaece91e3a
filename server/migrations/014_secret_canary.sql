-- A known value encrypted with each secret key. At start it must decrypt: a key with a wrong value is then noticed before it ruins a post.
create table secret_canary (
  key_id text primary key,
  sealed bytea not null,
  created_at timestamptz not null default now()
);
revoke all on secret_canary from carillon_app;
grant select, insert, delete on secret_canary to carillon_system;
