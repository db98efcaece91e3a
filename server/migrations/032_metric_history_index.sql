-- no transaction
-- Workers find the days that are old enough for metric_history.
drop index concurrently if exists metric_day_age;
create index concurrently metric_day_age on metric_day (day);
