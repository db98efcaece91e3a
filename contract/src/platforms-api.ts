import { Type, type Static } from 'typebox'
import { endpoint } from './endpoint.ts'
import { contentFormats, countings, linkPlaces, previewFamilies } from './manifest.ts'
import { platforms } from './platforms.ts'
import { StrictObject, Nullable } from './primitives.ts'

const NullableNumber = Nullable(Type.Number())

export const PlatformMedia = StrictObject({
  max: Type.Integer({ description: 'The maximum number in a post' }),
  bytesMax: NullableNumber,
  mimeTypes: Type.Array(Type.String()),
  pixelsMax: NullableNumber,
  widthMin: NullableNumber,
  widthMax: NullableNumber,
  ratioMin: NullableNumber,
  ratioMax: NullableNumber,
  secondsMin: NullableNumber,
  secondsMax: NullableNumber,
  pagesMax: NullableNumber,
})
export type PlatformMedia = Static<typeof PlatformMedia>

/** How an account of the platform is connected to this installation. */
export const ConnectMethod = StrictObject({
  method: Type.Enum(['oauth2', 'password'], {
    description: 'oauth2: the user authorizes on the platform’s own page; password: the user fills in `fields`',
  }),
  available: Type.Boolean({ description: 'Whether this installation can connect accounts of the platform' }),
  reason: Nullable(Type.String({ description: 'Why it is not available' })),
  instance: Type.Enum(['none', 'optional', 'required'], { description: 'Whether the address of a server is needed' }),
  fields: Type.Array(StrictObject({ name: Type.String(), label: Type.String(), secret: Type.Boolean() })),
  redirectUri: Nullable(Type.String({ description: 'The address to register in the developer app' })),
  scopes: Type.Array(Type.String(), { description: 'The permissions that a person is asked for' }),
  setting: Nullable(Type.String({ description: 'The setting that holds the developer app; null where none is needed' })),
  portalUrl: Nullable(Type.String({ description: 'Where the operator creates the developer app' })),
  simulated: Type.Boolean({ description: 'Whether accounts are connected to the simulator instead of the platform' }),
  feedUrl: Nullable(Type.String({ description: 'Where the posts of simulated accounts can be seen' })),
})

export const PlatformInfo = StrictObject({
  platform: Type.Enum([...platforms]),
  name: Type.String(),
  formats: Type.Array(Type.Enum([...contentFormats])),
  text: StrictObject({
    max: Type.Integer(),
    counting: Type.Enum([...countings], { description: 'How the platform counts the characters of a text' }),
    linkCost: NullableNumber,
    shortMentions: Type.Boolean(),
    bytesMax: NullableNumber,
    linksMax: NullableNumber,
    alone: Type.Boolean(),
  }),
  photos: Nullable(PlatformMedia),
  video: Nullable(PlatformMedia),
  document: Nullable(PlatformMedia),
  /** The rules for stories, if the platform has them. */
  story: Nullable(StrictObject({ photos: Nullable(PlatformMedia), video: Nullable(PlatformMedia) })),
  altTextMax: NullableNumber,
  can: StrictObject({
    firstComment: Type.Boolean(),
    title: Type.Boolean(),
    linkUrl: Type.Boolean(),
    remove: Type.Boolean(),
    metrics: Type.Boolean(),
  }),
  linkWithMedia: Type.Enum([...linkPlaces], { description: 'Where the link of a post with media goes' }),
  preview: StrictObject({
    family: Type.Enum([...previewFamilies], { description: 'How a preview lays a post out' }),
    foldAt: NullableNumber,
  }),
  settings: Type.Record(Type.String(), Type.Unknown(), {
    description: 'A JSON Schema of the settings that only this platform has',
  }),
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
    summary: 'The limits and features of each platform, and whether it can be connected here',
    scope: 'content:read',
    role: 'viewer',
    workspace: 'none',
    returns: Type.Array(PlatformInfo),
    ok: 200,
    errors: [],
    audit: null,
  }),
}
