-- compatible: the release before does not know the limits and does not keep them; make keys with limits when all processes have this release.
-- What narrows the posts of a key: accounts, posts a day, hours, the same text. A key without limits has null.
alter table api_key
  add column limits jsonb,
  -- The posts that the key released on one day, so that a post counts once however often it is moved.
  add column released_on text,
  add column released_posts text[];
