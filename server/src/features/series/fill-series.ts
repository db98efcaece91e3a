import { createHash } from 'node:crypto'
import {
  content as contentEndpoints,
  seriesAhead,
  type ErrorCode,
  type NewPost,
  type PostType,
  type SeriesContent,
  type SeriesVariant,
} from '@carillon/contract'
import { seriesDates } from '@carillon/core'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { createValidator } from '../../infra/http/schemas/create-validator.ts'
import { Problem } from '../../infra/problem/problem.ts'
import { recordChange } from '../audit/record-change.ts'
import { findConnections } from '../connections/find-connections.ts'
import { findStoredFiles } from '../media/find-files.ts'
import { computeRevision, withSortedKeys } from '../posts/approval/revision.ts'
import { createPost } from '../posts/create-post.ts'
import { lockPost } from '../posts/load-post.ts'
import { findWorkspace } from '../workspaces/workspace.store.ts'
import {
  deleteDates,
  inSavepoint,
  insertDate,
  listDates,
  updateDate,
  updateSeries,
  type SeriesDateRow,
  type SeriesRow,
} from './series.store.ts'

/** A post that was refused is tried again after this time, as long as its own has not come. */
const retryMs = 15 * 60_000

export type Refusal = { code: ErrorCode; message: string }

type Filling = {
  /** Nobody may make posts of the series any more; each is refused with this. */
  refusal?: Refusal | null
  /** Whether a date that has passed may still be made. Only one that a worker was late for may. */
  mayBeLate?: (atMs: number) => boolean
}

const validators: Readonly<Record<PostType, (body: unknown) => void>> = {
  text: createValidator(contentEndpoints.createText.body, 'body'),
  photo: createValidator(contentEndpoints.createPhotos.body, 'body'),
  video: createValidator(contentEndpoints.createVideo.body, 'body'),
  document: createValidator(contentEndpoints.createDocument.body, 'body'),
}

/**
 * Decides about the dates of a series, so that the next two are posts, and notes when to look again. The series must be locked. The caller is
 * who answers for its posts. Every date is decided once: by a row with the key of series and date, which is stored before its post.
 */
export async function fillSeries(scope: RequestScope, series: SeriesRow, filling: Filling = {}): Promise<void> {
  const { tx, nowMs } = scope
  const key = { workspaceId: series.workspace_id, id: series.id }
  if (series.state !== 'active' || series.approval === 'pending') return updateSeries(tx, key, { look_at: null })
  if (series.approval === 'approved') {
    const revision = await computeSeriesRevision(scope, series)
    if (revision !== series.revision) return waitForApproval(scope, series, revision)
  }
  const known = await listDates(tx, key, { at: new Date(nowMs), date: series.decided_until })
  const rows = new Map(known.map((row) => [row.date, row]))
  const maker = { scope, series: { ...series }, filling }
  for (const row of known)
    if (row.state === 'refused' && row.at.getTime() > nowMs && !(await make(maker, dateOf(row), row.next_at, row))) return

  let { decided, decided_until: until } = series
  let ahead = known.filter((row) => row.date <= until && isComing(row, nowMs)).length
  const dates = undecidedDates(series)
  for (let current = dates.next().value; current;) {
    const following = dates.next().value
    const isPassed = current.atMs <= nowMs
    if (!isPassed && ahead >= seriesAhead) break
    const nextAt = following ? new Date(following.atMs) : null
    const row = rows.get(current.date)
    // Of the dates that passed while nothing ran, at most the latest goes out.
    const isLatest = !following || following.atMs > nowMs
    if (row) await updateDate(tx, key, row.date, { number: decided, next_at: nextAt })
    else if (isPassed && !(isLatest && filling.mayBeLate?.(current.atMs)))
      await insertDate(tx, { ...keyOf(series), ...columnsOf(current), number: decided, next_at: nextAt, state: 'missed' })
    else if (!(await make({ ...maker, number: decided }, current, nextAt))) return
    if (row ? isComing(row, nowMs) : !isPassed) ahead++
    decided++
    until = current.date
    current = following
  }
  const coming = (await listDates(tx, key, { at: new Date(nowMs), date: until })).filter((row) => isComing(row, nowMs))
  const isRefused = coming.some(({ state }) => state === 'refused')
  const nextMs = Math.min(...coming.map(({ at }) => at.getTime()), ...(isRefused ? [nowMs + retryMs] : []))
  await updateSeries(tx, key, {
    decided,
    decided_until: until,
    taken_back: maker.series.taken_back,
    ...(coming.length > 0 ? { look_at: new Date(nextMs) } : { look_at: null, state: 'ended' }),
  })
}

/** The dates of the rule that nothing was decided about yet, without those that had passed when the rule began. */
export function undecidedDates({ rule, begins_at, decided, decided_until }: SeriesRow) {
  const left = rule.count === undefined ? Infinity : Math.max(0, rule.count - decided)
  return seriesDates(rule, decided_until)
    .filter(({ atMs }) => atMs > begins_at.getTime())
    .take(left)
}

function isComing({ at, state }: SeriesDateRow, nowMs: number): boolean {
  return at.getTime() > nowMs && state !== 'skipped'
}

const dateOf = ({ date, at, number }: SeriesDateRow) => ({ date, atMs: at.getTime(), number })
const keyOf = ({ workspace_id, id }: SeriesRow) => ({ workspace_id, series_id: id })
const columnsOf = ({ date, atMs }: { date: string; atMs: number }) => ({ date, at: new Date(atMs) })

type Maker = { scope: RequestScope; series: SeriesRow; filling: Filling; number?: number }

/** Makes the post of a date, or stores why it was refused. False if the series waits for an approval instead. */
async function make(
  { scope, series, filling, number = 0 }: Maker,
  date: { date: string; atMs: number; number?: number },
  nextAt: Date | null,
  refused: SeriesDateRow | null = null,
): Promise<boolean> {
  const { tx, nowMs } = scope
  const key = { workspaceId: series.workspace_id, id: series.id }
  const position = refused ? refused.number : number
  const row = { ...keyOf(series), ...columnsOf(date), number: position, next_at: nextAt, state: 'made' as const }
  if (!refused && !(await insertDate(tx, row))) return true
  try {
    if (filling.refusal) throw new Problem(filling.refusal.code, { message: filling.refusal.message })
    const isLate = date.atMs <= nowMs
    const when = isLate ? {} : { scheduledAt: `${date.date}T${series.rule.time}:00`, timezone: series.rule.timezone }
    const isCounted = series.taken_back > 0
    const made = await inSavepoint(tx, () =>
      makePost(scope, postOf(series, position), when, { isApproved: series.approval === 'approved', isCounted }),
    )
    if (isCounted) series.taken_back--
    await updateDate(tx, key, date.date, { state: 'made', post_id: made.id, revision: made.revision, code: null, message: null })
    return true
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (error.code === 'approval_required') {
      await deleteDates(tx, key, [date.date])
      await waitForApproval(scope, series, await computeSeriesRevision(scope, series))
      return false
    }
    const { code, message, details = [] } = error
    const sentence = details.length > 0 ? details.map((each) => each.message).join(' ') : message
    await updateDate(tx, key, date.date, { state: 'refused', code, message: sentence.slice(0, 1000) })
    return true
  }
}

/** The date gives its number the variant. */
function postOf({ content, variants }: SeriesRow, number: number): SeriesContent {
  const variant: SeriesVariant = variants.length > 0 ? (variants[number % variants.length] ?? {}) : {}
  return { ...content, ...variant }
}

async function makePost(
  scope: RequestScope,
  { type, ...fields }: SeriesContent,
  more: object,
  making: { isApproved: boolean; isCounted: boolean },
): Promise<{ id: string; revision: string }> {
  const body = { ...fields, ...more }
  validators[type](body)
  const answer = await createPost(scope, type, body as NewPost, making)
  const id = answer.subjectId
  if (id === undefined) throw new Error('a created post has no id')
  const { principal, nowMs, traceId } = scope
  await recordChange(scope.tx, { action: 'post.create', subjectId: id, by: principal, nowMs, traceId })
  return { id, revision: await computeRevision(scope, await lockPost(scope, id)) }
}

/** Undoes a post that was made to be checked. */
class Taken extends Error {}

type Checked = Pick<SeriesRow, 'content' | 'variants' | 'rule'>

/** Refuses content of which no post could be made: each variant is made as a submitted post, and taken back. */
export async function checkContent(scope: RequestScope, { content, variants }: Checked): Promise<void> {
  const all = variants.length > 0 ? variants : [{}]
  for (const [index, variant] of all.entries()) {
    const { type, ...fields } = { ...content, ...variant }
    const body = { ...fields, submit: true }
    try {
      await inSavepoint(scope.tx, async () => {
        validators[type](body)
        await createPost({ ...scope, afterCommit: () => {} }, type, body as NewPost)
        throw new Taken()
      })
    } catch (error) {
      if (error instanceof Taken) continue
      if (!(error instanceof Problem) || variants.length === 0) throw error
      const details = (error.details ?? []).map((found) => ({ ...found, path: `variants[${index}].${found.path}` }))
      throw new Problem(error.code, { message: `Variant ${index + 1}: ${error.message}`, details })
    }
  }
}

/** Nothing more is made before another person has approved what the series is now. */
async function waitForApproval({ tx }: RequestScope, series: SeriesRow, revision: string): Promise<void> {
  const key = { workspaceId: series.workspace_id, id: series.id }
  await updateSeries(tx, key, { approval: 'pending', revision, look_at: null })
}

/**
 * A hash of what an approval of the series covers: its rule, what it says, its files by content, the accounts on their
 * platforms, and what is added to its links.
 */
export async function computeSeriesRevision(scope: RequestScope, { rule, content, variants }: Checked): Promise<string> {
  const accounts = await findConnections(scope, content.connections)
  const bodies = [content, ...variants]
  const ids = bodies.flatMap(({ medias = [], platformOptions = {} }) => [
    ...medias,
    ...Object.values(platformOptions).flatMap((options) => options.medias ?? []),
  ])
  const { tx, principal } = scope
  const files = await findStoredFiles(tx, principal.workspaceId, ids)
  const linkRule = (await findWorkspace(tx, principal.workspaceId))?.utm
  const parts = {
    rule,
    content,
    variants,
    accounts: content.connections.map((slug) => [slug, accounts.get(slug)?.id, accounts.get(slug)?.accountId]),
    files: files.map(({ id, sha256, alt }) => [id, sha256.toString('hex'), alt]),
    // A series that was approved before there was a rule keeps its hash.
    ...(linkRule && { linkRule }),
  }
  return createHash('sha256').update(JSON.stringify(parts, withSortedKeys)).digest('hex')
}
