import { createHash, randomBytes } from 'node:crypto'
import { type BodyOf, type media, type NewUploadTicket, type UploadTicket, uploadTicketMinutes } from '@carillon/contract'
import { newId } from '../../../infra/db/ids.ts'
import { Answer, type RequestScope } from '../../../infra/http/request-scope.ts'
import { problem } from '../../../infra/problem/problem.ts'
import { lockQuota } from '../../../infra/quota/quota.store.ts'
import { requireFreeStorage } from '../guard-storage.ts'
import { countOpenTickets, findTicket, insertTicket, type TicketRow } from './upload-ticket.store.ts'

const tokenBytes = 32
/** A program that makes more than this does not wait for the files. */
const openTicketsMax = 100

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/**
 * Makes an address to which one file can be sent without a key. Its id is in the address, so that a router finds the cell; the token beside
 * it is the secret.
 */
export async function createUploadTicket(
  { ctx, tx, principal, nowMs }: RequestScope,
  { sizeBytesMax = Infinity, alt = '' }: BodyOf<typeof media.createUploadTicket>,
): Promise<Answer<NewUploadTicket>> {
  const { workspaceId, personId, apiKeyId, keyWorkspaceId, limits } = principal
  await requireFreeStorage(ctx, workspaceId)
  const now = new Date(nowMs)
  await lockQuota(tx, `upload tickets ${workspaceId}`)
  if ((await countOpenTickets(tx, workspaceId, now)) >= openTicketsMax)
    throw problem('quota_reached', {
      message: `There are ${openTicketsMax} open addresses for files already. Use them, or wait until they expire.`,
    })
  const token = randomBytes(tokenBytes).toString('base64url')
  // A key cannot leave an address behind that works longer than itself.
  const endsAtMs = Math.min(nowMs + uploadTicketMinutes * 60_000, limits.expiresAt?.getTime() ?? Infinity)
  const row: TicketRow = {
    workspace_id: workspaceId,
    id: newId(nowMs),
    person_id: personId,
    key_workspace_id: apiKeyId === null ? null : keyWorkspaceId,
    api_key_id: apiKeyId,
    token_hash: hashToken(token),
    size_bytes_max: String(Math.min(sizeBytesMax, ctx.config.media.sizeBytesMax)),
    alt,
    expires_at: new Date(endsAtMs),
    claimed_until: null,
    used_at: null,
    media_id: null,
    created_at: now,
  }
  await insertTicket(tx, row)
  const shown = presentTicket(row, nowMs)
  return new Answer(
    { ...shown, url: `${ctx.config.publicUrl}/uploads/${row.id}/${token}` },
    { subjectId: row.id, withoutSecret: { ...shown, url: '' } },
  )
}

export async function getUploadTicket({ tx, principal, nowMs }: RequestScope, id: string): Promise<UploadTicket> {
  const row = await findTicket(tx, { workspaceId: principal.workspaceId, id })
  if (!row) throw problem('upload_not_found')
  return presentTicket(row, nowMs)
}

function presentTicket(row: TicketRow, nowMs: number): UploadTicket {
  // What is being sent arrives, although the time is up.
  const isOpen = row.expires_at.getTime() > nowMs || (row.claimed_until?.getTime() ?? 0) > nowMs
  return {
    id: row.id,
    status: row.used_at !== null ? 'used' : isOpen ? 'open' : 'ended',
    sizeBytesMax: Number(row.size_bytes_max),
    mediaId: row.media_id,
    expiresAt: row.expires_at.toISOString(),
    createdAt: row.created_at.toISOString(),
  }
}
