-- compatible: the release before knows no rule, so it stores posts without one. While both run, it may send a post that this release stored, with the
-- links as they were written; so a rule is set after the upgrade.
-- Which links of posts get parameters for statistics, and which; null if none do.
alter table workspace add column utm jsonb;

-- The parameters that the links of this post get for each of its accounts, as they were when it was checked; null if its links stay as they are.
alter table post add column link_tags jsonb;
