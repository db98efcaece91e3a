-- Mail that no mail server has taken yet. The letter holds a link that is a key, so it is sealed; the row goes as soon as it was sent.
create table outgoing_mail (
  id text primary key,
  -- Null for mail about a person's own account.
  workspace_id text references workspace (id) on delete cascade,
  invitation_id text,
  letter_sealed bytea not null,
  attempts int not null,
  -- Whoever takes it to send it moves this ahead: nobody else takes it meanwhile.
  due_at timestamptz not null,
  -- Not tried after this.
  ends_at timestamptz not null,
  -- An invitation that is taken back takes its mail along.
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
