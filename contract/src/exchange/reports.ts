import { Type, type Static } from 'typebox'
import { endpoint, WorkspaceParam } from '../endpoint.ts'
import { Nullable, ObjectId, StrictObject, Timestamp } from '../primitives.ts'

/** At most this many reports of a workspace, and this many days in one. */
export const reportsMax = 200
export const reportDaysMax = 366
/** For so many days a report can be read, if its maker says nothing, and at most. */
export const reportLastsDays = 90
export const reportLastsDaysMax = 366

export const reportLanguages = ['en', 'de', 'fr', 'es'] as const
export type ReportLanguage = (typeof reportLanguages)[number]

const Day = Type.String({ format: 'date', 'x-message': 'Must be a day such as 2027-03-01.' })
const LabelId = Type.String({ pattern: '^[0-9a-f]{24}$', maxLength: 24, 'x-message': 'Must be the id of a label.' })
const Language = Type.Enum([...reportLanguages])

/** A page for a client without an account: what was published in a period, and its figures. */
export const Report = StrictObject({
  id: ObjectId,
  title: Type.String(),
  from: Day,
  to: Type.Unsafe<string>({
    ...Day,
    description: 'The last day, which is included. Days are those of the time zone of the workspace',
  }),
  label: Nullable(
    Type.Unsafe<string>({ ...ObjectId, description: 'Only posts with this label. The report ends when the label is removed' }),
  ),
  connections: Nullable(Type.Array(ObjectId, { description: 'Only what these accounts published; null: all of them' })),
  language: Language,
  link: Type.String({ description: 'Whoever has it reads the report' }),
  createdBy: StrictObject({
    userId: Type.String(),
    name: Nullable(Type.String({ description: 'Null if the account no longer exists' })),
    apiKeyId: Nullable(Type.String()),
  }),
  createdAt: Timestamp,
  expiresAt: Timestamp,
})
export type Report = Static<typeof Report>

const shared = { role: 'editor', workspace: 'path', ok: 200 } as const
const ReportParam = StrictObject({ ...WorkspaceParam.properties, reportId: WorkspaceParam.properties.id })

export const reports = {
  list: endpoint({
    ...shared,
    id: 'reports.list',
    method: 'GET',
    path: '/workspaces/:id/reports',
    summary: 'List the reports for clients, newest first, with their links',
    scope: 'analytics:read',
    params: WorkspaceParam,
    returns: Type.Array(Report),
    errors: [],
    audit: null,
  }),
  create: endpoint({
    ...shared,
    id: 'reports.create',
    method: 'POST',
    path: '/workspaces/:id/reports',
    summary: 'Make a report of a period, which a client reads by its link without an account',
    scope: 'analytics:write',
    params: WorkspaceParam,
    body: StrictObject({
      title: Type.String({
        pattern: '^\\S(.*\\S)?$',
        maxLength: 120,
        description: 'What the client reads first',
        'x-message': 'Must be a title of one line that does not begin or end with a space.',
      }),
      from: Day,
      to: Type.Unsafe<string>({ ...Day, description: `The last day; at most ${reportDaysMax} days` }),
      label: Type.Optional(Type.Unsafe<string>({ ...LabelId, description: 'Only posts with this label, by id' })),
      connections: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
          minItems: 1,
          maxItems: 100,
          uniqueItems: true,
          description: 'Only what these accounts published, by id or slug. Default: all accounts',
        }),
      ),
      language: Type.Optional(Type.Unsafe<ReportLanguage>({ ...Language, description: 'Of the page. Default: en' })),
      expiresAt: Type.Optional(
        Type.Unsafe<string>({
          ...Timestamp,
          description: `Default: in ${reportLastsDays} days; at most in ${reportLastsDaysMax}`,
        }),
      ),
    }),
    returns: Report,
    ok: 201,
    errors: ['label_not_found', 'connection_unknown', 'quota_reached'],
    audit: 'report.create',
  }),
  remove: endpoint({
    ...shared,
    id: 'reports.remove',
    method: 'DELETE',
    path: '/workspaces/:id/reports/:reportId',
    summary: 'End a report at once; its link shows nothing from then on',
    scope: 'analytics:write',
    params: ReportParam,
    returns: Type.Null(),
    errors: ['report_not_found'],
    audit: 'report.delete',
  }),
}
