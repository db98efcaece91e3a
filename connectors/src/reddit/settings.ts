import { type Static, Type } from 'typebox'
import { germanWords } from './german-words.ts'

export const settings = Type.Object(
  {
    subreddit: Type.Optional(
      Type.String({
        pattern: '^/?(?:[rR]/|[uU]/|[uU]ser/)?[\\w-]{2,23}$',
        'x-message': 'Must be the name of a subreddit, such as r/bells.',
        title: 'Subreddit',
        description: 'Where the post goes, such as r/bells. Without one it goes to the profile of the account.',
      }),
    ),
    flair: Type.Optional(
      Type.String({
        pattern: '\\S',
        'x-message': 'Must be the name of a flair.',
        maxLength: 100,
        title: 'Flair',
        description: 'The name of a flair that the subreddit has. Some take no posts without one.',
      }),
    ),
    nsfw: Type.Boolean({
      default: false,
      title: 'Not safe for work',
      description: 'Reddit covers the post, and shows it to adults only.',
    }),
    spoiler: Type.Boolean({ default: false, title: 'Spoiler', description: 'Reddit covers the post until somebody opens it.' }),
    notify: Type.Boolean({
      default: true,
      title: 'Notify about comments',
      description: 'The account gets a message about comments on the post.',
    }),
  },
  { additionalProperties: false, 'x-words': { de: germanWords } },
)

export type Settings = Static<typeof settings>
