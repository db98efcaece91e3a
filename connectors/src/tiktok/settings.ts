import type { ContentFormat } from '@carillon/contract'
import { type Static, Type } from 'typebox'
import { choice } from '../kit/setting-words.ts'
import { declarations } from './declarations.ts'
import { germanWords } from './german-words.ts'

const toggle = (title: string, description: string, options: { 'x-only-for'?: ContentFormat[] } = {}) =>
  Type.Boolean({ default: false, title, description, ...options })

const videos: ContentFormat[] = ['video', 'short_video']
const photos: ContentFormat[] = ['photo', 'photo_carousel']

const audiences = {
  PUBLIC_TO_EVERYONE: 'Everyone',
  MUTUAL_FOLLOW_FRIENDS: 'Friends',
  FOLLOWER_OF_CREATOR: 'Followers (private accounts only)',
  SELF_ONLY: 'Only you',
}

const deliveries = { publish: 'Publish directly', inbox: 'Put it into the inbox of the app' }

export const privacyLevels: readonly string[] = Object.keys(audiences)

/** TikTok's rules for apps: a person must choose everything that makes a post more public. */
export const settings = Type.Object(
  {
    delivery: choice(deliveries, {
      title: 'How it gets there',
      description:
        'From the inbox of the TikTok app a person finishes the post within 24 hours, and chooses text, audience and labels there. The account needs the permission video.upload for it.',
      default: 'publish',
    }),
    // Without a default, so that a choice of SELF_ONLY can be told from no choice.
    privacyLevel: Type.Optional(
      choice(audiences, {
        title: 'Who can see the post',
        description:
          'What the account does not offer is refused. If nothing is chosen, only you can see the post, and it has a warning.',
      }),
    ),
    allowComments: toggle('Allow comments', 'Let people comment on the post.'),
    allowDuets: toggle('Allow duets', 'Let people show their own video beside this one.', { 'x-only-for': videos }),
    allowStitches: toggle('Allow stitches', 'Let people use part of this video in theirs.', { 'x-only-for': videos }),
    contentDisclosure: toggle('Content disclosure', 'The post promotes a brand, a product or a service: say whose.'),
    yourBrand: toggle('Your brand', 'The post promotes yourself or your own business.'),
    brandedContent: toggle('Branded content', 'The post promotes another brand or a third party. It cannot be for you only.'),
    aiGenerated: toggle('Made with AI', 'Labels the video as made by artificial intelligence.', { 'x-only-for': videos }),
    addMusic: toggle('Add music', 'Lets TikTok choose music for a photo post.', { 'x-only-for': photos }),
    coverSeconds: Type.Optional(
      Type.Number({
        title: 'Cover',
        description: 'The moment of the video, in seconds, whose picture becomes the cover.',
        minimum: 0,
        maximum: 600,
        'x-only-for': videos,
      }),
    ),
  },
  { additionalProperties: false, 'x-words': { de: germanWords }, 'x-declarations': declarations },
)

export type Settings = Static<typeof settings>

/** The audience of a post. Without a choice it is the most private one. */
export function audienceOf({ privacyLevel = 'SELF_ONLY' }: Pick<Settings, 'privacyLevel'>) {
  return privacyLevel
}
