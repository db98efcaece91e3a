-- compatible: the release before plans no delivery for these webhooks, because `events` of their rows is empty, and cannot open a secret that is
-- empty: what it is given to send is sent by a worker of this release.
-- A webhook to a chat has its events here, and its address sealed: whoever has it can write there. `url` has only its host then.
alter table webhook
  add column format text not null default 'json',
  add column chat_events text[],
  add column address_sealed bytea;
