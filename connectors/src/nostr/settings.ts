import { type Static, Type } from 'typebox'
import { germanWords } from './german-words.ts'

export const settings = Type.Object(
  {
    contentWarning: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        title: 'Content warning',
        description: 'Apps hide the post behind these words until a person wants to see it.',
      }),
    ),
  },
  { additionalProperties: false, 'x-words': { de: germanWords } },
)

export type Settings = Static<typeof settings>
