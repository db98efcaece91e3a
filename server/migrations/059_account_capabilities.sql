-- What one account may do where its platform does not treat all accounts alike, and when the platform said so; null where nobody asked.
-- The last column is when the platform was asked last, so that a server that does not answer is not asked by every request.
alter table connection add column capabilities jsonb;
alter table connection add column capabilities_at timestamptz;
alter table connection add column capabilities_asked_at timestamptz;
