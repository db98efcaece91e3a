-- Files that an asynchronous post gives as URLs are downloaded after the answer; until then they are listed here.
alter table post add column pending_medias jsonb;
-- Why a download failed; the channels of the post fail with this sentence.
alter table post add column pending_error text;
