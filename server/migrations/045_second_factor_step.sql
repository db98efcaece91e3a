-- The last time step whose code was accepted. A code works once: only a code of a later step is accepted.
alter table two_factor add column last_step bigint;
