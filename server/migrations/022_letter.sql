-- What the checks of a draft found about a channel, with codes; null for channels that are not part of a draft. `warnings` has the sentences.
alter table channel add column issues jsonb;

alter table connection
  -- Whether the token can be renewed without the account's owner. Null until it is known; credentials are encrypted, so SQL cannot tell.
  add column token_renewable boolean,
  -- The `token_expires_at` for which `connection.expiring` was recorded.
  add column expiry_announced_for timestamptz;
create index connection_expiry on connection (token_expires_at) where token_renewable is not true and status = 'active';

-- Lower case for searching. The plain function follows the database's locale, and under "C" it knows only the letters of ASCII. PostgreSQL 17
-- has a collation for all of Unicode on every server; before that, servers with ICU have one.
do $$
declare
  unicode text;
begin
  select format('collate %I', collname) into unicode from pg_collation
  where collname in ('pg_c_utf8', 'und-x-icu') and collnamespace = 'pg_catalog'::regnamespace and collencoding in (-1, 6)
  order by collname limit 1;
  execute format('create function fold_case(text) returns text language sql immutable parallel safe return lower($1 %s)', unicode);
end $$;
