import { type Static, Type } from 'typebox'
import { choice } from '../kit/setting-words.ts'
import { germanWords } from './german-words.ts'

export const settings = Type.Object(
  {
    tags: Type.Optional(
      Type.Array(
        Type.String({
          pattern: '^[^,]{1,140}$',
          'x-message': 'Must be words of at most 140 characters, without commas.',
          'x-has-spaces': true,
        }),
        {
          title: 'Tags',
          description: 'Up to 30 words with commas between them. They stand below the post, and people find it by them.',
          maxItems: 30,
        },
      ),
    ),
    sourceUrl: Type.Optional(
      Type.String({
        pattern: '^https?://[^\\s]{3,490}$',
        'x-message': 'Must be an address that begins with https://.',
        title: 'Source',
        description: 'The address from which the content is. Tumblr names it below the post.',
      }),
    ),
    reblogs: choice(
      { everyone: 'Everyone', noone: 'Nobody' },
      { default: 'everyone', title: 'Who may reblog', description: 'Whether people may show the post on their own blogs.' },
    ),
  },
  { additionalProperties: false, 'x-words': { de: germanWords } },
)

export type Settings = Static<typeof settings>
