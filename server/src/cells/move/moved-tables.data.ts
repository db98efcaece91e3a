/**
 * A table whose rows move with a workspace. `key` is the column with the id of the workspace. `isShared`: the workspace is not part of the primary
 * key, so the target may already have a row for another workspace; then that one stays. `only`: SQL for the rows `t` that move; others end with
 * the workspace in the source.
 */
export type MovedTable = { name: string; key: 'id' | 'workspace_id' | 'chain'; isShared?: true; only?: string }

/** In an order in which the rows can be inserted. Deleting the workspace deletes these rows. */
export const movedTables: readonly MovedTable[] = [
  { name: 'workspace', key: 'id' },
  { name: 'member', key: 'workspace_id' },
  { name: 'api_key', key: 'workspace_id' },
  { name: 'invitation', key: 'workspace_id' },
  { name: 'outgoing_mail', key: 'workspace_id' },
  { name: 'connection', key: 'workspace_id' },
  { name: 'workspace_app', key: 'workspace_id' },
  // The others stand for webhooks of accounts, which stay in their cell.
  { name: 'webhook', key: 'workspace_id', only: 't.account_webhook_id is null' },
  {
    name: 'webhook_delivery',
    key: 'workspace_id',
    only: `exists (
      select from webhook w
      where w.workspace_id = t.workspace_id and w.id = t.webhook_id and w.account_webhook_id is null)`,
  },
  { name: 'media_folder', key: 'workspace_id' },
  { name: 'media', key: 'workspace_id' },
  { name: 'rendition', key: 'workspace_id' },
  { name: 'post', key: 'workspace_id' },
  { name: 'post_media', key: 'workspace_id' },
  { name: 'queue', key: 'workspace_id' },
  { name: 'queue_place', key: 'workspace_id' },
  { name: 'series', key: 'workspace_id' },
  { name: 'series_date', key: 'workspace_id' },
  { name: 'label', key: 'workspace_id' },
  { name: 'post_label', key: 'workspace_id' },
  { name: 'note', key: 'workspace_id' },
  { name: 'client_report', key: 'workspace_id' },
  { name: 'post_import', key: 'workspace_id' },
  { name: 'import_row', key: 'workspace_id' },
  { name: 'imported_post', key: 'workspace_id' },
  { name: 'part', key: 'workspace_id' },
  { name: 'channel_event', key: 'workspace_id' },
  { name: 'approval_event', key: 'workspace_id' },
  { name: 'approval_link', key: 'workspace_id' },
  { name: 'approval_link_post', key: 'workspace_id' },
  { name: 'post_comment', key: 'workspace_id' },
  { name: 'platform_post', key: 'workspace_id', isShared: true },
  { name: 'channel_metric', key: 'workspace_id' },
  { name: 'metric_day', key: 'workspace_id' },
  { name: 'metric_history', key: 'workspace_id' },
  { name: 'metric_pull', key: 'workspace_id' },
  { name: 'follower_day', key: 'workspace_id' },
  { name: 'usage_month', key: 'workspace_id' },
  { name: 'ai_usage_month', key: 'workspace_id' },
  { name: 'idempotency', key: 'workspace_id' },
  { name: 'event_log', key: 'workspace_id' },
  { name: 'notice', key: 'workspace_id' },
  { name: 'notice_item', key: 'workspace_id' },
  { name: 'notice_person', key: 'workspace_id' },
]

/** It refers to no other table, so its rows are taken and deleted by one statement. */
export const eventTable: MovedTable = { name: 'outbox_event', key: 'workspace_id' }

/** Only the owner of the tables may delete from these, so the source deletes its rows at the end. */
export const auditTables: readonly MovedTable[] = [
  { name: 'audit_entry', key: 'workspace_id' },
  { name: 'audit_link', key: 'chain' },
  { name: 'audit_head', key: 'chain' },
  { name: 'audit_start', key: 'chain' },
]

/** The rows of the people who are members or have keys. They are copied, and stay in the source. */
export const personTables = ['person', 'account', 'passkey', 'two_factor'] as const

/** Every other table, and why its rows stay. A test finds a table that is in none of these lists. */
export const tablesLeftBehind: Readonly<Record<string, string>> = {
  connect_flow: 'an account that is being connected: it takes minutes, and is started again',
  connect_link: 'a secret address of this cell; admins make a new one',
  media_upload: 'the parts of an unfinished upload are in the store of the source',
  upload_ticket: 'an address of this cell for one file, which works for minutes; it is made again',
  storage_removal: 'files that the source still has to delete',
  live_event: 'what open pages were told in the last ten minutes; they load everything again',
  storage_use: 'triggers of the target count the files again',
  calendar_feed: 'a secret address of this cell; members make a new one',
  oauth_client: 'programs that asked for access in this cell',
  oauth_grant: 'access that people gave to programs in this cell; they connect them again',
  oauth_code: 'lives for minutes',
  oauth_token: 'belongs to a grant of this cell',
  oauth_device: 'lives for minutes',
  post_tally: 'triggers of the target count the posts again',
  post_search: 'workers of the target read the words again',
  post_unsearched: 'triggers of the target list every post again',
  audit_pending: 'triggers of the target list every entry again, and workers remove those that have a link',
  audit_seal: 'what this installation has published about the logs of all its workspaces',
  data_deletion: 'what platforms asked this installation to delete; it names no workspace',
  instance_app: 'belongs to the installation; copyInstanceApps copies those that accounts of the workspace need',
  notice_setting: 'what a person has chosen for their account in this cell',
  notice_position: 'up to where workers of this cell have read its event log',
  platform_app: 'belongs to the installation; copyPlatformApps copies those that accounts of the workspace were connected with',
  account_webhook: 'what a person has set for their account in this cell',
  account_entry: 'what people did with their account in this cell, which stays here',
  session: 'a browser that is signed in to this cell; people sign in again',
  verification: 'a link in a mail of this cell, which works for an hour',
  erased_workspace: 'workspaces that were deleted in this cell',
  rate_window:
    'calls to a platform in its current window; the target counts from zero, and the platform refuses what is too much',
  quota_window: 'use of a quota in its current window; the target counts from zero',
  request_window: 'requests of this minute; the target counts from zero',
  attempt_window: 'attempts to sign in to this cell',
  workspace_move: 'says where a workspace is, in each cell for itself',
  workspace_parcel: 'the rows on their way',
  cell: 'the state of this cell',
  migration: 'the schema of this database; both cells must have the same one',
  secret_canary: 'proves the keys of this cell',
  zone_rules: 'the time zone rules that this database was computed with',
  heartbeat: 'the workers of this cell',
  chore: 'when the chores of this cell last ran',
}
