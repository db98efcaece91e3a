import { Type, type Static } from 'typebox'
import { endpoint } from './endpoint.ts'
import { contentFormats } from './manifest.ts'
import { platforms } from './platforms.ts'
import { StrictObject, Nullable } from './primitives.ts'

const MaybeNumber = Nullable(Type.Number())

export const PlatformMedia = StrictObject({
  max: Type.Integer({ description: 'How many one post takes' }),
  bytesMax: MaybeNumber,
  mimeTypes: Type.Array(Type.String()),
  pixelsMax: MaybeNumber,
  widthMin: MaybeNumber,
  widthMax: MaybeNumber,
  ratioMin: MaybeNumber,
  ratioMax: MaybeNumber,
  secondsMin: MaybeNumber,
  secondsMax: MaybeNumber,
  pagesMax: MaybeNumber,
})
export type PlatformMedia = Static<typeof PlatformMedia>

/** How an account of the platform is connected here. */
export const ConnectMethod = StrictObject({
  method: Type.Enum(['oauth2', 'password'], {
    description: 'oauth2: on the platform’s own page; password: by filling in `fields`',
  }),
  available: Type.Boolean({ description: 'Can this install connect it?' }),
  reason: Nullable(Type.String({ description: 'Why not' })),
  instance: Type.Enum(['none', 'optional', 'required'], { description: 'Whether the address of a server must be given' }),
  fields: Type.Array(StrictObject({ name: Type.String(), label: Type.String(), secret: Type.Boolean() })),
})

export const PlatformInfo = StrictObject({
  platform: Type.Enum([...platforms]),
  name: Type.String(),
  formats: Type.Array(Type.Enum([...contentFormats])),
  text: StrictObject({
    max: Type.Integer(),
    counting: Type.String(),
    linkCost: MaybeNumber,
    shortMentions: Type.Boolean(),
    bytesMax: MaybeNumber,
    linksMax: MaybeNumber,
    alone: Type.Boolean(),
  }),
  photos: Nullable(PlatformMedia),
  video: Nullable(PlatformMedia),
  document: Nullable(PlatformMedia),
  /** What a story takes, where that is a format. */
  story: Nullable(StrictObject({ photos: Nullable(PlatformMedia), video: Nullable(PlatformMedia) })),
  altTextMax: MaybeNumber,
  can: StrictObject({
    firstComment: Type.Boolean(),
    title: Type.Boolean(),
    linkUrl: Type.Boolean(),
    remove: Type.Boolean(),
    metrics: Type.Boolean(),
  }),
  settings: Type.Record(Type.String(), Type.Unknown(), { description: 'A JSON Schema of the platform’s own settings' }),
  metrics: Type.Array(Type.String()),
  primaryImpression: Nullable(Type.String()),
  connect: ConnectMethod,
})
export type PlatformInfo = Static<typeof PlatformInfo>

export const platformsApi = {
  list: endpoint({
    id: 'platforms.list',
    method: 'GET',
    path: '/platforms',
    summary: 'What each platform takes and can do, and whether it can be connected here',
    scope: 'content:read',
    role: 'viewer',
    workspace: 'none',
    returns: Type.Array(PlatformInfo),
    ok: 200,
    errors: [],
    audit: null,
  }),
}
