-- The registration of our app with which an account is being connected, or was. It is needed to exchange a code and to revoke a token, even
-- after the server has got a newer one. Null for flows and connections of the release before, and for platforms with one app for all.
alter table connect_flow add column client_id text;
alter table connection add column client_id text;

comment on column instance_app.redirect_url is
  'Of a registration that was replaced: followed by # and the client id, so that the key is free for the next one.';
