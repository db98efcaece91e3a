/** A table whose rows move with a workspace. `key` is the column with the id of the workspace. */
export type MovedTable = { name: string; key: 'id' | 'workspace_id' | 'chain' }

/** In an order in which the rows can be inserted. Deleting the workspace deletes these rows. */
export const movedTables: readonly MovedTable[] = [
  { name: 'workspace', key: 'id' },
  { name: 'member', key: 'workspace_id' },
  { name: 'api_key', key: 'workspace_id' },
  { name: 'invitation', key: 'workspace_id' },
  { name: 'outgoing_mail', key: 'workspace_id' },
  { name: 'connection', key: 'workspace_id' },
  { name: 'webhook', key: 'workspace_id' },
  { name: 'webhook_delivery', key: 'workspace_id' },
  { name: 'media', key: 'workspace_id' },
  { name: 'rendition', key: 'workspace_id' },
  { name: 'post', key: 'workspace_id' },
  { name: 'post_media', key: 'workspace_id' },
  { name: 'channel', key: 'workspace_id' },
  { name: 'channel_event', key: 'workspace_id' },
  { name: 'channel_metric', key: 'workspace_id' },
  { name: 'metric_day', key: 'workspace_id' },
  { name: 'metric_pull', key: 'workspace_id' },
  { name: 'usage_month', key: 'workspace_id' },
  { name: 'ai_usage_month', key: 'workspace_id' },
  { name: 'idempotency', key: 'workspace_id' },
]

/** It refers to no other table, so its rows are taken and deleted by one statement. */
export const eventTable: MovedTable = { name: 'outbox_event', key: 'workspace_id' }

/** Only the owner of the tables may delete from these, so the source deletes its rows at the end. */
export const auditTables: readonly MovedTable[] = [
  { name: 'audit_entry', key: 'workspace_id' },
  { name: 'audit_link', key: 'chain' },
  { name: 'audit_head', key: 'chain' },
]

/** The rows of the people who are members or have keys. They are copied, and stay in the source. */
export const personTables = ['person', 'account', 'passkey', 'two_factor'] as const

/** Tables with rows of a workspace that do not move, and why. A test finds a table that is in none of these lists. */
export const tablesLeftBehind: Readonly<Record<string, string>> = {
  connect_flow: 'an account that is being connected: it takes minutes, and is started again',
  media_upload: 'the parts of an unfinished upload are in the store of the source',
  storage_removal: 'files that the source still has to delete',
  live_event: 'what open pages were told in the last ten minutes; they load everything again',
  post_tally: 'triggers of the target count the posts again',
  post_search: 'workers of the target read the words again',
  post_unsearched: 'triggers of the target list every post again',
  audit_pending: 'triggers of the target list every entry again, and workers remove those that have a link',
}
