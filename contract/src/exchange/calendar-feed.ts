import { Type, type Static } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Nullable, StrictObject, Timestamp } from '../primitives.ts'

const shown = {
  texts: Type.Boolean({ description: 'Whether entries show the beginning of the text, or only the accounts' }),
  createdAt: Timestamp,
}

const CalendarFeed = StrictObject(shown)
const NewCalendarFeed = StrictObject({
  ...shown,
  url: Type.String({ description: 'The address to give to a calendar program. It is shown once; who has it can read the feed' }),
})
export type CalendarFeed = Static<typeof CalendarFeed>

// The address goes on to show posts when the key that made it has ended, as a webhook does, so it takes the same right.
const own = { scope: 'webhooks:write', role: 'viewer', workspace: 'header' } as const

/** Each member has at most one feed of a workspace. */
export const calendarFeed = {
  get: endpoint({
    ...own,
    id: 'calendarFeed.get',
    scope: 'content:read',
    method: 'GET',
    path: '/calendar-feed',
    summary: 'Whether you have a calendar feed of the workspace; its address is not shown again',
    returns: Nullable(CalendarFeed),
    ok: 200,
    errors: [],
    audit: null,
  }),
  create: endpoint({
    ...own,
    id: 'calendarFeed.create',
    method: 'POST',
    path: '/calendar-feed',
    summary: 'Make a secret address of your calendar feed; the one before stops to work',
    body: StrictObject({ texts: Type.Optional(Type.Boolean({ description: 'Show the beginning of each text. Default: true' })) }),
    isBodyOptional: true,
    returns: NewCalendarFeed,
    returnsSecret: true,
    ok: 201,
    errors: [],
    audit: 'calendar_feed.create',
  }),
  remove: endpoint({
    ...own,
    id: 'calendarFeed.remove',
    method: 'DELETE',
    path: '/calendar-feed',
    summary: 'Revoke the address of your calendar feed',
    returns: Type.Null(),
    ok: 200,
    errors: [],
    audit: 'calendar_feed.delete',
  }),
}
