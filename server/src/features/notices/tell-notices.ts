import type { NoticeGroup, NoticeMail } from '@carillon/contract'
import type { Context } from '../../context.ts'
import { cellQuery } from '../../infra/db/sql-parts.ts'
import type { Tx } from '../../infra/db/db.ts'
import { composeMail, queueMail } from '../../infra/mail/queue-mail.ts'
import { recordEvents } from '../events/outbox.store.ts'
import { planChatLines } from '../webhooks/chat/plan-chat-lines.ts'
import { groupOf, isNoticeKind, isToldTo } from './audience.ts'
import { wordsOf, type ToldNotice } from './notice-words.ts'
import { findRecipients, lockDueNotices, markTold, settleMails, tellAgain, type Recipient } from './tell.store.ts'
import { unsubscribeToken } from './unsubscribe-token.ts'

const perPass = 100
const dayMs = 86_400_000
/** An account that nobody connects again is told of again after these times. */
const remindersMs = [3 * dayMs, 7 * dayMs]
const mailLastsMs = dayMs

export const mailDefaults: Readonly<Record<NoticeGroup, NoticeMail>> = {
  failures: 'digest',
  connections: 'at_once',
  approvals: 'at_once',
}

/** Tells chats and people of new notices, and reminds of those that last. True when there may be more. */
export async function tellNotices(ctx: Context): Promise<boolean> {
  return ctx.db.system.transaction().execute(async (tx) => {
    const nowMs = ctx.nowMs()
    const notices = await lockDueNotices(tx, new Date(nowMs), perPass)
    if (notices.length === 0) return false
    for (const notice of notices) {
      if (notice.told > 0) await tellAgain(tx, notice)
      await markTold(tx, notice, nextTime(notice, nowMs))
    }
    await tellPeople(ctx, tx, notices)
    const lines = notices.flatMap((notice) =>
      notice.event ? [{ workspaceId: notice.workspaceId, event: notice.event, line: lineOf(ctx, notice) }] : [],
    )
    const planned = await planChatLines(ctx, tx, lines)
    const reminded = new Set(notices.filter(({ told }) => told > 0).map(({ workspaceId }) => workspaceId))
    await recordEvents(
      tx,
      [...reminded].map((workspaceId) => ({
        workspaceId,
        event: 'notice.changed',
        subjectId: null,
        personId: null,
        atMs: nowMs,
      })),
    )
    if (planned > 0) ctx.engine.wakeWorkers()
    return notices.length === perPass
  })
}

function nextTime({ kind, told, firstAt, expiresAt }: ToldNotice, nowMs: number): Date | null {
  if (kind === 'needs_reconnect') {
    // After an outage, a reminder whose time has passed is not told a moment after the one before.
    const next = remindersMs[told]
    return next === undefined ? null : new Date(Math.max(firstAt.getTime() + next, nowMs + dayMs))
  }
  if (kind === 'expiring' && told === 0 && expiresAt && expiresAt.getTime() - dayMs > nowMs)
    return new Date(expiresAt.getTime() - dayMs)
  return null
}

/** Unconfirmed and late posts need a person now, so they are not kept for a digest. */
const urgentKinds = new Set(['posts_unconfirmed', 'posts_late'])

async function tellPeople(ctx: Context, tx: Tx, notices: readonly ToldNotice[]): Promise<void> {
  const byKey = new Map(notices.map((notice) => [keyOf(notice.workspaceId, notice.id), notice]))
  const recipients = await findRecipients(tx, notices)
  const atOnce: { recipient: Recipient; notice: ToldNotice; group: NoticeGroup }[] = []
  const forDigest: Recipient[] = []
  const done: Recipient[] = []
  for (const recipient of recipients) {
    const notice = byKey.get(keyOf(recipient.workspaceId, recipient.noticeId))
    if (!notice || !isNoticeKind(notice.kind)) continue
    const group = groupOf(notice.kind)
    const chosen = recipient.settings[group] ?? mailDefaults[group]
    const isMailed = ctx.config.mail !== null && chosen !== 'off' && isToldTo(notice.kind, recipient.role)
    if (!isMailed) done.push(recipient)
    else if (chosen === 'digest' && !urgentKinds.has(notice.kind)) forDigest.push(recipient)
    else {
      done.push(recipient)
      atOnce.push({ recipient, notice, group })
    }
  }
  await settleMails(tx, done, { mail: 'done', from: null })
  await settleMails(tx, forDigest, { mail: 'digest', from: new Date(ctx.nowMs()) })
  const mails = Map.groupBy(atOnce, ({ recipient, group }) => `${recipient.personId} ${group}`)
  for (const [first, ...others] of mails.values()) {
    if (!first) continue
    const { personId, email } = first.recipient
    const all = [first, ...others].map(({ notice }) => notice)
    await mailNotices(ctx, tx, { personId, email, notices: all, group: first.group })
  }
}

function keyOf(workspaceId: string, id: string): string {
  return `${workspaceId} ${id}`
}

const listedMax = 30

type NoticeMailing = { personId: string; email: string; notices: readonly ToldNotice[]; group: NoticeGroup | 'all' }

/** One mail about these notices. Its end has a link that ends such mails without signing in. */
export async function mailNotices(ctx: Context, tx: Tx, { personId, email, notices, group }: NoticeMailing): Promise<void> {
  const [first] = notices
  if (!first) return
  const { config } = ctx
  const listed = notices.slice(0, listedMax)
  const unlisted = notices.length - listed.length
  const token = unsubscribeToken(config.secretKeys, { personId, group })
  const unsubscribe = `${config.publicUrl}/unsubscribe?token=${token}${cellQuery(config)}`
  const isOne = notices.length === 1
  const mail = composeMail({
    operator: config.operator,
    to: email,
    subject: isOne
      ? `${first.workspace}: ${wordsOf(first).title}`
      : `${notices.length} things to know in ${operatorName(config)}`,
    paragraphs: [
      ...listed.map((notice) => {
        const { title, todo } = wordsOf(notice)
        return `${notice.workspace}: ${title}. ${todo}${isOne ? '' : ` ${addressOf(ctx, notice)}`}`
      }),
      ...(unlisted > 0 ? [`And ${unlisted} more.`] : []),
      `You get this because of your settings in ${operatorName(config)}. To end these mails, open ${unsubscribe}`,
    ],
    link: { label: isOne ? 'Open it' : 'Open Carillon', url: isOne ? addressOf(ctx, first) : config.publicUrl },
  })
  const headers = { 'List-Unsubscribe': `<${unsubscribe}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
  await queueMail(ctx, tx, { mail: { ...mail, headers }, lastsMs: mailLastsMs })
}

function operatorName({ operator }: Context['config']): string {
  return operator.name
}

function addressOf({ config }: Context, notice: ToldNotice): string {
  return `${config.publicUrl}/w/${notice.workspaceId}${wordsOf(notice).path}`
}

function lineOf(ctx: Context, notice: ToldNotice) {
  const { title, todo } = wordsOf(notice)
  return { title: `${notice.workspace}: ${title}`, todo, address: addressOf(ctx, notice) }
}
