import { channelErrors, notices, type BodyOf, type ChannelErrorCode, type Notice, type NoticeSettings } from '@carillon/contract'
import { isTimezone } from '@carillon/core'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { serve } from '../../infra/http/serve.ts'
import { problem } from '../../infra/problem/problem.ts'
import { kindsToldTo } from './audience.ts'
import { countUnread, listNotices, loadSettings, markNoticesRead, saveSettings, type ReadNotice } from './notice.store.ts'
import { digestHour } from './send-digests.ts'
import { mailDefaults } from './tell-notices.ts'

export function personNoticeRoutes(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, notices.list, async ({ tx, principal }) => {
    const reader = readerOf(principal)
    return { notices: (await listNotices(tx, reader)).map(present), unread: await countUnread(tx, reader) }
  })
  serve(app, ctx, notices.markRead, async ({ tx, principal, body, nowMs }) => {
    const reader = readerOf(principal)
    await markNoticesRead(tx, { ...reader, ids: body.ids ?? null, at: new Date(nowMs) })
    return { unread: await countUnread(tx, reader) }
  })
  serve(app, ctx, notices.settings, (call) => getSettings(call))
  serve(app, ctx, notices.updateSettings, (call) => changeSettings(call, call.body))
}

/** The role of this moment: whoever lost it reads no older notices either. */
function readerOf({ workspaceId, personId, role }: RequestScope['principal']) {
  return { workspaceId, personId, kinds: kindsToldTo(role) }
}

function present({ slug, handle, platform, connectionId, personId, person, ...row }: ReadNotice): Notice {
  const { code } = row
  return {
    id: row.id,
    kind: row.kind,
    count: row.count,
    code,
    message: isChannelError(code) ? channelErrors[code].message : null,
    connection:
      connectionId !== null && slug !== null && handle !== null && platform !== null
        ? { id: connectionId, slug, handle, platform }
        : null,
    postId: row.postId,
    person: personId !== null && person !== null ? { userId: personId, name: person } : null,
    waiting: row.waiting,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    isRead: row.isRead,
    resolvedAt: row.resolvedAt?.toISOString() ?? null,
    firstAt: row.firstAt.toISOString(),
    lastAt: row.lastAt.toISOString(),
  }
}

function isChannelError(code: string | null): code is ChannelErrorCode {
  return code !== null && Object.hasOwn(channelErrors, code)
}

async function getSettings({ ctx, tx, principal }: RequestScope): Promise<NoticeSettings> {
  const stored = await loadSettings(tx, principal.personId)
  return {
    failures: stored.failures ?? mailDefaults.failures,
    connections: stored.connections ?? mailDefaults.connections,
    approvals: stored.approvals ?? mailDefaults.approvals,
    digestHour: stored.digestHour ?? digestHour,
    timezone: stored.timezone ?? 'UTC',
    canMail: ctx.config.mail !== null,
  }
}

async function changeSettings(scope: RequestScope, change: BodyOf<typeof notices.updateSettings>): Promise<NoticeSettings> {
  const { failures, connections, approvals, digestHour: hour, timezone } = change
  if (timezone !== undefined && !isTimezone(timezone))
    throw problem('request_invalid', { details: [{ path: 'timezone', message: `"${timezone}" is not an IANA time zone.` }] })
  await saveSettings(scope.tx, scope.principal.personId, {
    ...(failures !== undefined && { failures }),
    ...(connections !== undefined && { connections }),
    ...(approvals !== undefined && { approvals }),
    ...(hour !== undefined && { digest_hour: hour }),
    ...(timezone !== undefined && { timezone }),
    // Another hour holds from its next time on: otherwise a second digest would come on the same day.
    ...((hour !== undefined || timezone !== undefined) && { digested_at: new Date(scope.nowMs) }),
  })
  return getSettings(scope)
}
