import { type Static, Type } from 'typebox'
import { germanWords } from './german-words.ts'

export const settings = Type.Object(
  {
    community: Type.Optional(
      Type.String({
        pattern: '^!?[^\\s!@/?#]{1,100}(?:@[^\\s!@/?#]{1,253})?$',
        'x-message': 'Must be the name of a community, such as bells, or bells@lemmy.example for one of another server.',
        title: 'Community',
        description:
          'Where the post goes, such as bells or bells@lemmy.example. Without one it goes to the community of the connection.',
      }),
    ),
    language: Type.Optional(
      Type.String({
        pattern: '^[a-z]{2,3}$',
        'x-message': 'Must be the code of a language, such as en or de.',
        title: 'Language',
        description: 'The code of a language, such as en. Without one the server takes the usual one of the account.',
      }),
    ),
    nsfw: Type.Boolean({
      default: false,
      title: 'Not safe for work',
      description: 'The post is hidden or blurred for people who do not want to see such posts.',
    }),
  },
  { additionalProperties: false, 'x-words': { de: germanWords } },
)

export type Settings = Static<typeof settings>
