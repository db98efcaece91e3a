import { Type } from 'typebox'
import { ObjectId } from '../primitives.ts'

const Day = Type.String({ format: 'date', 'x-message': 'Must be a day such as 2027-03-01.' })

/** The series of a post in a response. */
export const shownSeries = {
  seriesId: Type.Optional(Type.Unsafe<string>({ ...ObjectId, description: 'The series that made it; missing if there is none' })),
  occurrence: Type.Optional(Type.Unsafe<string>({ ...Day, description: 'The date of the series that it is for' })),
}

/** In the query of a list. */
export const seriesFilter = {
  series: Type.Optional(
    Type.String({
      pattern: '^[0-9a-f]{24}$',
      maxLength: 24,
      'x-message': 'Must be the id of a series.',
      description: 'Only posts of this series, by id',
    }),
  ),
}
