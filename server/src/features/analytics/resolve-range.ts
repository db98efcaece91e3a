import type { RequestScope } from '../../infra/http/request-scope.ts'
import { problem } from '../../infra/problem/problem.ts'
import type { FinishedFilter } from '../posts/reading/find-finished.ts'
import { dayOf } from './periods.ts'

const dayMs = 86_400_000
const defaultDays = 30

export type RangeQuery = { from?: string; to?: string; platform?: string; label?: string }
export type Range = { from: string; to: string; filter: FinishedFilter }

/**
 * What a request covers; by default the last thirty days (UTC), including today. A date includes its whole day; an instant is exact, and
 * the periods are then those that it touches.
 */
export function resolveRange({ principal, nowMs }: Pick<RequestScope, 'principal' | 'nowMs'>, query: RangeQuery): Range {
  const toMs = query.to === undefined ? startOf(nowMs) : Date.parse(query.to)
  const fromMs = query.from === undefined ? startOf(toMs) - (defaultDays - 1) * dayMs : Date.parse(query.from)
  const beforeMs = query.to === undefined || isDate(query.to) ? startOf(toMs) + dayMs : toMs + 1
  if (fromMs < 0) throw invalidField('from', 'Must be 1970-01-01 or later.')
  if (fromMs >= beforeMs) throw invalidField('from', 'Must not be later than `to`.')
  return {
    from: dayOf(fromMs),
    to: dayOf(toMs),
    filter: {
      workspaceId: principal.workspaceId,
      from: new Date(fromMs),
      before: new Date(beforeMs),
      platforms: query.platform?.split(',') ?? null,
      labels: query.label?.split(',') ?? null,
    },
  }
}

export function invalidField(path: string, message: string) {
  return problem('request_invalid', { details: [{ path, message }] })
}

function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text)
}

function startOf(atMs: number): number {
  return Math.floor(atMs / dayMs) * dayMs
}
