import { type Static, Type } from 'typebox'
import { choice } from '../kit/setting-words.ts'
import { germanWords } from './german-words.ts'

const Name = Type.String({
  pattern: '^[^<>,]{1,191}$',
  'x-message': 'Must be names of at most 191 characters, without < > and commas.',
  'x-has-spaces': true,
})

export const settings = Type.Object(
  {
    tags: Type.Optional(
      Type.Array(Name, {
        title: 'Tags',
        description:
          'Words with commas between them. The first one is shown with the post. What the site does not have yet is created.',
        maxItems: 30,
      }),
    ),
    excerpt: Type.Optional(
      Type.String({
        title: 'Excerpt',
        description: 'A summary for lists and search engines. Without one Ghost takes the beginning of the text.',
        maxLength: 300,
      }),
    ),
    featureImage: Type.Boolean({
      default: true,
      title: 'First image as feature image',
      description: 'The theme of the site shows it above the post and in lists. Otherwise all images are in the post.',
    }),
    visibility: choice(
      { public: 'Everybody', members: 'Members', paid: 'Paying members' },
      { default: 'public', title: 'Who can read it', description: 'Others see the title, the excerpt and the feature image.' },
    ),
    featured: Type.Boolean({
      default: false,
      title: 'Featured',
      description: 'Themes show featured posts in a place of their own.',
    }),
  },
  { additionalProperties: false, 'x-words': { de: germanWords } },
)

export type Settings = Static<typeof settings>
