import {
  type BodyOf,
  type ReturnsOf,
  type Series,
  type SeriesRule,
  type series as endpoints,
  seriesCountMax,
  seriesMax,
} from '@carillon/contract'
import { isStoppable, seriesDates } from '@carillon/core'
import { newId } from '../../infra/db/ids.ts'
import { callerNeedsApproval } from '../../infra/http/principal.ts'
import { Answer, type RequestScope } from '../../infra/http/request-scope.ts'
import { problem } from '../../infra/problem/problem.ts'
import { lockQuota } from '../../infra/quota/quota.store.ts'
import { recordChange } from '../audit/record-change.ts'
import { requireLabels } from '../labels/manage-labels.ts'
import { computeRevision } from '../posts/approval/revision.ts'
import { lockPost } from '../posts/load-post.ts'
import { requireAllowed } from '../posts/release/allowed-posts.ts'
import { removePost } from '../posts/remove-post.ts'
import { unschedulePost } from '../posts/schedule/reschedule-post.ts'
import { checkTimezone } from '../workspaces/create-workspace.ts'
import { checkContent, computeSeriesRevision, fillSeries } from './fill-series.ts'
import {
  deleteDates,
  deleteSeries,
  insertDate,
  insertSeries,
  listDates,
  listOpenPosts,
  listSeriesRows,
  updateDate,
  updateSeries,
  type SeriesKey,
  type SeriesRow,
} from './series.store.ts'
import { requireSeries, showSeries } from './show-series.ts'

type Change = BodyOf<typeof endpoints.update>

const dayMs = 86_400_000
/** The first day of a rule is at most so far away. */
const daysBackMax = 400
const daysAheadMax = 730
/** So that the next two dates are within the time for which a post can be scheduled. */
const everyMax = { day: 365, week: 52, month: 12 } as const

export async function createSeries(scope: RequestScope, body: BodyOf<typeof endpoints.create>): Promise<Answer<Series>> {
  const { tx, principal, nowMs } = scope
  const { workspaceId } = principal
  const { name, content, variants = [], ...rest } = body
  const rule = checkRule(rest, nowMs)
  requireAllowed(principal, content.connections)
  await requireLabels(scope, content.labels ?? [], 'content.labels')
  await lockQuota(tx, `series ${workspaceId}`)
  if ((await listSeriesRows(tx, workspaceId)).length >= seriesMax)
    throw problem('quota_reached', { message: `A workspace has at most ${seriesMax} series.` })
  await checkContent(scope, { content, variants, rule })
  const now = new Date(nowMs)
  const row = await insertSeries(tx, {
    workspace_id: workspaceId,
    id: newId(nowMs),
    name,
    rule: JSON.stringify(rule),
    content: JSON.stringify(content),
    variants: JSON.stringify(variants),
    state: 'active',
    ...(await approvalOf(scope, { rule, content, variants })),
    ...makerOf(scope),
    begins_at: now,
    decided_until: '',
    decided: 0,
    taken_back: 0,
    look_at: null,
    created_at: now,
    updated_at: now,
  })
  requireComing(row, nowMs)
  await fillSeries(scope, row)
  await refuseFirst(scope, row)
  return new Answer(await showSeries(scope, row.id), { subjectId: row.id })
}

export async function changeSeries(scope: RequestScope, id: string, change: Change): Promise<Series> {
  const { tx, principal, nowMs } = scope
  const before = await lockSeries(scope, id)
  const key = keyOf(before)
  const { name, content = before.content, variants = before.variants, state = before.state, posts, apply, ...rest } = change
  const isRuleChanged = Object.keys(rest).length > 0
  const rule = isRuleChanged ? checkRule(changedRule(before.rule, rest), nowMs, before.rule) : before.rule
  const isChanged = isRuleChanged || change.content !== undefined || change.variants !== undefined
  requireAllowed(principal, content.connections)
  if (change.content) await requireLabels(scope, content.labels ?? [], 'content.labels')
  if (isChanged) await checkContent(scope, { content, variants, rule })
  const isResumed = state === 'active' && before.state === 'paused'

  if (state === 'ended' && posts === 'remove') await removePosts(scope, key)
  if (state === 'paused' && before.state === 'active') await takeBack(scope, key, { isStrict: false, drafts: true })
  else if (isChanged && apply === 'unedited') await takeBack(scope, key, { isStrict: true, drafts: false })
  const now = new Date(nowMs)
  const keepsMaker = !isChanged && !isResumed
  await updateSeries(tx, key, {
    ...(name !== undefined && { name }),
    rule: JSON.stringify(rule),
    content: JSON.stringify(content),
    variants: JSON.stringify(variants),
    state,
    ...(!keepsMaker && makerOf(scope)),
    ...(isChanged && (await approvalOf(scope, { rule, content, variants }))),
    // The dates of the new rule that have passed were never due.
    ...(isRuleChanged && { begins_at: now }),
    ...(state !== 'active' && { look_at: null }),
    updated_at: new Date(Math.max(nowMs, before.updated_at.getTime() + 1)),
  })
  const after = await requireSeries(scope, before.id)
  if (state === 'active' && !keepsMaker) {
    if (isRuleChanged) requireComing(after, nowMs)
    await forgetRefused(scope, key)
    await fillSeries(scope, after)
  }
  return showSeries(scope, before.id)
}

/** A date that is a post loses it; a later one is never made. A worker makes the date after those that are posts now. */
export async function skipDate(scope: RequestScope, id: string, date: string): Promise<Series> {
  const { tx, nowMs } = scope
  const series = await lockSeries(scope, id)
  requireAllowed(scope.principal, series.content.connections)
  const key = keyOf(series)
  const rows = await listDates(tx, key, { at: new Date(nowMs), date: series.decided_until })
  const known = rows.find((row) => row.date === date)
  const dayBefore = new Date(Date.parse(date) - dayMs).toISOString().slice(0, 10)
  const [found] = seriesDates(series.rule, dayBefore).take(1)
  const at = known?.at ?? (found?.date === date ? new Date(found.atMs) : null)
  if (!at || at.getTime() <= nowMs)
    throw problem('request_invalid', {
      details: [{ path: 'date', message: `${date} is no date of this series that is still to come.` }],
    })
  if (known?.post_id) await removeUnsent(scope, key, known.post_id)
  const change = { state: 'skipped' as const, post_id: null, revision: null, code: null, message: null }
  if (known) await updateDate(tx, key, date, change)
  else
    await insertDate(tx, {
      ...change,
      workspace_id: key.workspaceId,
      series_id: key.id,
      date,
      at,
      number: series.decided,
      next_at: null,
    })
  await updateSeries(tx, key, {
    updated_at: new Date(Math.max(nowMs, series.updated_at.getTime() + 1)),
    ...(series.state === 'active' && series.approval !== 'pending' && { look_at: new Date(nowMs) }),
  })
  return showSeries(scope, series.id)
}

/** Approves exactly what the caller looked at. A worker makes its posts. */
export async function approveSeries(scope: RequestScope, id: string, revision: string): Promise<Series> {
  const { tx, principal, nowMs } = scope
  const series = await lockSeries(scope, id)
  if (series.approval !== 'pending') throw problem('not_submitted', { message: 'The series does not wait for an approval.' })
  // As for posts: what a program made with a person's key, that person may approve, but no program of theirs.
  if (series.person_id === principal.personId && (series.api_key_id === null || principal.apiKeyId !== null))
    throw problem('approval_own')
  requireAllowed(principal, series.content.connections)
  const current = await computeSeriesRevision(scope, series)
  if (revision !== series.revision || revision !== current)
    throw problem('approval_changed', { message: 'The series is not what waited for approval, or not what you looked at.' })
  await updateSeries(tx, keyOf(series), { approval: 'approved', look_at: new Date(nowMs), updated_at: new Date(nowMs) })
  return showSeries(scope, series.id)
}

export async function removeSeries(scope: RequestScope, id: string, posts: 'keep' | 'remove' = 'keep'): Promise<null> {
  const series = await requireSeries(scope, id, 'update')
  requireAllowed(scope.principal, series.content.connections)
  if (posts === 'remove') await removePosts(scope, keyOf(series))
  await deleteSeries(scope.tx, keyOf(series))
  return null
}

export function previewDates(
  { nowMs }: RequestScope,
  { limit = 10, ...body }: BodyOf<typeof endpoints.preview>,
): ReturnsOf<typeof endpoints.preview> {
  const rule = checkRule(body, nowMs)
  const coming = seriesDates(rule).filter(({ atMs }) => atMs > nowMs)
  const dates = [...coming.take(rule.count ?? seriesCountMax + 1)]
  const isEndless = rule.count === undefined && (rule.until === undefined || dates.length > seriesCountMax)
  return {
    dates: dates.slice(0, limit).map(({ atMs, ...date }) => ({ ...date, at: new Date(atMs).toISOString() })),
    total: isEndless ? null : dates.length,
  }
}

/** A series that is changed must not have ended. */
async function lockSeries(scope: RequestScope, id: string): Promise<SeriesRow> {
  const series = await requireSeries(scope, id, 'update')
  if (series.state === 'ended') throw problem('series_ended')
  requireAllowed(scope.principal, series.content.connections)
  return series
}

const keyOf = (row: SeriesRow): SeriesKey => ({ workspaceId: row.workspace_id, id: row.id })
const makerOf = ({ principal }: RequestScope) => ({ person_id: principal.personId, api_key_id: principal.apiKeyId })

async function approvalOf(scope: RequestScope, what: Pick<SeriesRow, 'rule' | 'content' | 'variants'>) {
  return callerNeedsApproval(scope.principal)
    ? { approval: 'pending' as const, revision: await computeSeriesRevision(scope, what) }
    : { approval: 'none' as const, revision: null }
}

type RuleChange = Omit<Change, 'name' | 'content' | 'variants' | 'state' | 'posts' | 'apply'>

/** Null takes a field away; an end takes the place of the other one. */
function changedRule(rule: SeriesRule, change: RuleChange): SeriesRule {
  const { on, until, count, ...whole } = change
  const kept = change.unit !== undefined && change.unit !== rule.unit && on === undefined ? null : on
  const next: Record<string, unknown> = { ...rule, ...whole }
  if (until) delete next['count']
  if (count) delete next['until']
  for (const [name, value] of Object.entries({ on: kept, until, count })) {
    if (value === null) delete next[name]
    else if (value !== undefined) next[name] = value
  }
  return next as SeriesRule
}

/** The rule as it is stored. `before`: a first day that was stored once may be long ago. */
function checkRule(rule: SeriesRule, nowMs: number, before?: SeriesRule): SeriesRule {
  const refuse = (path: string, message: string) => {
    throw problem('request_invalid', { message, details: [{ path, message }] })
  }
  const { unit, every, on, from, until, count } = rule
  checkTimezone(rule.timezone)
  if (every > everyMax[unit]) refuse('every', `Must be at most ${everyMax[unit]} for this unit.`)
  if (unit === 'day' && on !== undefined) refuse('on', 'Days have no `on`.')
  if (unit === 'week' && on !== undefined && !Array.isArray(on)) refuse('on', 'Must be a list of weekdays for weeks.')
  if (unit === 'month' && Array.isArray(on)) refuse('on', 'Must be a day of the month for months.')
  if (until !== undefined && count !== undefined) refuse('count', 'A series has `until` or `count`, and not both.')
  if (until !== undefined && until < from) refuse('until', 'Must not be before `from`.')
  const days = (Date.parse(from) - nowMs) / dayMs
  if (from !== before?.from && (days > daysAheadMax || days < -daysBackMax))
    refuse('from', `Must be at most ${daysAheadMax} days ahead and ${daysBackMax} days ago.`)
  return rule
}

function requireComing({ rule }: SeriesRow, nowMs: number): void {
  const [first] = seriesDates(rule)
    .filter(({ atMs }) => atMs > nowMs)
    .take(1)
  if (first) return
  const message = 'The series has no date that is still to come.'
  throw problem('request_invalid', { message, details: [{ path: rule.until === undefined ? 'from' : 'until', message }] })
}

/** A new series whose first post is refused is not stored: its author is there to correct it. */
async function refuseFirst(scope: RequestScope, series: SeriesRow): Promise<void> {
  const [first] = await listDates(scope.tx, keyOf(series), { at: new Date(scope.nowMs), date: '9999' })
  if (first?.state !== 'refused' || first.code === null) return
  throw problem(first.code, { ...(first.message !== null && { message: first.message }) })
}

/** What was refused before a change is tried again at once. */
async function forgetRefused(scope: RequestScope, key: SeriesKey): Promise<void> {
  const coming = await listDates(scope.tx, key, { at: new Date(scope.nowMs), date: '9999' })
  for (const row of coming.filter(({ state }) => state === 'refused'))
    await updateDate(scope.tx, key, row.date, { code: null, message: null })
}

/**
 * Takes back the posts that wait and that nobody changed, so that their dates can be decided again. With `isStrict`, everything is refused if one
 * of them is being published. With `drafts`, posts that were changed become drafts, so that nothing goes out.
 */
async function takeBack(
  scope: RequestScope,
  key: SeriesKey,
  { isStrict, drafts }: { isStrict: boolean; drafts: boolean },
): Promise<void> {
  const { tx } = scope
  const removed: { date: string; number: number }[] = []
  let counted = 0
  for (const row of await listOpenPosts(tx, key)) {
    const found = await lockPost(scope, row.post_id)
    const isWaiting =
      found.post.status === 'scheduled' && found.channels.every(({ state }) => isStoppable(state) || state === 'canceled')
    if (!isWaiting && isStrict) throw problem('already_publishing')
    if (!isWaiting) continue
    if ((await computeRevision(scope, found)) !== row.revision) {
      if (drafts) await unschedulePost(scope, found.post.id)
      continue
    }
    await removeRecorded(scope, found.post.id)
    if (found.post.counted) counted++
    removed.push(row)
  }
  const [first] = removed
  if (!first) return
  await deleteDates(
    tx,
    key,
    removed.map(({ date }) => date),
  )
  const series = await requireSeries(scope, key.id)
  await updateSeries(tx, key, {
    decided: first.number,
    decided_until: new Date(Date.parse(first.date) - dayMs).toISOString().slice(0, 10),
    taken_back: series.taken_back + counted,
  })
}

/** Deletes its posts that wait. Those that are being published go on. */
async function removePosts(scope: RequestScope, key: SeriesKey): Promise<void> {
  for (const { post_id: id } of await listOpenPosts(scope.tx, key)) {
    const { post, channels } = await lockPost(scope, id)
    if (post.status === 'scheduled' && channels.every(({ state }) => isStoppable(state) || state === 'canceled'))
      await removeRecorded(scope, id)
  }
}

async function removeUnsent(scope: RequestScope, key: SeriesKey, id: string): Promise<void> {
  const { post, channels } = await lockPost(scope, id)
  const isWaiting =
    ['scheduled', 'draft'].includes(post.status) &&
    channels.every(({ state }) => isStoppable(state) || ['canceled', 'draft'].includes(state))
  if (!isWaiting) throw problem('already_publishing')
  await removeRecorded(scope, id)
  if (!post.counted) return
  const series = await requireSeries(scope, key.id)
  await updateSeries(scope.tx, key, { taken_back: series.taken_back + 1 })
}

async function removeRecorded(scope: RequestScope, id: string): Promise<void> {
  const { tx, principal, nowMs, traceId } = scope
  await removePost(scope, id)
  await recordChange(tx, { action: 'post.delete', subjectId: id, by: principal, nowMs, traceId })
}
