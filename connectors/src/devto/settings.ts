import { type Static, Type } from 'typebox'
import { germanWords } from './german-words.ts'

const Address = { pattern: '^https?://[^\\s]{3,490}$', 'x-message': 'Must be an address that begins with https://.' }

export const settings = Type.Object(
  {
    tags: Type.Optional(
      Type.Array(
        Type.String({
          pattern: '^[\\p{L}\\p{N}]{1,30}$',
          'x-message': 'Must be words of at most 30 letters and digits.',
        }),
        { title: 'Tags', description: 'Up to four words of letters and digits, with commas between them.', maxItems: 4 },
      ),
    ),
    cover: Type.Optional(
      Type.String({
        ...Address,
        title: 'Address of the cover',
        description: 'The address of an image that stays in the internet. DEV takes no files.',
      }),
    ),
    canonicalUrl: Type.Optional(
      Type.String({
        ...Address,
        title: 'Canonical address',
        description: 'Where the article appeared first. Search engines then show that one.',
      }),
    ),
    draft: Type.Boolean({
      default: false,
      title: 'As a draft',
      description: 'The article is made as a draft of the account, to be published on DEV.',
    }),
  },
  { additionalProperties: false, 'x-words': { de: germanWords } },
)

export type Settings = Static<typeof settings>
