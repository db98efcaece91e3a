import type { NoticeKind, Role } from '@carillon/contract'
import { roles } from '@carillon/contract'
import type { Context } from '../../context.ts'
import type { Tx } from '../../infra/db/db.ts'
import { newId } from '../../infra/db/ids.ts'
import { recordEvents } from '../events/outbox.store.ts'
import { isToldTo } from './audience.ts'
import {
  addItems,
  addPeople,
  findChatEvents,
  findLatePosts,
  findNextEvents,
  findOpenNotice,
  insertNotice,
  lockPosition,
  movePosition,
  resolveConnections,
  resolveLate,
  updateLate,
  type LoggedFact,
} from './derive.store.ts'

const eventsMax = 1000
/** Posts that fail for one reason within this time are one notice. */
export const windowMs = 15 * 60_000
/** A burst of posts fails within seconds. Mail and chats are told after it, of all of them. */
const gatherMs = 20_000

/** What an event is about: who is told of it, and which events have the same cause. */
type Found = {
  kind: NoticeKind | 'event'
  cause: string
  /** What is counted. */
  subject: string
  /** Until when further events belong to the same notice: for some time, or until it is resolved. */
  lasts: 'window' | 'resolved'
  only: string | null
  except: string | null
  waitMs: number
}

type Item = { fact: LoggedFact; found: Found }

const nobody = { only: null, except: null } as const

function findCause(fact: LoggedFact): Found | null {
  const { event, id, channelId, connectionId, postId, code, state, endsAt, submitter, decider } = fact
  const subject = channelId ?? postId ?? connectionId ?? id
  switch (event) {
    case 'channel.failed':
      // It was tried again meanwhile, and will be told of if it fails again.
      if (state !== 'failed') return null
      return {
        kind: 'posts_failed',
        cause: `failed ${connectionId} ${code}`,
        subject,
        lasts: 'window',
        ...nobody,
        waitMs: gatherMs,
      }
    case 'channel.unconfirmed':
      if (state !== 'unconfirmed' && state !== 'doubted') return null
      return {
        kind: 'posts_unconfirmed',
        cause: `unconfirmed ${connectionId}`,
        subject,
        lasts: 'window',
        ...nobody,
        waitMs: gatherMs,
      }
    case 'connection.needs_reconnect':
      return { kind: 'needs_reconnect', cause: `reconnect ${connectionId}`, subject, lasts: 'resolved', ...nobody, waitMs: 0 }
    case 'connection.expiring':
      // After a renewal the end is another one, and told of again.
      return { kind: 'expiring', cause: `expiring ${connectionId} ${endsAt}`, subject, lasts: 'resolved', ...nobody, waitMs: 0 }
    case 'content.submitted':
      return {
        kind: 'approval_asked',
        cause: `asked ${submitter}`,
        subject,
        lasts: 'window',
        only: null,
        except: submitter,
        waitMs: gatherMs,
      }
    case 'content.approved':
    case 'content.changes_requested': {
      if (submitter === null || submitter === decider) return null
      const kind = event === 'content.approved' ? 'approved' : 'changes_requested'
      return {
        kind,
        cause: `${kind} ${submitter} ${decider}`,
        subject,
        lasts: 'window',
        only: submitter,
        except: null,
        waitMs: gatherMs,
      }
    }
    default:
      return null
  }
}

/** Of other events only chats are told, of each cause once too. */
function findChatCause({ event, id, postId, channelId, connectionId }: LoggedFact): Found {
  const subject = channelId ?? postId ?? id
  return { kind: 'event', cause: `${event} ${connectionId ?? ''}`, subject, lasts: 'window', ...nobody, waitMs: gatherMs }
}

/**
 * Reads the next entries of the event log and makes notices of them. Up to where it was read is stored in the same transaction, and each event
 * is counted once, so a pass that is repeated makes nothing twice. True when there may be more.
 */
export async function deriveNotices(ctx: Context): Promise<boolean> {
  return ctx.db.system.transaction().execute(async (tx) => {
    const position = await lockPosition(tx)
    if (position === undefined) return false
    const at = new Date(ctx.nowMs())
    const { facts, last } = await findNextEvents(tx, position, eventsMax)
    const changed = new Set(await resolveConnections(tx, at))
    if (facts.length > 0) {
      const forChats = await findChatEvents(tx, [...new Set(facts.map(({ workspaceId }) => workspaceId))])
      const items = facts.flatMap((fact): Item[] => {
        const found = findCause(fact)
        if (found) return [{ fact, found }]
        return forChats.has(`${fact.workspaceId} ${fact.event}`) ? [{ fact, found: findChatCause(fact) }] : []
      })
      const groups = Map.groupBy(items, ({ fact, found }) => `${fact.workspaceId} ${found.cause}`)
      for (const group of groups.values()) for (const each of splitWindows(group)) changed.add(await addToNotice(ctx, tx, each))
    }
    if (last !== null) await movePosition(tx, last)
    for (const workspaceId of await followLate(ctx, tx)) changed.add(workspaceId)
    await recordEvents(
      tx,
      [...changed].map((workspaceId) => ({
        workspaceId,
        event: 'notice.changed',
        subjectId: null,
        personId: null,
        atMs: at.getTime(),
      })),
    )
    return facts.length === eventsMax
  })
}

/** After an outage, one pass may read the events of hours. */
function splitWindows(group: readonly Item[]): Item[][] {
  const windows: Item[][] = []
  for (const item of group) {
    const current = windows.at(-1)
    const [first] = current ?? []
    const belongs = first && (first.found.lasts === 'resolved' || item.fact.at.getTime() < first.fact.at.getTime() + windowMs)
    if (belongs) current?.push(item)
    else windows.push([item])
  }
  return windows
}

async function addToNotice(ctx: Context, tx: Tx, items: readonly Item[]): Promise<string> {
  const [first] = items
  if (!first) throw new Error('a notice about nothing')
  const { fact, found } = first
  const { workspaceId } = fact
  const { cause } = found
  const since = found.lasts === 'window' ? new Date(fact.at.getTime() - windowMs) : null
  const open = await findOpenNotice(tx, { workspaceId, cause }, since)
  const nowMs = ctx.nowMs()
  const noticeId =
    open?.id ??
    (await insertNotice(tx, {
      workspaceId,
      id: newId(nowMs),
      kind: found.kind,
      event: fact.event,
      cause,
      started: fact.id,
      connectionId: fact.connectionId,
      postId: fact.postId,
      personId: fact.event === 'content.submitted' ? fact.submitter : fact.decider,
      code: found.kind === 'posts_failed' ? fact.code : null,
      firstAt: fact.at,
      tellAt: new Date(nowMs + found.waitMs),
    }))
  const events = items.map((item) => ({ id: item.fact.id, subject: item.found.subject, at: item.fact.at }))
  await addItems(tx, { workspaceId, noticeId, events })
  const { kind } = found
  if (kind !== 'event')
    await addPeople(tx, { workspaceId, noticeId, roles: rolesToldOf(kind), only: found.only, except: found.except })
  return workspaceId
}

function rolesToldOf(kind: NoticeKind): Role[] {
  return roles.filter((role) => isToldTo(kind, role))
}

/** A post that nobody has begun to send this long after its time is late. */
const lateMs = 5 * 60_000

/** Posts that are late have no event: nothing happened. One notice lasts until none is late any more. */
async function followLate(ctx: Context, tx: Tx): Promise<string[]> {
  const at = new Date(ctx.nowMs())
  const late = await findLatePosts(tx, new Date(at.getTime() - lateMs))
  const changed: string[] = []
  for (const { workspaceId, postId, posts } of late) {
    const open = await findOpenNotice(tx, { workspaceId, cause: 'late' }, null)
    if (open) {
      await updateLate(tx, { workspaceId, id: open.id, posts, at })
      continue
    }
    const id = newId(at.getTime())
    const noticeId = await insertNotice(tx, {
      workspaceId,
      id,
      kind: 'posts_late',
      event: null,
      cause: 'late',
      started: String(at.getTime()),
      connectionId: null,
      postId: posts === 1 ? postId : null,
      personId: null,
      code: null,
      firstAt: at,
      tellAt: at,
    })
    await updateLate(tx, { workspaceId, id: noticeId, posts, at })
    await addPeople(tx, { workspaceId, noticeId, roles: rolesToldOf('posts_late'), ...nobody })
    changed.push(workspaceId)
  }
  return [...changed, ...(await resolveLate(tx, { except: late.map(({ workspaceId }) => workspaceId), at }))]
}
