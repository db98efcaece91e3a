export type Exception = { table: string; path: string; reason: string }

/** The module that writes each table. Others call its functions. */
export const tableOwners: Readonly<Record<string, string>> = {
  account: 'features/people',
  account_entry: 'features/audit',
  account_webhook: 'features/webhooks',
  ai_usage_month: 'features/ai',
  api_key: 'features/api-keys',
  approval_event: 'features/posts',
  attempt_window: 'features/people',
  audit_entry: 'features/audit',
  audit_link: 'features/audit',
  audit_pending: 'features/audit',
  audit_seal: 'features/audit',
  calendar_feed: 'features/calendar-feed',
  cell: 'infra/cell',
  channel: 'features/posts',
  channel_event: 'features/posts',
  channel_metric: 'features/analytics',
  connect_flow: 'features/connections',
  connection: 'features/connections',
  data_deletion: 'features/connections',
  event_log: 'features/webhooks',
  heartbeat: 'infra/health',
  idempotency: 'infra/http',
  import_row: 'features/imports',
  imported_post: 'features/imports',
  instance_app: 'features/connections',
  invitation: 'features/invitations',
  label: 'features/labels',
  live_event: 'features/live',
  media: 'features/media',
  media_upload: 'features/media',
  member: 'features/members',
  metric_day: 'features/analytics',
  metric_history: 'features/analytics',
  metric_pull: 'features/analytics',
  migration: 'infra/db',
  note: 'features/notes',
  outbox_event: 'features/events',
  outgoing_mail: 'infra/mail',
  part: 'features/posts',
  passkey: 'features/people',
  person: 'features/people',
  platform_app: 'features/connections',
  platform_post: 'features/publishing',
  post: 'features/posts',
  post_import: 'features/imports',
  post_label: 'features/labels',
  post_media: 'features/media',
  post_search: 'features/posts',
  post_tally: 'features/posts',
  post_unsearched: 'features/posts',
  queue: 'features/queues',
  queue_place: 'features/queues',
  quota_window: 'infra/quota',
  rate_window: 'features/publishing',
  rendition: 'features/media',
  request_window: 'infra/rate-limit',
  secret_canary: 'infra/sealing',
  session: 'features/people',
  storage_removal: 'features/media',
  two_factor: 'features/people',
  usage_month: 'features/workspaces',
  verification: 'features/people',
  webhook: 'features/webhooks',
  webhook_delivery: 'features/webhooks',
  workspace: 'features/workspaces',
  workspace_move: 'cells/move',
  workspace_parcel: 'cells/move',
  zone_rules: 'features/posts',
}

/** Statements of another module that write a table. An entry goes when the statement moves to the owner; none is added. */
export const foreignWrites: readonly Exception[] = [
  {
    table: 'api_key',
    path: 'server/src/features/workspace-data/erase-person.store.ts',
    reason: 'Erasing a person is one transaction over all features, and each of them would need a use case of one statement.',
  },
  {
    table: 'audit_entry',
    path: 'server/src/cells/move/unpark-workspace.store.ts',
    reason: 'A workspace moves with everything in it, by SQL over whole tables.',
  },
  {
    table: 'audit_pending',
    path: 'server/src/cells/move/unpark-workspace.store.ts',
    reason: 'A workspace moves with everything in it, by SQL over whole tables.',
  },
  {
    table: 'cell',
    path: 'server/src/features/people/operator/operator.store.ts',
    reason: 'The operator is a column of the cell.',
  },
  {
    table: 'cell',
    path: 'server/src/infra/backup/backup.store.ts',
    reason: 'A database that was filled from a backup is fenced in the same transaction.',
  },
  {
    table: 'channel',
    path: 'server/src/features/publishing/send/arm.store.ts',
    reason: 'A step of sending changes the state and its own columns in one guarded statement; the states are those of core.',
  },
  {
    table: 'connect_flow',
    path: 'server/src/features/workspace-data/erase-person.store.ts',
    reason: 'Erasing a person is one transaction over all features, and each of them would need a use case of one statement.',
  },
  {
    table: 'instance_app',
    path: 'server/src/cells/move/copy-parcels.store.ts',
    reason: 'A workspace moves with everything in it, by SQL over whole tables.',
  },
  {
    table: 'invitation',
    path: 'server/src/features/workspace-data/erase-person.store.ts',
    reason: 'Erasing a person is one transaction over all features, and each of them would need a use case of one statement.',
  },
  {
    table: 'member',
    path: 'server/src/features/workspace-data/erase-person.store.ts',
    reason: 'Erasing a person is one transaction over all features, and each of them would need a use case of one statement.',
  },
  {
    table: 'member',
    path: 'server/src/features/workspaces/workspace.store.ts',
    reason: 'The first member is written in the statement that creates the workspace.',
  },
  {
    table: 'part',
    path: 'server/src/cells/move/park-workspace.store.ts',
    reason: 'A workspace moves with everything in it, by SQL over whole tables.',
  },
  {
    table: 'part',
    path: 'server/src/cells/move/unpark-workspace.store.ts',
    reason: 'A workspace moves with everything in it, by SQL over whole tables.',
  },
  {
    table: 'part',
    path: 'server/src/features/publishing/channel-server.store.ts',
    reason: 'A step of sending changes the state and its own columns in one guarded statement; the states are those of core.',
  },
  {
    table: 'part',
    path: 'server/src/features/publishing/dispatch/claim.store.ts',
    reason: 'A step of sending changes the state and its own columns in one guarded statement; the states are those of core.',
  },
  {
    table: 'part',
    path: 'server/src/features/publishing/dispatch/dispatch.store.ts',
    reason: 'A step of sending changes the state and its own columns in one guarded statement; the states are those of core.',
  },
  {
    table: 'part',
    path: 'server/src/features/publishing/prepare/pending.store.ts',
    reason: 'A step of sending changes the state and its own columns in one guarded statement; the states are those of core.',
  },
  {
    table: 'part',
    path: 'server/src/features/publishing/send/arm.store.ts',
    reason: 'A step of sending changes the state and its own columns in one guarded statement; the states are those of core.',
  },
  {
    table: 'part',
    path: 'server/src/features/publishing/settle/settle.store.ts',
    reason: 'A step of sending changes the state and its own columns in one guarded statement; the states are those of core.',
  },
  {
    table: 'part',
    path: 'server/src/features/restore/restore.store.ts',
    reason: 'After a restore, everything that the lost time may have changed is taken back in one transaction.',
  },
  {
    table: 'person',
    path: 'server/src/features/workspace-data/erase-person.store.ts',
    reason: 'Erasing a person is one transaction over all features, and each of them would need a use case of one statement.',
  },
  {
    table: 'platform_app',
    path: 'server/src/cells/move/copy-parcels.store.ts',
    reason: 'A workspace moves with everything in it, by SQL over whole tables.',
  },
  {
    table: 'post',
    path: 'server/src/features/publishing/prepare/pending.store.ts',
    reason: 'A step of sending changes the state and its own columns in one guarded statement; the states are those of core.',
  },
  {
    table: 'post',
    path: 'server/src/features/publishing/send/arm.store.ts',
    reason: 'A step of sending changes the state and its own columns in one guarded statement; the states are those of core.',
  },
  {
    table: 'post',
    path: 'server/src/features/restore/restore.store.ts',
    reason: 'After a restore, everything that the lost time may have changed is taken back in one transaction.',
  },
  {
    table: 'session',
    path: 'server/src/cells/move/unpark-workspace.store.ts',
    reason: 'A workspace moves with everything in it, by SQL over whole tables.',
  },
  {
    table: 'session',
    path: 'server/src/features/restore/restore.store.ts',
    reason: 'After a restore, everything that the lost time may have changed is taken back in one transaction.',
  },
  {
    table: 'two_factor',
    path: 'server/src/cells/move/move-people.store.ts',
    reason: 'A workspace moves with everything in it, by SQL over whole tables.',
  },
  {
    table: 'verification',
    path: 'server/src/features/workspace-data/erase-person.store.ts',
    reason: 'Erasing a person is one transaction over all features, and each of them would need a use case of one statement.',
  },
  {
    table: 'workspace',
    path: 'server/src/cells/move/park-workspace.store.ts',
    reason: 'A workspace moves with everything in it, by SQL over whole tables.',
  },
  {
    table: 'rate_window',
    path: 'server/src/infra/db/sweep-old-rows.store.ts',
    reason: 'Old rows are swept for all features in one place.',
  },
  {
    table: 'connect_flow',
    path: 'server/src/infra/db/sweep-old-rows.store.ts',
    reason: 'Old rows are swept for all features in one place.',
  },
  {
    table: 'event_log',
    path: 'server/src/infra/db/sweep-old-rows.store.ts',
    reason: 'Old rows are swept for all features in one place.',
  },
  {
    table: 'idempotency',
    path: 'server/src/infra/db/sweep-old-rows.store.ts',
    reason: 'Old rows are swept for all features in one place.',
  },
  {
    table: 'quota_window',
    path: 'server/src/infra/db/sweep-old-rows.store.ts',
    reason: 'Old rows are swept for all features in one place.',
  },
  {
    table: 'request_window',
    path: 'server/src/infra/db/sweep-old-rows.store.ts',
    reason: 'Old rows are swept for all features in one place.',
  },
  {
    table: 'heartbeat',
    path: 'server/src/infra/db/sweep-old-rows.store.ts',
    reason: 'Old rows are swept for all features in one place.',
  },
]

/** Files of infra that read a table of a feature. */
export const infraReads: readonly Exception[] = [
  {
    table: 'media',
    path: 'server/src/infra/backup/backup.store.ts',
    reason: 'A backup lists the files of media, which it does not contain.',
  },
  {
    table: 'rendition',
    path: 'server/src/infra/backup/backup.store.ts',
    reason: 'A backup lists the files of media, which it does not contain.',
  },
  {
    table: 'part',
    path: 'server/src/infra/cell/cell.store.ts',
    reason: 'Whether the database lacks a send that a witness has seen.',
  },
  {
    table: 'part',
    path: 'server/src/infra/db/known-platforms.store.ts',
    reason: 'Posts that wait for a release that knows their platform are counted.',
  },
  {
    table: 'connection',
    path: 'server/src/infra/metrics/overdue.store.ts',
    reason: 'The figures of the whole installation are read in one statement with a time limit.',
  },
  {
    table: 'outbox_event',
    path: 'server/src/infra/metrics/overdue.store.ts',
    reason: 'The figures of the whole installation are read in one statement with a time limit.',
  },
  {
    table: 'webhook_delivery',
    path: 'server/src/infra/metrics/overdue.store.ts',
    reason: 'The figures of the whole installation are read in one statement with a time limit.',
  },
  {
    table: 'part',
    path: 'server/src/infra/metrics/overdue.store.ts',
    reason: 'The figures of the whole installation are read in one statement with a time limit.',
  },
  {
    table: 'connection',
    path: 'server/src/infra/sealing/secret-canary.store.ts',
    reason: 'A key without a canary is tried on the credentials of a connection.',
  },
]

/** Stores that another feature imports. A new one is a use case of its feature instead. */
export const sharedStores: Readonly<Record<string, string>> = {
  'server/src/features/events/outbox.store.ts':
    'An event is recorded in the transaction of what happened. Both logs of events become visible in the order of their ids, under one lock.',
  'server/src/features/posts/post-status.store.ts': 'The SQL of the states, for every statement that changes one.',
  'server/src/features/posts/part.store.ts': 'What sending reads and writes of the rows of a channel.',
  'server/src/features/posts/post.store.ts': 'What sending reads of a post.',
  'server/src/features/posts/channel-event.store.ts': 'The history of a channel, written in the transaction that settles it.',
  'server/src/features/posts/reading/finished.store.ts': 'Which channels are published, for their figures.',
  'server/src/features/connections/connection.store.ts': 'Reading an account is one statement without a rule of its own.',
  'server/src/features/connections/capabilities/capability.store.ts': 'What an account can do, read while its platform is asked.',
  'server/src/features/media/media.store.ts': 'Reading a file is one statement without a rule of its own.',
  'server/src/features/people/session.store.ts': 'Whether anybody can sign in yet, and the password that an invitation sets.',
  'server/src/features/people/operator/operator.store.ts': 'Who the operator is, for the pages and the first run.',
  'server/src/features/people/person.store.ts': 'Reading a person is one statement without a rule of its own.',
  'server/src/features/api-keys/api-key.store.ts': 'The limits of a key that releases a post are checked under its lock.',
  'server/src/features/audit/audit.store.ts':
    'The events of an account, for its own page and for erasing it. The log of a workspace is erased with it.',
  'server/src/features/workspaces/workspace.store.ts':
    'Locking and deleting a workspace, within the transaction of another use case.',
  'server/src/features/members/member.store.ts': 'An invitation adds the member in its own transaction.',
  'server/src/features/publishing/platform-post.store.ts':
    'After a restore, the ids that a platform returns are claimed as in sending.',
  'server/src/features/publishing/send/arm.store.ts': 'After a restore, channels are taken over as in sending.',
}
