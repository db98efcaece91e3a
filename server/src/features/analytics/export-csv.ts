import type { Context } from '../../context.ts'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import type { File } from '../../infra/http/serve-file.ts'
import { formatCsvLine } from '../../infra/text/csv-line.ts'
import { pageFinished, type FinishedCursor, type FinishedFilter } from '../posts/reading/find-finished.ts'
import { figureNames } from './history/encode-history.ts'
import { listDays, type ChannelDay } from './metric.store.ts'
import { resolveRange, type RangeQuery } from './resolve-range.ts'

const pageMax = 500
const head = [
  'day',
  'uploadId',
  'channelId',
  'platform',
  'connection',
  'account',
  'title',
  'status',
  'finishedAt',
  'url',
  'error',
  ...figureNames,
]

type Page = Awaited<ReturnType<typeof pageFinished>> & { days: Map<string, ChannelDay[]> }

/**
 * The channels that finished in the range, with one line for each day on which figures were collected. Pages are read one at a time, each
 * in a short transaction, as fast as the client downloads. So memory use does not depend on the length of the range.
 */
export async function exportCsv(scope: Pick<RequestScope, 'ctx' | 'principal' | 'nowMs'>, query: RangeQuery): Promise<File> {
  const { from, to, filter } = resolveRange(scope, query)
  const first = await loadPage(scope.ctx, filter, null)
  return { name: `carillon-${from}-${to}.csv`, chunks: write(scope.ctx, filter, first) }
}

async function* write(ctx: Context, filter: FinishedFilter, first: Page): AsyncGenerator<string> {
  yield formatCsvLine(head)
  for (let page = first; ; page = await loadPage(ctx, filter, page.next)) {
    yield page.channels.flatMap((channel) => linesOf(channel, page.days.get(channel.id) ?? [])).join('')
    if (!page.next) return
  }
}

function loadPage(ctx: Context, filter: FinishedFilter, after: FinishedCursor | null): Promise<Page> {
  return ctx.db.readOnly(filter.workspaceId, async (tx) => {
    const page = await pageFinished(tx, filter, { after, limit: pageMax })
    const days = await listDays(
      tx,
      filter.workspaceId,
      page.channels.map(({ id }) => id),
    )
    return { ...page, days: Map.groupBy(days, ({ channelId }) => channelId) }
  })
}

/** A channel without collected figures has one line without day and figures. */
function linesOf(channel: Page['channels'][number], days: readonly ChannelDay[]): string[] {
  const about = [
    channel.postId,
    channel.id,
    channel.platform,
    channel.connection,
    channel.targetName,
    channel.title,
    channel.status,
    channel.finishedAt.toISOString(),
    channel.postUrl,
    channel.error,
  ]
  if (days.length === 0) return [formatCsvLine([null, ...about, ...figureNames.map(() => null)])]
  return days.map((day) => formatCsvLine([day.day, ...about, ...figureNames.map((name) => day[name])]))
}
