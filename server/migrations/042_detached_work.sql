-- Renewing a token and fetching the files of a post may go on in a process after the run that asked for it has ended. These columns say until
-- when that process is believed to be at work, so that no other one does the same. The release before does not use them: beside it, two
-- processes may do the same work, as two runs could before.
alter table connection add column renewing_until timestamptz;
alter table post add column fetching_until timestamptz;
