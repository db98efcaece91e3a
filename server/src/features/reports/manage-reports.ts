import {
  type BodyOf,
  type Report,
  type reports,
  reportDaysMax,
  reportLastsDays,
  reportLastsDaysMax,
  reportsMax,
} from '@carillon/contract'
import { newId } from '../../infra/db/ids.ts'
import { linkOf, newToken } from '../../infra/http/link-secret.ts'
import { Answer, type RequestScope } from '../../infra/http/request-scope.ts'
import { problem } from '../../infra/problem/problem.ts'
import { lockQuota } from '../../infra/quota/quota.store.ts'
import { open, seal } from '../../infra/sealing/seal.ts'
import { describeConnections } from '../connections/present-connection.ts'
import { requireLabel } from '../labels/manage-labels.ts'
import { findPerson } from '../people/find-person.ts'
import { countReports, deleteReport, insertReport, listReportRows, type ReportRow } from './report.store.ts'

const dayMs = 86_400_000

export async function getReports(scope: RequestScope): Promise<Report[]> {
  const rows = await listReportRows(scope.tx, scope.principal.workspaceId)
  const makers = [...new Set(rows.map(({ person_id }) => person_id))]
  const names = new Map(
    await Promise.all(makers.map(async (id) => [id, (await findPerson(scope.tx, id))?.name ?? null] as const)),
  )
  return rows.map((row) => presentReport(scope, row, names.get(row.person_id) ?? null))
}

export async function createReport(scope: RequestScope, body: BodyOf<typeof reports.create>): Promise<Answer<Report>> {
  const { ctx, tx, principal, nowMs } = scope
  const { workspaceId, personId, apiKeyId } = principal
  const { title, from, to, label, connections, language = 'en' } = body
  checkDays(from, to)
  const expiresAt = expiryOf(body.expiresAt, nowMs)
  await lockQuota(tx, `reports ${workspaceId}`)
  if ((await countReports(tx, workspaceId)) >= reportsMax)
    throw problem('quota_reached', { message: `A workspace has at most ${reportsMax} reports; end some that are not needed.` })
  if (label !== undefined) await requireLabel(scope, label)
  const id = newId(nowMs)
  const { token, hash } = newToken()
  const row = await insertReport(tx, {
    workspace_id: workspaceId,
    id,
    token_hash: hash,
    token_sealed: seal(ctx.config.secretKeys, placeOfToken({ workspaceId, id }), token),
    title,
    first_day: from,
    last_day: to,
    label_id: label ?? null,
    connection_ids: connections ? await findAccounts(scope, connections) : null,
    language,
    person_id: personId,
    api_key_id: apiKeyId,
    created_at: new Date(nowMs),
    expires_at: expiresAt,
  })
  return new Answer(presentReport(scope, row, (await findPerson(tx, personId))?.name ?? null), { subjectId: id })
}

export async function removeReport({ tx, principal: { workspaceId } }: RequestScope, id: string): Promise<Answer<null>> {
  if (!(await deleteReport(tx, { workspaceId, id }))) throw problem('report_not_found')
  return new Answer(null, { subjectId: id })
}

function checkDays(from: string, to: string): void {
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1
  if (days < 1) throw refuse('to', 'Must be the day in `from`, or a later one.')
  if (days > reportDaysMax) throw refuse('to', `A report has at most ${reportDaysMax} days.`)
  if (from < '2000-01-01') throw refuse('from', 'Must be 2000-01-01 or later.')
}

function expiryOf(wanted: string | undefined, nowMs: number): Date {
  const at = wanted === undefined ? nowMs + reportLastsDays * dayMs : Date.parse(wanted)
  if (at <= nowMs) throw refuse('expiresAt', 'Must be in the future.')
  if (at > nowMs + reportLastsDaysMax * dayMs) throw refuse('expiresAt', `Must be within ${reportLastsDaysMax} days.`)
  return new Date(at)
}

function refuse(path: string, message: string) {
  return problem('request_invalid', { details: [{ path, message }] })
}

/** The ids of accounts that are named by id or slug. */
async function findAccounts(scope: RequestScope, named: readonly string[]): Promise<string[]> {
  const known = await describeConnections(scope)
  const ids = named.map((name) => known.find(({ id, slug }) => id === name || slug === name)?.id)
  const details = named.flatMap((name, index) =>
    ids[index] === undefined ? [{ path: `connections[${index}]`, message: `The workspace has no connection "${name}".` }] : [],
  )
  if (details.length > 0)
    throw problem('connection_unknown', { message: details.map(({ message }) => message).join(' '), details })
  return [...new Set(ids.filter((id) => id !== undefined))]
}

function placeOfToken({ workspaceId, id }: { workspaceId: string; id: string }) {
  return { workspaceId, rowId: id, column: 'token' }
}

function presentReport({ ctx: { config } }: RequestScope, row: ReportRow, maker: string | null): Report {
  const { workspace_id: workspaceId, id } = row
  const token = open(config.secretKeys, placeOfToken({ workspaceId, id }), row.token_sealed)
  return {
    id,
    title: row.title,
    from: row.first_day,
    to: row.last_day,
    label: row.label_id,
    connections: row.connection_ids,
    language: row.language,
    link: linkOf(config, 'report', token),
    createdBy: { userId: row.person_id, name: maker, apiKeyId: row.api_key_id },
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
  }
}
