import { instantOfWall } from '@carillon/core'
import type { Context } from '../../context.ts'
import { hashToken, tokenPattern } from '../../infra/http/link-secret.ts'
import {
  type AccountFigures,
  listBestPosts,
  type PeriodFigures,
  type ReportedPost,
  type ReportFilter,
  sumByAccount,
  sumByPeriod,
  sumTotals,
  type Totals,
} from './report-figures.store.ts'
import { findReportBySecret, type FoundReport } from './report.store.ts'

/** A part of the time of a report: a day, a week that begins on its first weekday, or a month. */
type Period = { startsOn: string; figures: Omit<PeriodFigures, 'period'> }
export type PeriodLength = 'day' | 'week' | 'month'

export type ShownReport = {
  report: FoundReport
  totals: Totals
  previous: Totals
  accounts: readonly AccountFigures[]
  length: PeriodLength
  periods: readonly Period[]
  best: readonly ReportedPost[]
}

const postsMax = 10
export const excerptLength = 280
const dayMs = 86_400_000
const keptMs = 60_000
const keptMax = 200

/** The report with this secret, as long as it can be read. */
export async function findReport(ctx: Context, token: string): Promise<FoundReport | null> {
  if (!tokenPattern.test(token)) return null
  const report = await findReportBySecret(ctx.db.system, hashToken(token))
  return report && report.expires_at.getTime() > ctx.nowMs() ? report : null
}

type Kept = { untilMs: number; figures: Promise<Omit<ShownReport, 'report'>> }

/** What a process counted in the last minute, so that opening a report often does not count often. */
function keptFigures(_ctx: Context) {
  return { value: new Map<string, Kept>() }
}

/** Whether the report still exists is asked before, each time; its figures are those of the last minute. */
export async function readReport(ctx: Context, report: FoundReport): Promise<ShownReport> {
  const kept = ctx.resources.get(keptFigures, ctx)
  const key = `${report.workspace_id} ${report.id}`
  const known = kept.get(key)
  if (known && known.untilMs > ctx.nowMs()) return { report, ...(await known.figures) }
  const figures = countFigures(ctx, report)
  kept.delete(key)
  kept.set(key, { untilMs: ctx.nowMs() + keptMs, figures })
  for (const oldest of kept.keys()) {
    if (kept.size <= keptMax) break
    kept.delete(oldest)
  }
  try {
    return { report, ...(await figures) }
  } catch (error) {
    kept.delete(key)
    throw error
  }
}

async function countFigures(ctx: Context, report: FoundReport): Promise<Omit<ShownReport, 'report'>> {
  const { workspace_id: workspaceId, first_day: first, last_day: last, timezone } = report
  const days = (Date.parse(last) - Date.parse(first)) / dayMs + 1
  const at = (day: string) => startOfDay(day, timezone)
  const filter: ReportFilter = {
    workspaceId,
    from: at(first),
    before: at(addDays(last, 1)),
    labelId: report.label_id,
    connectionIds: report.connection_ids,
  }
  const length: PeriodLength = days <= 31 ? 'day' : days <= 183 ? 'week' : 'month'
  const starts = startsOf(first, last, length)
  return ctx.db.readOnly(workspaceId, async (tx) => {
    const [totals, previous, accounts, counted, best] = await Promise.all([
      sumTotals(tx, filter),
      sumTotals(tx, { ...filter, from: at(addDays(first, -days)), before: filter.from }),
      sumByAccount(tx, filter),
      sumByPeriod(tx, filter, starts.map(at)),
      listBestPosts(tx, filter, { limit: postsMax, textLength: excerptLength + 1 }),
    ])
    const byNumber = new Map(counted.map(({ period, ...figures }) => [period, figures]))
    const nothing = { posts: 0, impressions: null, interactions: null }
    const periods = starts.map((startsOn, index) => ({ startsOn, figures: byNumber.get(index + 1) ?? nothing }))
    return { totals, previous, accounts, length, periods, best }
  })
}

/** The first days of the parts. Weeks begin like the report; months on their first day. */
function startsOf(first: string, last: string, length: PeriodLength): string[] {
  const starts: string[] = []
  for (let day = first; day <= last;) {
    starts.push(day)
    day = length === 'month' ? firstOfNextMonth(day) : addDays(day, length === 'week' ? 7 : 1)
  }
  return starts
}

function firstOfNextMonth(day: string): string {
  // 32 days after the first of a month are always in the next one.
  return `${addDays(`${day.slice(0, 7)}-01`, 32).slice(0, 7)}-01`
}

function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)
}

function startOfDay(day: string, timezone: string): Date {
  return new Date(instantOfWall(`${day}T00:00`, timezone) ?? `${day}T00:00Z`)
}
