import { exportParts, type ExportPage, type ExportPart } from '@carillon/contract'
import { exportFollowers } from '../analytics/get-followers.ts'
import { listChanges } from '../audit/list-changes.ts'
import { describeConnections } from '../connections/present-connection.ts'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { getInvitations } from '../invitations/manage-invitations.ts'
import { getMembers } from '../members/manage-members.ts'
import { listMediaPage } from '../media/get-media.ts'
import { getFolders } from '../media/manage-folders.ts'
import { listPostPage } from '../posts/reading/list-post-page.ts'
import { problem } from '../../infra/problem/problem.ts'
import { getLabels } from '../labels/manage-labels.ts'
import { getNotes } from '../notes/manage-notes.ts'
import { getReports } from '../reports/manage-reports.ts'
import { getQueues } from '../queues/manage-queues.ts'
import { listSeries } from '../series/show-series.ts'
import { getWebhooks } from '../webhooks/get-webhook.ts'
import { getWorkspace } from '../workspaces/present-workspace.ts'
import { listKeys } from '../api-keys/manage-api-keys.ts'

type Page = { records: readonly object[]; next: string | null }

const pageMax = 100

/** Each part is read by the use case of its own feature, so an export contains nothing that the API does not show. */
const readers: Record<ExportPart, (scope: RequestScope, cursor: string | undefined) => Promise<Page>> = {
  workspace: async (scope) => singlePage([await getWorkspace(scope)]),
  members: async (scope) => singlePage(await getMembers(scope)),
  invitations: async (scope) => singlePage(await getInvitations(scope)),
  connections: async (scope) => singlePage(await describeConnections(scope)),
  followers: exportFollowers,
  apiKeys: async (scope) => singlePage(await listKeys(scope)),
  webhooks: async (scope) => singlePage(await getWebhooks(scope)),
  queues: async (scope) => singlePage(await getQueues(scope)),
  series: async (scope) => singlePage(await listSeries(scope)),
  labels: async (scope) => singlePage(await getLabels(scope)),
  notes: async (scope) => singlePage(await getNotes(scope)),
  // Without the links: whoever has an export is not meant to have working addresses.
  reports: async (scope) => singlePage((await getReports(scope)).map((report) => ({ ...report, link: undefined }))),
  posts: async (scope, cursor) => {
    const { data, meta } = await listPostPage(scope, { limit: pageMax, archived: 'any', ...(cursor !== undefined && { cursor }) })
    return { records: data, next: meta.nextCursor }
  },
  mediaFolders: async (scope) => singlePage(await getFolders(scope)),
  // The address of each item works for an hour.
  media: async (scope, cursor) => {
    const { results, nextCursor } = await listMediaPage(scope, { limit: pageMax, ...(cursor !== undefined && { cursor }) })
    return { records: results, next: nextCursor }
  },
  audit: async (scope, cursor) => {
    const { data, nextCursor } = await listChanges(scope, { limit: pageMax, ...(cursor !== undefined && { cursor }) })
    return { records: data, next: nextCursor }
  },
}

/** One page of the export. The cursor names the part to read and the position in it. */
export async function exportWorkspace(scope: RequestScope, cursor: string = exportParts[0]): Promise<ExportPage> {
  const [name, within] = cursor.split(':')
  const at = exportParts.findIndex((part) => part === name)
  const part = exportParts[at]
  if (!part)
    throw problem('request_invalid', { details: [{ path: 'cursor', message: 'Must be the nextCursor of the previous page.' }] })
  const { records, next } = await readers[part](scope, within)
  return {
    exportedAt: new Date(scope.nowMs).toISOString(),
    part,
    records: records.map((record) => ({ ...record })),
    nextCursor: next === null ? (exportParts[at + 1] ?? null) : `${part}:${next}`,
  }
}

function singlePage(records: readonly object[]): Page {
  return { records, next: null }
}
