import type { Occurrence, Series } from '@carillon/contract'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { problem } from '../../infra/problem/problem.ts'
import { computeRevision } from '../posts/approval/revision.ts'
import { findWholePost } from '../posts/post.store.ts'
import { undecidedDates } from './fill-series.ts'
import { findSeries, listDates, listPassedDates, listSeriesRows, type SeriesDateRow, type SeriesRow } from './series.store.ts'

const comingMax = 10
const passedMax = 10

export async function listSeries(scope: RequestScope): Promise<Series[]> {
  const shown: Series[] = []
  for (const row of await listSeriesRows(scope.tx, scope.principal.workspaceId)) shown.push(await presentSeries(scope, row))
  return shown
}

export async function showSeries(scope: RequestScope, id: string): Promise<Series> {
  const row = await requireSeries(scope, id)
  const shown = await presentSeries(scope, row)
  const occurrences: Occurrence[] = []
  for (const each of shown.occurrences) occurrences.push(await withEdited(scope, row, each))
  return { ...shown, occurrences }
}

export async function requireSeries(scope: RequestScope, id: string, lock: 'update' | null = null): Promise<SeriesRow> {
  const row = await findSeries(scope.tx, { workspaceId: scope.principal.workspaceId, id }, lock)
  if (!row) throw problem('series_not_found')
  return row
}

async function presentSeries({ tx, nowMs }: RequestScope, row: SeriesRow): Promise<Series> {
  const key = { workspaceId: row.workspace_id, id: row.id }
  const now = new Date(nowMs)
  const [passed, decided] = await Promise.all([
    listPassedDates(tx, key, now, passedMax),
    listDates(tx, key, { at: now, date: '9999' }),
  ])
  const known = new Set(decided.map(({ date }) => date))
  const planned =
    row.state === 'ended'
      ? []
      : [
          ...undecidedDates(row)
            .filter(({ date, atMs }) => atMs > nowMs && !known.has(date))
            .take(comingMax),
        ].map(({ date, atMs }): Occurrence => ({
          date,
          at: new Date(atMs).toISOString(),
          state: 'scheduled',
          uploadId: null,
          error: null,
        }))
  const coming = [...decided.map(presentDate), ...planned]
    .toSorted((one, other) => (one.at < other.at ? -1 : 1))
    .slice(0, comingMax)
  const next = row.state === 'active' ? coming.find(({ state }) => state === 'made' || state === 'scheduled') : undefined
  return {
    id: row.id,
    name: row.name,
    ...row.rule,
    content: row.content,
    variants: row.variants,
    state: row.state,
    approval: row.approval,
    revision: row.revision,
    next: next?.at ?? null,
    occurrences: [...passed.toReversed().map(presentDate), ...coming],
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

function presentDate({ date, at, state, post_id: uploadId, code, message }: SeriesDateRow): Occurrence {
  return {
    date,
    at: at.toISOString(),
    state: state === 'made' && uploadId === null ? 'removed' : state,
    uploadId,
    error: code === null || message === null ? null : { code, message },
  }
}

/** Whether the post of a date is another one than was made for it. */
async function withEdited(scope: RequestScope, series: SeriesRow, shown: Occurrence): Promise<Occurrence> {
  if (shown.uploadId === null || Date.parse(shown.at) <= scope.nowMs) return shown
  const found = await findWholePost(scope.tx, { workspaceId: series.workspace_id, id: shown.uploadId })
  if (!found) return shown
  const [row] = await listDates(
    scope.tx,
    { workspaceId: series.workspace_id, id: series.id },
    { at: new Date(Date.parse(shown.at) - 1), date: '9999' },
  )
  return { ...shown, edited: row?.date === shown.date && row.revision !== (await computeRevision(scope, found)) }
}
