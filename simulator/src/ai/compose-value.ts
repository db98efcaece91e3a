const words = [
  [
    'bells',
    'tower',
    'morning',
    'village',
    'music',
    'craft',
    'heritage',
    'bronze',
    'melody',
    'Sunday',
    'weekend',
    'local',
    'community',
  ],
  ['bakery', 'FreshBread', 'opening', 'news', 'handmade', 'smallbusiness', 'tradition', 'history', 'sound', 'harmony', 'concert'],
  [
    'festival',
    'autumn',
    'winter',
    'spring',
    'summer',
    'travel',
    'photo',
    'video',
    'story',
    'learning',
    'team',
    'workshop',
    'design',
  ],
].flat()
const sentences = [
  'The bells ring at nine.',
  'Come early, the tower is small.',
  'Bring a friend and a warm coat.',
  'Everybody is welcome.',
]

type Schema = { type?: string; properties?: Record<string, Schema>; items?: Schema }

/** A value that satisfies a JSON schema, the same every time: texts of about the given length and lists of words. */
export function composeValue(schema: Schema, length = 60): unknown {
  if (schema.type === 'object')
    return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, inner]) => [name, composeValue(inner, length)]))
  if (schema.type === 'array') return words
  if (schema.type === 'string') return sentencesUpTo(length)
  return null
}

function sentencesUpTo(length: number): string {
  let text = ''
  for (let at = 0; text.length < length; at++) text += `${text === '' ? '' : ' '}${sentences[at % sentences.length]}`
  return text
}
