-- Files an asynchronous post names by address are fetched after the answer; until then the post remembers what it is to show.
alter table post add column pending_medias jsonb;
-- Why they could not be fetched; its channels fail with this sentence.
alter table post add column pending_error text;
