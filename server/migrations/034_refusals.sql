-- How often the platform refused the channel for a reason which may pass. They were counted together with all other attempts before, so a post
-- that had waited for a platform that was down failed at its first such refusal.
alter table channel add column refusals smallint not null default 0;
