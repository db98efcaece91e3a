import { Type, type Static } from 'typebox'
import { endpoint } from './endpoint.ts'
import { platforms } from './platforms.ts'
import { postTypes } from './post.ts'
import { StrictObject } from './primitives.ts'

export const tones = ['professional', 'casual', 'humorous', 'inspirational', 'informative'] as const
export type Tone = (typeof tones)[number]

const Platforms = Type.Array(Type.Enum([...platforms]), { minItems: 1, uniqueItems: true })
const context = (description: string, maxLength: number) => Type.Optional(Type.String({ maxLength, description }))

export const CaptionWish = StrictObject({
  uploadType: Type.Enum([...postTypes]),
  platforms: Platforms,
  text: context('What the post is about, or a first version of it', 25_000),
  title: context('The title of the post', 500),
  description: context('What the media show, or who is posting', 5000),
  tone: Type.Optional(Type.Enum([...tones])),
  brandVoice: context('How the brand speaks, in your own words', 2000),
})
export type CaptionWish = Static<typeof CaptionWish>

export const Captions = StrictObject({
  content: Type.Record(Type.String(), Type.String(), {
    description: 'Platform → caption; each fits the platform’s limit',
    examples: [{ x: 'The bells ring at nine.' }],
  }),
})

export const HashtagWish = StrictObject({
  text: Type.String({ minLength: 1, maxLength: 25_000 }),
  platforms: Platforms,
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: 30, default: 5 })),
  existingHashtags: Type.Optional(
    Type.Array(Type.String({ maxLength: 200 }), { maxItems: 500, description: 'Never suggested again, with or without #' }),
  ),
})
export type HashtagWish = Static<typeof HashtagWish>

export const Hashtags = Type.Array(
  StrictObject({
    platform: Type.Enum([...platforms]),
    hashtags: Type.Array(Type.String({ description: 'With its #, ready to paste', examples: ['#bells'] })),
  }),
)

const write = {
  scope: 'ai:write',
  role: 'editor',
  workspace: 'header',
  method: 'POST',
  ok: 200,
  errors: ['plan_required', 'ai_budget_reached', 'ai_refused', 'ai_unavailable'],
  audit: null,
} as const

export const ai = {
  status: endpoint({
    id: 'ai.status',
    method: 'GET',
    path: '/ai/status',
    summary: 'Whether this workspace can ask for captions and hashtags, and which model answers',
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
    ...write,
    id: 'ai.generateContent',
    path: '/ai/generate-content',
    summary: 'Write a caption for each platform, within its limit',
    body: CaptionWish,
    returns: Captions,
  }),
  suggestHashtags: endpoint({
    ...write,
    id: 'ai.suggestHashtags',
    path: '/ai/suggest-hashtags',
    summary: 'Suggest hashtags for each platform',
    body: HashtagWish,
    returns: Hashtags,
  }),
}
