-- Mail that has not been sent yet. The mail contains a secret link, so it is stored encrypted; the row is deleted when the mail was sent.
create table outgoing_mail (
  id text primary key,
  -- Null for mail about a person's own account.
  workspace_id text references workspace (id) on delete cascade,
  invitation_id text,
  letter_sealed bytea not null,
  attempts int not null,
  -- A process that claims the mail moves this forward, so that no other process sends it in the meantime.
  due_at timestamptz not null,
  -- The mail is not tried again after this.
  ends_at timestamptz not null,
  -- Revoking an invitation deletes its mail.
  foreign key (workspace_id, invitation_id) references invitation (workspace_id, id) on delete cascade
);
create index outgoing_mail_due on outgoing_mail (due_at);
create index outgoing_mail_invitation on outgoing_mail (workspace_id, invitation_id);

alter table outgoing_mail enable row level security;
alter table outgoing_mail force row level security;
create policy tenant on outgoing_mail to carillon_app
  using (workspace_id = current_setting('carillon.workspace', true)) with check (workspace_id = current_setting('carillon.workspace', true));
create policy system on outgoing_mail to carillon_system using (true) with check (true);
grant insert on outgoing_mail to carillon_app;
grant select, insert, update, delete on outgoing_mail to carillon_system;
