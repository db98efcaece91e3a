import { Type, type Static } from 'typebox'
import { endpoint } from './endpoint.ts'
import { Nullable, ObjectId, StrictObject } from './primitives.ts'

export const weekStarts = ['monday', 'saturday', 'sunday'] as const
export const hourCycles = ['h12', 'h23'] as const
export const themes = ['light', 'dark'] as const

const Locale = Type.String({
  pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$',
  'x-message': 'Must be a language, such as en or de-AT.',
  maxLength: 35,
  description: 'A language tag, such as de or en-GB',
})
const Timezone = Type.String({ minLength: 1, maxLength: 64, description: 'An IANA time zone, such as Europe/Berlin' })

const settings = {
  locale: Nullable(Locale),
  timezone: Nullable(Timezone),
  weekStart: Nullable(Type.Enum([...weekStarts])),
  hourCycle: Nullable(Type.Enum([...hourCycles], { description: 'h12: 1 pm; h23: 13:00' })),
  theme: Nullable(Type.Enum([...themes])),
}

/** The person who sends the request. A setting that is null follows the browser. */
export const Me = StrictObject({ id: ObjectId, email: Type.String(), name: Type.String(), ...settings })
export type Me = Static<typeof Me>

export const me = {
  get: endpoint({
    id: 'me.get',
    method: 'GET',
    path: '/me',
    summary: 'The person that the key or session belongs to, and their settings',
    scope: 'workspaces:read',
    role: 'viewer',
    workspace: 'none',
    returns: Me,
    ok: 200,
    errors: [],
    audit: null,
  }),
  update: endpoint({
    id: 'me.update',
    method: 'PATCH',
    path: '/me',
    summary: 'Change your settings; null follows the browser',
    scope: 'workspaces:write',
    role: 'viewer',
    workspace: 'none',
    body: StrictObject({
      locale: Type.Optional(settings.locale),
      timezone: Type.Optional(settings.timezone),
      weekStart: Type.Optional(settings.weekStart),
      hourCycle: Type.Optional(settings.hourCycle),
      theme: Type.Optional(settings.theme),
    }),
    returns: Me,
    ok: 200,
    errors: [],
    // The audit log belongs to a workspace, and a person's settings do not.
    audit: null,
  }),
}
