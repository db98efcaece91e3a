-- compatible: posts that the release before writes have no label.
-- Whether people are told that artificial intelligence made the post, where its platform has a label for that.
alter table post add column ai_generated boolean not null default false;
