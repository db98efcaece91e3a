-- When the recovery reads a channel that is claimed or being sent and was not settled.
alter table channel rename column look_again_at to recover_at;
