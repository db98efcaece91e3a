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

type Shape = { type?: string; properties?: Record<string, Shape>; items?: Shape }

/** Something that satisfies a JSON schema, the same every time: texts of about the wished length, lists of words. */
export function compose(shape: Shape, length = 60): unknown {
  if (shape.type === 'object')
    return Object.fromEntries(Object.entries(shape.properties ?? {}).map(([name, inner]) => [name, compose(inner, length)]))
  if (shape.type === 'array') return words
  if (shape.type === 'string') return sentencesUpTo(length)
  return null
}

function sentencesUpTo(length: number): string {
  let text = ''
  for (let at = 0; text.length < length; at++) text += `${text === '' ? '' : ' '}${sentences[at % sentences.length]}`
  return text
}
