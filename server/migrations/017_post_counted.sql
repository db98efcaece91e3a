-- Whether a post has been counted against the plan: it counts once, however often it is unscheduled and published again.
-- The default is true while the column is added, because that writes no rows; drafts have not been counted.
alter table post add column counted boolean not null default true;
alter table post alter column counted set default false;
update post set counted = false where status = 'draft';
