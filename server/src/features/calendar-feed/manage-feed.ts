import { createHash, randomBytes } from 'node:crypto'
import type { BodyOf, CalendarFeed, calendarFeed, ReturnsOf } from '@carillon/contract'
import { Answer, type RequestScope } from '../../infra/http/request-scope.ts'
import { deleteFeed, findFeed, putFeed } from './calendar-feed.store.ts'

const tokenBytes = 32

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

export async function getFeed({ tx, principal }: RequestScope): Promise<CalendarFeed | null> {
  const found = await findFeed(tx, principal)
  return found ? { texts: found.texts, createdAt: found.created_at.toISOString() } : null
}

export async function createFeed(
  { ctx, tx, principal: { workspaceId, personId }, nowMs }: RequestScope,
  { texts = true }: BodyOf<typeof calendarFeed.create>,
): Promise<Answer<ReturnsOf<typeof calendarFeed.create>>> {
  const token = randomBytes(tokenBytes).toString('base64url')
  const at = new Date(nowMs)
  await putFeed(tx, { workspace_id: workspaceId, person_id: personId, token_hash: hashToken(token), texts, created_at: at })
  const shown = { texts, createdAt: at.toISOString() }
  return new Answer(
    { ...shown, url: `${ctx.config.publicUrl}/calendar-feeds/${token}.ics` },
    { subjectId: personId, withoutSecret: { ...shown, url: '' } },
  )
}

export async function removeFeed({ tx, principal }: RequestScope): Promise<Answer<null>> {
  await deleteFeed(tx, principal)
  return new Answer(null, { subjectId: principal.personId })
}
