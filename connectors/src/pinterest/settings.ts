import { type Static, Type } from 'typebox'
import { germanWords } from './german-words.ts'

export const settings = Type.Object(
  {
    board: Type.Optional(
      Type.String({
        pattern: '\\S',
        'x-message': 'Must be the name of a board.',
        maxLength: 180,
        title: 'Board',
        description: 'The name of the board on which the pin is saved. It is needed if the account has more than one.',
      }),
    ),
    section: Type.Optional(
      Type.String({
        pattern: '\\S',
        'x-message': 'Must be the name of a section of the board.',
        maxLength: 180,
        title: 'Section',
        description: 'The name of a section of the board.',
      }),
    ),
    coverSeconds: Type.Optional(
      Type.Number({
        title: 'Cover',
        description: 'The moment of the video, in seconds, whose picture becomes the cover. Without one it is the first picture.',
        minimum: 0,
        maximum: 900,
        'x-only-for': ['video'],
      }),
    ),
  },
  { additionalProperties: false, 'x-words': { de: germanWords } },
)

export type Settings = Static<typeof settings>
