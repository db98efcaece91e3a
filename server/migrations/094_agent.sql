-- compatible: the release before knows no agents, and asks for the approval of what they publish only by its own rules; `everyone` is `programs` there.
-- Whether a model or a script that decides by itself uses the key.
alter table api_key add column agent boolean not null default false;

-- A workspace whose rule is `none` still asks for approval of what agents publish, unless it has chosen otherwise. A column of its own, because the
-- release before takes any other word in `approval` for a rule about all programs.
alter table workspace add column agents_need_approval boolean not null default true;

-- A link that a program was given with its submission: it ends with the next submission of the post.
alter table approval_link add column of_submission boolean not null default false;
