import { Type, type Static } from 'typebox'
import { endpoint } from './endpoint.ts'
import { DateOrInstant, IdParam, ObjectId, StrictObject, Timestamp } from './primitives.ts'

export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
export type Weekday = (typeof weekdays)[number]

export const queuesMax = 20
const slotsMax = 100

const QueueSlot = StrictObject({
  day: Type.Enum([...weekdays]),
  time: Type.String({
    pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
    maxLength: 5,
    examples: ['09:00'],
    description: 'The wall-clock time, with 24 hours',
    'x-message': 'Must be a time of day such as 09:00.',
  }),
  connections: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      minItems: 1,
      maxItems: 50,
      uniqueItems: true,
      description: 'Only for posts whose accounts are all among these, by slug. Absent: for every post',
    }),
  ),
})
export type QueueSlot = Static<typeof QueueSlot>

const Slots = Type.Array(QueueSlot, { maxItems: slotsMax, description: 'The times of a week; each time of a day once' })
const Name = Type.String({ minLength: 1, maxLength: 100 })
const Timezone = Type.String({ minLength: 1, maxLength: 64 })
const timezoneText = 'An IANA time zone, such as Europe/Berlin; null: that of the workspace'

export const Queue = StrictObject({
  id: ObjectId,
  name: Type.String(),
  timezone: Type.Union([Type.String(), Type.Null()], { description: timezoneText }),
  slots: Type.Array(QueueSlot, { description: 'In the order of the week' }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type Queue = Static<typeof Queue>

/** A slot of a queue on a certain day. */
export const SlotTime = StrictObject({
  at: Timestamp,
  wall: Type.String({
    description: 'The wall-clock time in the zone of the queue. A time that the clock skips is taken after the gap',
  }),
  free: Type.Boolean({ description: 'Whether a post can have it, on these connections if any are named' }),
  uploadId: Type.Union([ObjectId, Type.Null()], { description: 'The post that has it' }),
})
export type SlotTime = Static<typeof SlotTime>

/** What a request names a queue by. */
export const QueueName = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'The id of a queue, or `default` for the oldest one of the workspace',
})

const read = { scope: 'content:read', role: 'viewer', workspace: 'header', ok: 200, audit: null } as const
const manage = { scope: 'workspaces:write', role: 'admin', workspace: 'header', ok: 200 } as const

export const queues = {
  list: endpoint({
    ...read,
    id: 'queues.list',
    method: 'GET',
    path: '/queues',
    summary: 'List queues, oldest first',
    returns: Type.Array(Queue),
    errors: [],
  }),
  create: endpoint({
    ...manage,
    id: 'queues.create',
    method: 'POST',
    path: '/queues',
    summary: 'Create a queue',
    body: StrictObject({
      name: Name,
      timezone: Type.Optional(Type.Union([Timezone, Type.Null()], { description: timezoneText })),
      slots: Type.Optional(Slots),
    }),
    returns: Queue,
    ok: 201,
    errors: ['quota_reached', 'connection_unknown'],
    audit: 'queue.create',
  }),
  get: endpoint({
    ...read,
    id: 'queues.get',
    method: 'GET',
    path: '/queues/:id',
    summary: 'Get a queue',
    params: IdParam,
    returns: Queue,
    errors: ['queue_not_found'],
  }),
  update: endpoint({
    ...manage,
    id: 'queues.update',
    method: 'PATCH',
    path: '/queues/:id',
    summary: 'Change a queue; posts that have a slot keep their time',
    params: IdParam,
    body: StrictObject({
      name: Type.Optional(Name),
      timezone: Type.Optional(Type.Union([Timezone, Type.Null()], { description: timezoneText })),
      slots: Type.Optional(Slots),
    }),
    returns: Queue,
    errors: ['queue_not_found', 'connection_unknown'],
    audit: 'queue.update',
  }),
  remove: endpoint({
    ...manage,
    id: 'queues.remove',
    method: 'DELETE',
    path: '/queues/:id',
    summary: 'Remove a queue; its posts stay scheduled',
    params: IdParam,
    returns: Type.Null(),
    errors: ['queue_not_found'],
    audit: 'queue.delete',
  }),
  slots: endpoint({
    ...read,
    id: 'queues.slots',
    method: 'GET',
    path: '/queues/:id/slots',
    summary: 'The next slots of a queue, and which of them are free',
    params: IdParam,
    query: StrictObject({
      from: Type.Optional(DateOrInstant('The start: a date or an instant. Default: the first time that a post can have')),
      to: Type.Optional(DateOrInstant('The end: a date, which is included completely, or an instant. Default: 90 days from now')),
      free: Type.Optional(Type.Enum(['true', 'false'], { description: 'true: only free slots' })),
      connection: Type.Optional(
        Type.String({
          pattern: '^[^,\\s]+(,[^,\\s]+)*$',
          maxLength: 2000,
          'x-message': 'Must be slugs of connections, separated by commas.',
          description: 'The accounts of a post, by slug; separated by commas. A slot in which one of them has a post is not free',
        }),
      ),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 20 })),
    }),
    returns: StrictObject({
      timezone: Type.String({ description: 'The zone of the wall-clock times' }),
      slots: Type.Array(SlotTime),
    }),
    errors: ['queue_not_found'],
  }),
  reflow: endpoint({
    scope: 'content:write',
    role: 'editor',
    workspace: 'header',
    ok: 200,
    id: 'queues.reflow',
    method: 'POST',
    path: '/queues/:id/reflow',
    summary: 'Move the posts of a queue forward into earlier free slots, in their order',
    params: IdParam,
    returns: StrictObject({
      moved: Type.Array(StrictObject({ uploadId: ObjectId, from: Timestamp, to: Timestamp }), {
        description: 'The posts that have another time now, in the order of their times',
      }),
    }),
    errors: ['queue_not_found'],
    audit: 'queue.reflow',
  }),
}
