import type { Readable } from 'node:stream'
import { roleAllows } from '@carillon/core'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../infra/db/db.ts'
import type { HttpHooks } from '../../../infra/http/http-hooks.ts'
import { problem } from '../../../infra/problem/problem.ts'
import { findMembership } from '../../members/find-membership.ts'
import type { MediaRow } from '../media.store.ts'
import { discardStoredFile, insertStoredFile, storeStream } from '../upload/store-file.ts'
import { claimTicket, findTicketBySecret, releaseTicket, type TicketRow, useTicket } from './upload-ticket.store.ts'
import { hashToken } from './upload-ticket.ts'

/** A process that is killed while it receives a file keeps the address from being used for so long. */
const claimMs = 120_000

export type Secret = { id: string; token: string }

/** The ticket of an address if it still takes a file; throws if not. A wrong address looks like one that has ended. */
export async function loadOpenTicket(ctx: Context, { id, token }: Secret): Promise<TicketRow> {
  const ticket = await findTicketBySecret(ctx.db.system, id, hashToken(token))
  if (!ticket || ticket.used_at !== null || ticket.expires_at.getTime() <= ctx.nowMs()) throw problem('upload_ticket_ended')
  return ticket
}

type Sent = { hooks: HttpHooks; traceId: string; lengthBytes: number; read: () => Promise<{ name: string; source: Readable }> }

/**
 * Adds the one file of a ticket to the library, as the person or key that made the ticket would. Of several callers at once one is let in; if
 * its file is refused or breaks off, the ticket can be used again. What the maker may do is asked again in the transaction that stores.
 */
export async function receiveByTicket(ctx: Context, ticket: TicketRow, sent: Sent): Promise<MediaRow> {
  const { workspace_id: workspaceId, id } = ticket
  const bytesMax = Number(ticket.size_bytes_max)
  const nowMs = ctx.nowMs()
  await ctx.db.tenant(workspaceId, async (tx) => {
    await requireMaker(tx, ticket)
    const isClaimed = await claimTicket(tx, { workspaceId, id, now: new Date(nowMs), until: new Date(nowMs + claimMs) })
    if (!isClaimed) throw problem('upload_ticket_ended')
  })
  try {
    if (sent.lengthBytes > bytesMax) throw problem('media_too_large')
    return await store(ctx, ticket, { ...sent, bytesMax })
  } catch (error) {
    await ctx.db
      .tenant(workspaceId, (tx) => releaseTicket(tx, { workspaceId, id }))
      .catch((err: unknown) => ctx.log.warn({ err }, 'an address for a file could not be released; its claim will expire'))
    throw error
  }
}

async function store(
  ctx: Context,
  ticket: TicketRow,
  { hooks, traceId, read, bytesMax }: Sent & { bytesMax: number },
): Promise<MediaRow> {
  const { workspace_id: workspaceId, id, person_id: personId, api_key_id: apiKeyId } = ticket
  const { name, source } = await read()
  const stored = await storeStream(ctx, { workspaceId, name, source, bytesMax })
  try {
    return await ctx.db.tenant(workspaceId, async (tx) => {
      const nowMs = ctx.nowMs()
      if (!(await useTicket(tx, { workspaceId, id }, { mediaId: stored.row.id, at: new Date(nowMs) })))
        throw problem('upload_ticket_ended')
      await requireMaker(tx, ticket)
      const row = await insertStoredFile(ctx, tx, { ...stored, row: { ...stored.row, alt: ticket.alt } })
      const by = { workspaceId, personId, apiKeyId }
      await hooks.recordChange(tx, { action: 'media.upload_by_ticket', subjectId: row.id, by, nowMs, traceId })
      return row
    })
  } catch (error) {
    await discardStoredFile(ctx, stored)
    throw error
  }
}

/** A maker who has left has no ticket any more; one who may only read now adds nothing either. */
async function requireMaker(tx: Tx, { workspace_id: workspaceId, person_id: personId }: TicketRow): Promise<void> {
  const maker = await findMembership(tx, workspaceId, personId)
  if (!maker || !roleAllows(maker.role, 'editor')) throw problem('upload_ticket_ended')
}
