-- Why an attempt failed as a code, and the platform's own words: the web app writes our sentences in the reader's language.
alter table channel_event add column reason text, add column platform_message text;
