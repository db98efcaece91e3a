-- The version of the time zone rules with which wall times were last converted to instants. One row.
create table zone_rules (
  id smallint primary key default 1 check (id = 1),
  edition text not null
);
revoke all on zone_rules from carillon_app;
grant select, insert, update on zone_rules to carillon_system;
