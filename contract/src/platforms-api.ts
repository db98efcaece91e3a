import { Type, type Static } from 'typebox'
import { endpoint } from './endpoint.ts'
import { contentFormats, countings, linkPlaces, previewFamilies } from './manifest.ts'
import { platforms } from './platforms.ts'
import { StrictObject, Nullable } from './primitives.ts'

const NullableNumber = Nullable(Type.Number())

export const PlatformMedia = StrictObject({
  max: Type.Integer({ description: 'The maximum number in a post' }),
  bytesMin: NullableNumber,
  bytesMax: NullableNumber,
  mimeTypes: Type.Array(Type.String()),
  pixelsMax: NullableNumber,
  framePixelsMax: Nullable(Type.Number({ description: 'The pixels of all frames of an animation together' })),
  widthMin: NullableNumber,
  widthMax: NullableNumber,
  sideMin: Nullable(Type.Number({ description: 'For width and height alike' })),
  sideMax: Nullable(Type.Number({ description: 'For width and height alike' })),
  shortSideMax: Nullable(Type.Number({ description: 'For the smaller one of width and height' })),
  ratioMin: NullableNumber,
  ratioMax: NullableNumber,
  secondsMin: NullableNumber,
  secondsMax: NullableNumber,
  framesMax: NullableNumber,
  fpsMin: NullableNumber,
  fpsMax: NullableNumber,
  bitsPerSecondMax: NullableNumber,
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
  fields: Type.Array(
    StrictObject({
      name: Type.String(),
      label: Type.String(),
      secret: Type.Boolean(),
      optional: Type.Optional(Type.Boolean({ description: 'It may be left out. Absent if it may not.' })),
    }),
  ),
  redirectUri: Nullable(Type.String({ description: 'The address to register in the developer app' })),
  scopes: Type.Array(Type.String(), { description: 'The permissions that a person is asked for' }),
  setting: Nullable(Type.String({ description: 'The setting that holds the developer app; null where none is needed' })),
  portalUrl: Nullable(Type.String({ description: 'Where the operator creates the developer app' })),
  simulated: Type.Boolean({ description: 'Whether accounts are connected to the simulator instead of the platform' }),
  feedUrl: Nullable(Type.String({ description: 'Where the posts of simulated accounts can be seen' })),
})

/** How the platform takes texts. */
export const PlatformText = StrictObject({
  max: Type.Integer(),
  maxWithPhotos: Nullable(Type.Integer({ description: 'The limit of a post with photos, if it differs' })),
  maxWithFiles: Nullable(Type.Integer({ description: 'The limit of a post with files of any kind, if it differs' })),
  counting: Type.Enum([...countings], { description: 'How the platform counts the characters of a text' }),
  linkCost: NullableNumber,
  shortMentions: Type.Boolean(),
  bytesMax: NullableNumber,
  linksMax: NullableNumber,
  hashtagsMax: NullableNumber,
  mentionsMax: NullableNumber,
  cashtagsMax: NullableNumber,
  countedSettings: Type.Array(Type.String(), { description: 'The settings whose text counts towards the length' }),
  alone: Type.Boolean(),
  refused: Type.Optional(
    Type.Array(Type.String(), { description: 'Characters that the platform refuses in a text and in a title' }),
  ),
})

export const AltText = StrictObject({
  kinds: Type.Array(Type.Enum(['image', 'video', 'document']), {
    description: 'The kinds of files that can have alt text; empty if the platform has none',
  }),
  max: Nullable(Type.Integer({ description: 'The limit in Unicode characters; null if there is no limit' })),
})

export const Abilities = StrictObject({
  firstComment: Type.Boolean(),
  thread: Type.Boolean(),
  title: Type.Boolean(),
  linkUrl: Type.Boolean(),
  remove: Type.Boolean(),
  metrics: Type.Boolean(),
})

export const PlatformInfo = StrictObject({
  platform: Type.Enum([...platforms]),
  name: Type.String(),
  formats: Type.Array(Type.Enum([...contentFormats])),
  text: PlatformText,
  photos: Nullable(PlatformMedia),
  video: Nullable(PlatformMedia),
  /** The rules for short videos, if they are others than those for videos. */
  shortVideo: Nullable(PlatformMedia),
  document: Nullable(PlatformMedia),
  /** The rules for stories, if the platform has them. */
  story: Nullable(
    StrictObject({
      photos: Nullable(PlatformMedia),
      video: Nullable(PlatformMedia),
      can: StrictObject({ firstComment: Type.Boolean(), altText: Type.Boolean() }),
    }),
  ),
  gif: Nullable(PlatformMedia),
  altText: AltText,
  altTextMax: Nullable(Type.Number({ description: 'The same as `altText.max`; null also if there is no alt text' })),
  title: Nullable(
    StrictObject({
      formats: Type.Array(Type.Enum([...contentFormats]), { description: 'The formats in which a title is shown' }),
      max: Nullable(Type.Integer({ description: 'The limit in UTF-16 units' })),
      ofLink: Type.Boolean({ description: 'A text has a title only if it has a link, which the title then names' }),
    }),
  ),
  can: Abilities,
  linkWithMedia: Type.Enum([...linkPlaces], { description: 'Where the link of a post with media goes' }),
  preview: StrictObject({
    family: Type.Enum([...previewFamilies], { description: 'How a preview lays a post out' }),
    foldAt: NullableNumber,
  }),
  settings: Type.Record(Type.String(), Type.Unknown(), {
    description: 'A JSON Schema of the settings that only this platform has',
  }),
  mixedCarousel: Type.Boolean({ description: 'Whether a post with several photos may have videos among them' }),
  coverSetting: Nullable(
    Type.String({ description: 'The setting for the moment of the video, in seconds, whose picture becomes the cover' }),
  ),
  aiLabel: Nullable(
    StrictObject({
      setting: Type.String({ description: 'The setting that `aiGenerated` of a post stands for' }),
      formats: Type.Array(Type.Enum([...contentFormats]), { description: 'The formats that have the label' }),
    }),
  ),
  audienceSetting: Nullable(
    Type.String({ description: 'The setting for who can see the post; if it is not chosen, only the author can' }),
  ),
  settingConflicts: Type.Array(
    StrictObject({
      setting: Type.String(),
      value: Type.Unknown(),
      other: Type.String(),
      others: Type.Array(Type.Unknown(), { description: 'Values of `other` that do not go with it; null if it is not given' }),
      message: Type.String(),
    }),
    { description: 'Settings that the platform does not accept together' },
  ),
  disclosure: Nullable(
    StrictObject({
      setting: Type.String({ description: 'The setting that says that a post is advertising' }),
      kinds: Type.Array(Type.String(), { description: 'The settings that say for whom: at least one of them' }),
    }),
  ),
  handover: Nullable(
    StrictObject({
      setting: Type.String({ description: 'The setting with which a post is put into the app of the platform' }),
      value: Type.String({ description: 'Its value for that. The other settings then do not count' }),
      hours: Type.Integer({ description: 'A person has to finish the post in the app within this time' }),
      waitingMax: Type.Integer({ description: 'How many unfinished posts of an account the app accepts in a day' }),
    }),
  ),
  listLimits: Type.Array(
    StrictObject({
      setting: Type.String(),
      max: Type.Integer({ description: 'The limit of all words together, in UTF-16 units' }),
      between: Type.Integer({ description: 'What counts between two words' }),
      forSpaces: Type.Integer({ description: 'What counts in addition for a word with a space in it' }),
    }),
    { description: 'Settings that are lists of words with a common limit' },
  ),
  filesBytesMax: Nullable(Type.Integer({ description: 'The limit on all files of a post together' })),
  /** What the platform charges the app of whoever runs the installation, in US dollars; null if nothing. */
  prices: Nullable(
    StrictObject({
      checkedOn: Type.String({ description: 'The day on which the prices were read' }),
      source: Type.String(),
      post: Type.Number({ description: 'In US dollars, like the others, charged to the app of whoever runs the installation' }),
      postWithLink: Type.Number({ description: 'Of a post with a link in its text' }),
      altText: Type.Number({ description: 'For each file with alt text' }),
      figures: Type.Number({ description: 'For reading the figures of one post once' }),
      otherCall: Type.Number({ description: 'The most that any other call costs' }),
    }),
  ),
  metrics: Type.Array(Type.String(), {
    description: 'Empty if figures are not read here, because the platform charges for them',
  }),
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
