-- The transaction that set the guard last. A process whose connection broke while it committed that transaction recognises its own guard by
-- it: then it knows that nothing was sent (ADR 50).
alter table channel add column armed_by uuid;
