import { Type, type Static } from 'typebox'
import { endpoint } from './endpoint.ts'
import { platforms } from './platforms.ts'
import { postTypes } from './post.ts'
import { StrictObject } from './primitives.ts'

export const tones = ['professional', 'casual', 'humorous', 'inspirational', 'informative'] as const
export type Tone = (typeof tones)[number]

const Platforms = Type.Array(Type.Enum([...platforms]), { minItems: 1, uniqueItems: true })
const contextField = (description: string, maxLength: number) => Type.Optional(Type.String({ maxLength, description }))

export const CaptionWish = StrictObject({
  uploadType: Type.Enum([...postTypes]),
  platforms: Platforms,
  text: contextField('What the post is about, or a first draft of it', 25_000),
  title: contextField('The title of the post', 500),
  description: contextField('What the media show, or who the author is', 5000),
  tone: Type.Optional(Type.Enum([...tones])),
  brandVoice: contextField('A description of the tone of the brand', 2000),
})
export type CaptionWish = Static<typeof CaptionWish>

export const Captions = StrictObject({
  content: Type.Record(Type.String(), Type.String(), {
    description: 'The captions by platform; each is within the length limit of its platform',
    examples: [{ x: 'The bells ring at nine.' }],
  }),
})

export const HashtagWish = StrictObject({
  text: Type.String({ minLength: 1, maxLength: 25_000 }),
  platforms: Platforms,
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: 30, default: 5 })),
  existingHashtags: Type.Optional(
    Type.Array(Type.String({ maxLength: 200 }), {
      maxItems: 500,
      description: 'Hashtags that must not be suggested, with or without #',
    }),
  ),
})
export type HashtagWish = Static<typeof HashtagWish>

const Hashtags = Type.Array(
  StrictObject({
    platform: Type.Enum([...platforms]),
    hashtags: Type.Array(Type.String({ description: 'Includes the leading #', examples: ['#bells'] })),
  }),
)

const generateEndpoint = {
  scope: 'ai:write',
  role: 'editor',
  workspace: 'header',
  method: 'POST',
  ok: 200,
  errors: ['plan_required', 'ai_budget_reached', 'ai_daily_limit_reached', 'ai_refused', 'ai_unavailable'],
  audit: null,
} as const

export const ai = {
  status: endpoint({
    id: 'ai.status',
    method: 'GET',
    path: '/ai/status',
    summary: 'Whether the AI endpoints are available in this workspace, and which model they use',
    scope: 'ai:read',
    role: 'viewer',
    workspace: 'header',
    returns: StrictObject({
      available: Type.Boolean(),
      model: Type.String({ description: 'Empty when no model is configured' }),
    }),
    ok: 200,
    errors: [],
    audit: null,
  }),
  generateContent: endpoint({
    ...generateEndpoint,
    id: 'ai.generateContent',
    path: '/ai/generate-content',
    summary: 'Generate a caption for each platform, within its length limit',
    body: CaptionWish,
    returns: Captions,
  }),
  suggestHashtags: endpoint({
    ...generateEndpoint,
    id: 'ai.suggestHashtags',
    path: '/ai/suggest-hashtags',
    summary: 'Suggest hashtags for each platform',
    body: HashtagWish,
    returns: Hashtags,
  }),
}
