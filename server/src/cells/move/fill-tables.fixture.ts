import { Readable } from 'node:stream'
import type { Context } from '../../context.ts'
import { runStatement } from '../../infra/db/db.ts'
import { seal } from '../../infra/sealing/seal.ts'
import { linkEntries } from '../../features/audit/link-entries.ts'
import { recordChange } from '../../features/audit/record-change.ts'
import { trimAudit } from '../../features/audit/trim-audit.ts'

const dayMs = 86_400_000

/** Gives the workspace an audit log whose oldest entries were deleted, so that it has a start. */
export async function shortenLog(ctx: Context, workspaceId: string): Promise<void> {
  const nowMs = Date.now() - 40 * dayMs
  const by = { workspaceId, personId: 'p', apiKeyId: null }
  for (const action of ['a', 'b'])
    await ctx.db.tenant(workspaceId, (tx) => recordChange(tx, { action, subjectId: 's', by, nowMs, traceId: 't' }))
  await linkEntries({ ...ctx, nowMs: () => nowMs })
  await trimAudit({ ...ctx, config: { ...ctx.config, auditDays: 30 } })
}

/**
 * Adds a row to every table that creating a post, an account, a webhook and the file `file` leaves empty. With this a test notices a table
 * that a move forgets.
 */
export async function fillTables(ctx: Context, workspaceId: string): Promise<void> {
  const { system } = ctx.db
  const channel = await system
    .selectFrom('channel')
    .where('workspace_id', '=', workspaceId)
    .select(['id', 'post_id', 'connection_id', 'platform'])
    .executeTakeFirstOrThrow()
  const { id: channelId, post_id: postId, connection_id: connectionId, platform } = channel
  const mailId = `mail of ${workspaceId}`
  const letter = seal(ctx.config.secretKeys, { workspaceId: '', rowId: mailId, column: 'letter' }, '{"to":"lea@example.com"}')
  const copyKey = `${workspaceId}/file/copy`
  await ctx.storage.put(copyKey, Readable.from('the copy'), { mimeType: 'image/jpeg' })
  const values = {
    workspaceId,
    channelId,
    postId,
    connectionId,
    platform,
    mailId,
    letter,
    copyKey,
    tokenHash: Buffer.from(workspaceId),
    reportHash: Buffer.from(`report of ${workspaceId}`),
    reportToken: seal(ctx.config.secretKeys, { workspaceId, rowId: 'r', column: 'token' }, 'the token'),
  }
  for (const text of statements) {
    const names = [...new Set([...text.matchAll(/:(\w+)/g)].map(([, name = '']) => name))] as (keyof typeof values)[]
    const numbered = text.replaceAll(/:(\w+)/g, (_match, name: keyof typeof values) => `$${names.indexOf(name) + 1}`)
    await runStatement(
      system,
      numbered,
      names.map((name) => values[name]),
    )
  }
}

const statements = [
  `insert into workspace_app (workspace_id, platform, client_id, client_secret_sealed, entered_at) values (:workspaceId, 'x', 'id', '', now())`,
  `insert into invitation (workspace_id, id, email, role, token_hash, invited_by, mail, expires_at, created_at)
   values (:workspaceId, 'i', 'lea@example.com', 'editor', :tokenHash, 'p', 'waiting', now(), now())`,
  `insert into outgoing_mail (id, workspace_id, invitation_id, letter_sealed, attempts, due_at, ends_at)
   values (:mailId, :workspaceId, 'i', :letter, 0, now(), now())`,
  `insert into webhook_delivery (workspace_id, webhook_id, id, event, url, body, status, status_code, attempts, tries, response_body, created_at)
   values (:workspaceId, 'webhook1', gen_random_uuid(), 'channel.published', 'https://example.com', '{}', 'pending', 0, 0, 0, '', now())`,
  `insert into rendition (workspace_id, media_id, rules_hash, storage_key, mime_type, size_bytes, changes, created_at)
   values (:workspaceId, 'file', 'r', :copyKey, 'image/jpeg', 8, '[]', now())`,
  `insert into post_media (workspace_id, post_id, position, media_id) values (:workspaceId, :postId, 0, 'file')`,
  `insert into channel_event (workspace_id, post_id, channel_id, at, stage, attempt)
   values (:workspaceId, :postId, :channelId, now(), 'failed', 1)`,
  `insert into approval_event (workspace_id, post_id, action, person_id, at) values (:workspaceId, :postId, 'submitted', 'p', now())`,
  `insert into approval_link (workspace_id, id, token_hash, mailed, person_id, created_at, expires_at)
   values (:workspaceId, 'a', :tokenHash, false, 'p', now(), now())`,
  `insert into approval_link_post (workspace_id, link_id, post_id, revision, position) values (:workspaceId, 'a', :postId, 'r', 0)`,
  `insert into post_comment (workspace_id, post_id, id, person_id, audience, text, created_at)
   values (:workspaceId, :postId, 'c', 'p', 'members', 'Nine?', now())`,
  `insert into platform_post (platform, instance_url, account_id, platform_post_id, workspace_id, channel_id, part)
   values (:platform, '', 'tower', :channelId, :workspaceId, :channelId, 'post')`,
  `insert into channel_metric (workspace_id, channel_id, platform, published_at, asked_at, likes)
   values (:workspaceId, :channelId, :platform, now(), now(), 7)`,
  `insert into metric_day (workspace_id, channel_id, day, likes) values (:workspaceId, :channelId, current_date, 7)`,
  `insert into metric_history (workspace_id, channel_id, days) values (:workspaceId, :channelId, '20000 5')`,
  `insert into metric_pull (workspace_id, connection_id, platform) values (:workspaceId, :connectionId, :platform) on conflict do nothing`,
  `insert into follower_day (workspace_id, connection_id, day, followers) values (:workspaceId, :connectionId, current_date, 7)`,
  `insert into ai_usage_month (workspace_id, month, tokens) values (:workspaceId, '2026-11', 12)`,
  `insert into queue (workspace_id, id, name, slots, created_at, updated_at) values (:workspaceId, 'q', 'Main', '[]', now(), now())`,
  `insert into queue_place (workspace_id, queue_id, timezone, wall, post_id)
   values (:workspaceId, 'q', 'UTC', '2027-03-01', :postId)`,
  `insert into series (workspace_id, id, name, rule, content, variants, state, approval, person_id, begins_at, decided_until, decided, taken_back,
     created_at, updated_at)
   values (:workspaceId, 's', 'Bells', '{}', '{}', '[]', 'active', 'none', 'p', now(), '2027-03-01', 1, 0, now(), now())`,
  `insert into series_date (workspace_id, series_id, date, number, at, state, post_id)
   values (:workspaceId, 's', '2027-03-01', 0, now(), 'made', :postId)`,
  `insert into label (workspace_id, id, name, color, kind, starts_on, created_at, updated_at)
   values (:workspaceId, 'l', 'Summer', 'teal', 'campaign', '2027-06-01', now(), now())`,
  `insert into post_label (workspace_id, label_id, post_id) values (:workspaceId, 'l', :postId)`,
  `insert into media_folder (workspace_id, id, name, created_at, updated_at) values (:workspaceId, 'f', 'Towers', now(), now())`,
  `update media set folder_id = 'f' where workspace_id = :workspaceId and id = 'file'`,
  `insert into note (workspace_id, id, starts_on, ends_on, text, color, person_id, created_at, updated_at)
   values (:workspaceId, 'n', '2027-06-01', '2027-06-02', 'Tuning', 'red', 'p', now(), now())`,
  `insert into client_report (workspace_id, id, token_hash, token_sealed, title, first_day, last_day, label_id, language, person_id, created_at, expires_at)
   values (:workspaceId, 'r', :reportHash, :reportToken, 'June', '2027-06-01', '2027-06-30', 'l', 'en', 'p', now(), now())`,
  `insert into post_import (workspace_id, id, format, accounts, fingerprint, person_id, created_at)
   values (:workspaceId, 'i', 'csv', '{}', '\\x01', 'p', now())`,
  `insert into import_row (workspace_id, import_id, number, key, content, status)
   values (:workspaceId, 'i', 1, 'csv-1', '{}', 'waiting')`,
  `insert into imported_post (workspace_id, key, post_id) values (:workspaceId, 'csv-1', :postId)`,
  `insert into event_log (workspace_id, id, event, post_id, at) values (:workspaceId, 1, 'upload.scheduled', :postId, now())`,
  `insert into notice (workspace_id, id, kind, cause, started, count, first_at, last_at)
   values (:workspaceId, 'n', 'posts_late', 'posts_late', 1, 1, now(), now())`,
  `insert into notice_item (workspace_id, event_id, notice_id, subject) values (:workspaceId, 1, 'n', :channelId)`,
  `insert into notice_person (workspace_id, notice_id, person_id)
   select workspace_id, 'n', person_id from member where workspace_id = :workspaceId`,
  `insert into outbox_event (workspace_id, event, post_id, at) values (:workspaceId, 'post.published', :postId, now())`,
]
