import { type Static, Type } from 'typebox'

const toggle = (title: string, description: string) => Type.Boolean({ default: false, title, description })

/** TikTok's rules for apps: a person must choose everything that makes a post more public. */
export const settings = Type.Object(
  {
    // Without a default, so that a choice of SELF_ONLY can be told from no choice.
    privacyLevel: Type.Optional(
      Type.Enum(['PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'FOLLOWER_OF_CREATOR', 'SELF_ONLY'], {
        title: 'Who can see the post',
        description:
          'Everyone, friends, followers (private accounts only), or only you. What the account does not offer is refused. ' +
          'If nothing is chosen, only you can see the post, and it has a warning.',
      }),
    ),
    allowComments: toggle('Allow comments', 'Let people comment on the post.'),
    allowDuets: toggle('Allow duets', 'Let people show their own video beside this one. Videos only.'),
    allowStitches: toggle('Allow stitches', 'Let people use part of this video in theirs. Videos only.'),
    yourBrand: toggle('Your brand', 'The post promotes yourself or your own business.'),
    brandedContent: toggle('Branded content', 'The post is a paid partnership. It cannot be for you only.'),
    aiGenerated: toggle('Made with AI', 'Labels the video as made by artificial intelligence.'),
    addMusic: toggle('Add music', 'Lets TikTok choose music for a photo post.'),
    coverSeconds: Type.Optional(
      Type.Number({
        title: 'Cover',
        description: 'The moment of the video, in seconds, whose picture becomes the cover.',
        minimum: 0,
        maximum: 600,
      }),
    ),
  },
  { additionalProperties: false },
)

export type Settings = Static<typeof settings>

/** The audience of a post. Without a choice it is the most private one. */
export function audienceOf({ privacyLevel = 'SELF_ONLY' }: Pick<Settings, 'privacyLevel'>) {
  return privacyLevel
}
