import { Type, type Static } from 'typebox'
import { endpoint } from './endpoint.ts'
import { CommaSeparatedEnum, DateOrInstant, Nullable, ObjectId, StrictObject, Timestamp } from './primitives.ts'
import { ChannelEvent, ConnectionEvent, eventNames, PostEvent, RestoreEvent } from './webhook-event.ts'

/** An event as the log has it. */
export const LoggedEvent = StrictObject({
  id: Type.String({ description: 'Grows with every event; the cursor of what comes after it' }),
  event: Type.Enum([...eventNames]),
  timestamp: Timestamp,
  workspaceId: ObjectId,
  data: Type.Union(
    [
      ChannelEvent.properties.data,
      PostEvent.properties.data,
      ConnectionEvent.properties.data,
      RestoreEvent.properties.data,
      Type.Null(),
    ],
    {
      description:
        'As in the body of a webhook, read when you ask: the status is that of the event, everything else is as it is now. Null if the post ' +
        'or connection no longer exists',
    },
  ),
})
export type LoggedEvent = Static<typeof LoggedEvent>

export const events = {
  list: endpoint({
    id: 'events.list',
    method: 'GET',
    path: '/events',
    scope: 'webhooks:read',
    role: 'viewer',
    workspace: 'header',
    summary: 'What happened in the last 30 days, oldest first',
    query: StrictObject({
      type: Type.Optional(CommaSeparatedEnum(eventNames)),
      from: Type.Optional(DateOrInstant('Only events from then on: a date or an instant')),
      to: Type.Optional(DateOrInstant('Only events until then: a date, which is included completely, or an instant')),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
      cursor: Type.Optional(
        Type.String({
          pattern: '^[0-9]{1,18}$',
          maxLength: 18,
          description: '`nextCursor` of the previous page, or the `id` of the last event that you have handled',
          'x-message': 'Must be the nextCursor of the previous page or the id of an event.',
        }),
      ),
    }),
    returns: StrictObject({
      data: Type.Array(LoggedEvent),
      nextCursor: Nullable(
        Type.String({ description: 'Null if there is nothing more yet: go on later with the id of the last event' }),
      ),
    }),
    ok: 200,
    errors: [],
    audit: null,
  }),
}
