import { exportParts, type ExportPage, type ExportPart } from '@carillon/contract'
import { listChanges } from '../audit/list-changes.ts'
import { describeConnections } from '../connections/describe-connections.ts'
import type { Asked } from '../http/call.ts'
import { getInvitations } from '../invitations/manage-invitations.ts'
import { getMembers } from '../members/change-member.ts'
import { listMediaPage } from '../media/get-media.ts'
import { listPostPage } from '../posts/list-posts.ts'
import { problem } from '../problem.ts'
import { getWebhooks } from '../webhooks/get-webhook.ts'
import { getWorkspace } from './get-workspace.ts'
import { listKeys } from './manage-api-keys.ts'

type Page = { records: readonly object[]; next: string | null }

const pageMax = 100

/** Each part as its own subject presents it: what an API answer never shows, an export does not hold either. */
const readers: Record<ExportPart, (asked: Asked, cursor: string | undefined) => Promise<Page>> = {
  workspace: async (asked) => whole([await getWorkspace(asked)]),
  members: async (asked) => whole(await getMembers(asked)),
  invitations: async (asked) => whole(await getInvitations(asked)),
  connections: async (asked) => whole(await describeConnections(asked)),
  apiKeys: async (asked) => whole(await listKeys(asked)),
  webhooks: async (asked) => whole(await getWebhooks(asked)),
  posts: async (asked, cursor) => {
    const { data, meta } = await listPostPage(asked, { limit: pageMax, archived: 'any', ...(cursor !== undefined && { cursor }) })
    return { records: data, next: meta.nextCursor }
  },
  // Each item's address can be fetched for an hour.
  media: async (asked, cursor) => {
    const { results, nextCursor } = await listMediaPage(asked, { limit: pageMax, ...(cursor !== undefined && { cursor }) })
    return { records: results, next: nextCursor }
  },
  audit: async (asked, cursor) => {
    const { data, nextCursor } = await listChanges(asked, { limit: pageMax, ...(cursor !== undefined && { cursor }) })
    return { records: data, next: nextCursor }
  },
}

/** One page of everything: the cursor names the part to read and where in it to go on. */
export async function exportWorkspace(asked: Asked, cursor: string = exportParts[0]): Promise<ExportPage> {
  const [name, within] = cursor.split(':')
  const at = exportParts.findIndex((part) => part === name)
  const part = exportParts[at]
  if (!part)
    throw problem('request_invalid', { details: [{ path: 'cursor', message: 'Must be the nextCursor of the page before.' }] })
  const { records, next } = await readers[part](asked, within)
  return {
    exportedAt: new Date(asked.nowMs).toISOString(),
    part,
    records: records.map((record) => ({ ...record })),
    nextCursor: next === null ? (exportParts[at + 1] ?? null) : `${part}:${next}`,
  }
}

function whole(records: readonly object[]): Page {
  return { records, next: null }
}
