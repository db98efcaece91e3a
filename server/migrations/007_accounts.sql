-- How people sign in. better-auth reads and writes these tables. They belong to people, not to workspaces, and only the system role has
-- access to them.
alter table person
  -- The default is for people who did not sign up: `setup` or the link of an invitation has confirmed their address.
  add column email_verified boolean not null default true,
  add column two_factor_enabled boolean not null default false,
  add column image text,
  add column updated_at timestamptz not null default now();

-- Addresses are looked up in lower case, so they are always stored in lower case.
update person set email = lower(email) where email <> lower(email);
create function lower_person_email() returns trigger language plpgsql as $$
begin
  new.email := lower(new.email);
  return new;
end $$;
create trigger person_email before insert or update of email on person for each row execute function lower_person_email();

create table session (
  id text primary key,
  person_id text not null references person (id) on delete cascade,
  -- Not usable without its signature, which only the cookie contains.
  token text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index session_of_person on session (person_id);
create index session_end on session (expires_at);

-- A way to sign in: a password (provider_id = 'credential'), or the person's account at an identity provider.
create table account (
  id text primary key,
  person_id text not null references person (id) on delete cascade,
  provider_id text not null,
  account_id text not null,
  password text,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (provider_id, account_id)
);
create index account_of_person on account (person_id);

-- Pending steps: a mailed link, a challenge, a sign-in that waits for its second factor.
create table verification (
  id text primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index verification_identifier on verification (identifier);
create index verification_end on verification (expires_at);

create table two_factor (
  id text primary key,
  person_id text not null unique references person (id) on delete cascade,
  -- The secret and the backup codes are encrypted.
  secret text not null,
  backup_codes text not null,
  verified boolean not null default true,
  failed_verification_count integer not null default 0,
  locked_until timestamptz
);

create table passkey (
  id text primary key,
  person_id text not null references person (id) on delete cascade,
  name text,
  public_key text not null,
  credential_id text not null unique,
  counter bigint not null,
  device_type text not null,
  backed_up boolean not null,
  transports text,
  aaguid text,
  created_at timestamptz
);
create index passkey_of_person on passkey (person_id);

-- Attempts to sign in or to have a mail sent, by a hash of the address or session.
create table attempt_window (
  key bytea primary key,
  attempts integer not null,
  ends_at timestamptz not null
) with (fillfactor = 70);
create index attempt_window_end on attempt_window (ends_at);

grant select, insert, update, delete on session, account, verification, two_factor, passkey, attempt_window to carillon_system;
