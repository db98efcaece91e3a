import type { Post, QueryOf, exports } from '@carillon/contract'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import type { File } from '../../infra/http/serve-file.ts'
import { formatCsvLine } from '../../infra/text/csv-line.ts'
import { getLabels } from '../labels/manage-labels.ts'
import { listPostPage } from '../posts/reading/list-post-page.ts'
import { columns, listColumns } from './formats/read-own.ts'

type Caller = Omit<RequestScope, 'tx' | 'afterCommit'>
type Column = (typeof columns)[number]
type Line = Partial<Record<Column, unknown>>

const pageMax = 100
const lists: ReadonlySet<string> = new Set(listColumns)

/**
 * The posts that a list with these filters has, as lines that an import reads. Pages are read one at a time, each in a short transaction, as fast
 * as the client downloads, so memory use does not depend on how many there are.
 */
export async function exportPosts(caller: Caller, query: QueryOf<typeof exports.csv>, format: 'csv' | 'jsonl'): Promise<File> {
  // Read before the answer begins, so that a wrong filter is refused.
  const first = await loadPage(caller, query, null)
  const day = new Date(caller.nowMs).toISOString().slice(0, 10)
  return { name: `carillon-posts-${day}.${format}`, chunks: write(caller, query, { first, format }) }
}

type Page = { lines: Line[]; next: string | null }

async function* write(
  caller: Caller,
  query: QueryOf<typeof exports.csv>,
  { first, format }: { first: Page; format: 'csv' | 'jsonl' },
): AsyncGenerator<string> {
  if (format === 'csv') yield formatCsvLine(columns)
  for (let page = first; ; page = await loadPage(caller, query, page.next)) {
    yield page.lines.map((line) => (format === 'csv' ? csvLine(line) : `${JSON.stringify(line)}\n`)).join('')
    if (page.next === null) return
  }
}

function loadPage(caller: Caller, query: QueryOf<typeof exports.csv>, cursor: string | null): Promise<Page> {
  return caller.ctx.db.readOnly(caller.principal.workspaceId, async (tx) => {
    const scope = { ...caller, tx, afterCommit: () => {} }
    const names = new Map((await getLabels(scope)).map(({ id, name }) => [id, name]))
    const { data, meta } = await listPostPage(scope, {
      archived: 'any',
      ...query,
      limit: pageMax,
      ...(cursor !== null && { cursor }),
    })
    return { lines: data.map((post) => lineOf(post, names)), next: meta.nextCursor }
  })
}

/** Only what the post has, with the names of a create. Files have an id for this workspace, and an address that works for an hour. */
function lineOf(post: Post, labelNames: ReadonlyMap<string, string>): Line {
  const { medias } = post
  const ids = medias.flatMap(({ id }) => id ?? [])
  const labels = (post.labels ?? []).flatMap((id) => labelNames.get(id) ?? [])
  const connections = [...new Set(post.channels.map(({ connection }) => connection))]
  const all: Line = {
    id: post.uploadId,
    type: post.type,
    status: post.status,
    connections,
    text: post.text,
    title: post.title,
    firstComment: post.firstComment?.text,
    linkUrl: post.linkUrl,
    scheduledAt: post.scheduledAt,
    timezone: post.timezone,
    contentFormat: post.contentFormat,
    externalId: post.externalId,
    medias: ids.length === medias.length ? ids : [],
    mediaUrls: medias.map(({ url }) => url),
    mediaOptions: medias.some(({ alt }) => alt !== '') ? medias.map(({ alt }) => (alt === '' ? {} : { alt })) : undefined,
    thread: post.thread,
    platformOptions: Object.keys(post.platformOptions).length > 0 ? post.platformOptions : undefined,
    labels,
    aiGenerated: post.aiGenerated,
    metadata: post.metadata,
  }
  return Object.fromEntries(
    Object.entries(all).filter(
      ([, value]) => value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0),
    ),
  )
}

function csvLine(line: Line): string {
  return formatCsvLine(
    columns.map((name) => {
      const value = line[name]
      if (value === undefined) return null
      if (Array.isArray(value) && lists.has(name)) return value.join('|')
      return typeof value === 'string' ? value : JSON.stringify(value)
    }),
  )
}
