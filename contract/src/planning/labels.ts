import { Type, type Static } from 'typebox'
import { markColors } from './colors.ts'
import { endpoint } from '../endpoint.ts'
import { IdParam, Nullable, ObjectId, StrictObject, Timestamp } from '../primitives.ts'

/** At most this many labels in a workspace, and on a post. */
export const labelsMax = 100
export const postLabelsMax = 10

const labelKinds = ['label', 'campaign'] as const
export type LabelKind = (typeof labelKinds)[number]

const Day = Type.String({ format: 'date', 'x-message': 'Must be a day such as 2027-03-01.' })

const Name = Type.String({
  pattern: '^\\S(.*\\S)?$',
  maxLength: 60,
  description: 'Unique in the workspace, whatever the case',
  'x-message': 'Must be a name of one line that does not begin or end with a space.',
})
const Color = Type.Enum([...markColors])
const Kind = Type.Enum([...labelKinds], { description: 'A campaign is a label that may have a first and a last day' })

const days = {
  startsOn: Type.Optional(Nullable(Type.Unsafe<string>({ ...Day, description: 'The first day of a campaign' }))),
  endsOn: Type.Optional(Nullable(Type.Unsafe<string>({ ...Day, description: 'The last day of a campaign' }))),
}

export const Label = StrictObject({
  id: ObjectId,
  name: Type.String(),
  color: Color,
  kind: Kind,
  startsOn: Nullable(Day),
  endsOn: Nullable(Day),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type Label = Static<typeof Label>

const LabelId = Type.String({ pattern: '^[0-9a-f]{24}$', maxLength: 24, 'x-message': 'Must be the id of a label.' })

/** The labels of a post, as a request names them. */
export const PostLabels = Type.Array(LabelId, {
  maxItems: postLabelsMax,
  uniqueItems: true,
  description: `The labels of the post, by id: at most ${postLabelsMax}. They are for your own order and are not sent to any platform`,
})

/** The labels of a post in a response. */
export const shownLabels = {
  labels: Type.Optional(Type.Array(ObjectId, { description: 'The ids of its labels; missing if it has none' })),
}

/** In the query of a list. */
export const labelFilter = {
  label: Type.Optional(
    Type.String({
      pattern: '^[0-9a-f]{24}(,[0-9a-f]{24})*$',
      maxLength: 2500,
      'x-message': 'Must be ids of labels, separated by commas.',
      description: 'Only posts that have one of these labels, by id; separated by commas',
    }),
  ),
}

const write = { scope: 'content:write', role: 'editor', workspace: 'header', ok: 200 } as const

export const labels = {
  list: endpoint({
    id: 'labels.list',
    method: 'GET',
    path: '/labels',
    summary: 'List labels and campaigns, by name',
    scope: 'content:read',
    role: 'viewer',
    workspace: 'header',
    returns: Type.Array(Label),
    ok: 200,
    errors: [],
    audit: null,
  }),
  create: endpoint({
    ...write,
    id: 'labels.create',
    method: 'POST',
    path: '/labels',
    summary: 'Create a label or a campaign',
    body: StrictObject({ name: Name, color: Color, kind: Type.Optional(Kind), ...days }),
    returns: Label,
    ok: 201,
    errors: ['label_name_taken', 'quota_reached'],
    audit: 'label.create',
  }),
  update: endpoint({
    ...write,
    id: 'labels.update',
    method: 'PATCH',
    path: '/labels/:id',
    summary: 'Change a label; its posts keep it',
    params: IdParam,
    body: StrictObject({ name: Type.Optional(Name), color: Type.Optional(Color), kind: Type.Optional(Kind), ...days }),
    returns: Label,
    errors: ['label_not_found', 'label_name_taken'],
    audit: 'label.update',
  }),
  remove: endpoint({
    ...write,
    id: 'labels.remove',
    method: 'DELETE',
    path: '/labels/:id',
    summary: 'Remove a label, also from its posts, which stay',
    params: IdParam,
    returns: StrictObject({ posts: Type.Integer({ minimum: 0, description: 'How many posts had it' }) }),
    errors: ['label_not_found'],
    audit: 'label.delete',
  }),
}
