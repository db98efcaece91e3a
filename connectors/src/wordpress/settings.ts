import { type Static, Type } from 'typebox'
import { choice } from '../kit/setting-words.ts'
import { germanWords } from './german-words.ts'

const Name = Type.String({
  pattern: '^[^<>,]{1,200}$',
  'x-message': 'Must be names of at most 200 characters, without < > and commas.',
  'x-has-spaces': true,
})

export const settings = Type.Object(
  {
    tags: Type.Optional(
      Type.Array(Name, {
        title: 'Tags',
        description: 'Words with commas between them. Those that the site does not have yet are created.',
        maxItems: 30,
      }),
    ),
    categories: Type.Optional(
      Type.Array(Name, {
        title: 'Categories',
        description: 'Names of categories that the site has, with commas between them. Without one it takes its usual category.',
        maxItems: 30,
      }),
    ),
    excerpt: Type.Optional(
      Type.String({
        title: 'Excerpt',
        description: 'A summary for lists and search engines. Without one WordPress takes the beginning of the text.',
        maxLength: 1000,
      }),
    ),
    featuredImage: Type.Boolean({
      default: true,
      title: 'First image as featured image',
      description: 'The theme of the site shows it above the post and in lists. Otherwise all images are in the post.',
    }),
    comments: choice(
      { site: 'As set for the site', open: 'Allowed', closed: 'Not allowed' },
      { default: 'site', title: 'Comments', description: 'Whether people can comment on the post.' },
    ),
  },
  { additionalProperties: false, 'x-words': { de: germanWords } },
)

export type Settings = Static<typeof settings>
