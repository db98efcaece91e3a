import type { RedactedValue, Transcript, TranscriptCall } from '../../contract/src/recording/transcript.ts'

/** `line` names the call, the place in it and what differs. `kinds` are the kinds of posts in which it was seen. */
type Difference = { line: string; kinds: string[]; detail: string | null }

/** A difference that is known and stays, with its reason. `difference` is the beginning and the end of lines, with `*` for anything. */
export type Explanation = { difference: string; reason: string }

type Judged = { unexplained: Difference[]; explained: number; unused: Explanation[] }

/** Shorter than this, a difference is that of two machines. */
const slowerMs = 3_000
const slowerTimes = 3

/** Everything in which the second exchange is unlike the first: calls, statuses, headers, fields, values of ours and times. */
export function compareTranscripts(first: Transcript, second: Transcript): Difference[] {
  const kinds = first.kinds.filter((kind) => second.kinds.includes(kind))
  const found = new Map<string, Difference>()
  const add = (kind: string, line: string, detail: string | null = null) => {
    const known = found.get(line)
    if (known === undefined) found.set(line, { line, kinds: [kind], detail })
    else if (!known.kinds.includes(kind)) known.kinds.push(kind)
  }
  for (const kind of kinds) {
    const [inFirst, inSecond] = [groupCalls(first, kind), groupCalls(second, kind)]
    for (const name of new Set([...inFirst.keys(), ...inSecond.keys()])) {
      const [a, b] = [inFirst.get(name), inSecond.get(name)]
      if (a === undefined || b === undefined) add(kind, `${name}: the call is ${onlyIn(a !== undefined)}`)
      else for (const line of compareCalls(a, b)) add(kind, `${name} ${line}`)
    }
  }
  for (const { line, detail } of compareTimes(first, second, kinds)) add('all', line, detail)
  return [...found.values()]
}

const onlyIn = (isFirst: boolean) => (isFirst ? 'only in the transcript' : 'missing in the transcript')

/** What can be explained is explained, and an explanation that fits nothing is out of date. */
export function judgeDifferences(differences: readonly Difference[], explanations: readonly Explanation[]): Judged {
  const patterns = explanations.map((explanation) => ({ explanation, pattern: patternOf(explanation.difference) }))
  const unexplained = differences.filter(({ line }) => patterns.every(({ pattern }) => !pattern.test(line)))
  const unused = patterns.filter(({ pattern }) => differences.every(({ line }) => !pattern.test(line)))
  return {
    unexplained,
    explained: differences.length - unexplained.length,
    unused: unused.map(({ explanation }) => explanation),
  }
}

function patternOf(glob: string): RegExp {
  return new RegExp(`^${glob.split('*').map(RegExp.escape).join('.*')}$`)
}

/** The calls of a kind by step, method and path. Ids in a path differ from one call to the next. */
function groupCalls({ calls }: Transcript, kind: string): Map<string, TranscriptCall[]> {
  const own = calls.filter((call) => call.kind === kind)
  return Map.groupBy(own, ({ step, method, path }) => `${step} ${method} ${withoutNumbers(path)}`)
}

function withoutNumbers(text: string): string {
  return text.replaceAll(/\b(?:id|url|text|secret)-\d+\b/g, ':id')
}

function compareCalls(a: readonly TranscriptCall[], b: readonly TranscriptCall[]): string[] {
  const found: string[] = []
  const compare = (name: string, read: (call: TranscriptCall) => RedactedValue, [from, to] = [a, b]) => {
    const [first, second] = [from, to].map((calls) => ({
      all: shapeOf(calls.map(read)),
      last: shapeOf(calls.slice(-1).map(read)),
    }))
    if (first && second) found.push(...compareShapes(first, second).map((each) => `${name}${each}`))
  }
  compare('query', ({ query }) => query)
  compare('request.headers', ({ request }) => request.headers)
  compare('request.body', ({ request }) => request.body)
  const statuses = new Set([...a, ...b].map(({ status }) => status))
  for (const status of statuses) {
    const [from, to] = [a, b].map((calls) => calls.filter((call) => call.status === status))
    const name = status === null ? 'no answer' : String(status)
    if (!from?.length || !to?.length) found.push(`${name}: the status is ${onlyIn(Boolean(from?.length))}`)
    else {
      compare(`${name} headers`, ({ response }) => response.headers, [from, to])
      compare(`${name} body`, ({ response }) => response.body, [from, to])
    }
  }
  return found
}

/** The fastest call of each sort counts, of all kinds: a single slow one may be an accident of the network or of a busy machine. */
function compareTimes(first: Transcript, second: Transcript, kinds: readonly string[]): { line: string; detail: string }[] {
  const [fastestInFirst, fastestInSecond] = [fastestCalls(first, kinds), fastestCalls(second, kinds)]
  return [...fastestInFirst].flatMap(([name, a]) => {
    const b = fastestInSecond.get(name)
    if (b === undefined || Math.abs(a - b) < slowerMs || Math.max(a, b) < slowerTimes * Math.min(a, b)) return []
    const detail = `${(a / 1000).toFixed(1)} s and ${(b / 1000).toFixed(1)} s`
    return [{ line: `${name} takes ${a > b ? 'longer' : 'less'} in the transcript`, detail }]
  })
}

function fastestCalls(transcript: Transcript, kinds: readonly string[]): Map<string, number> {
  const fastest = new Map<string, number>()
  for (const kind of kinds)
    for (const [name, calls] of groupCalls(transcript, kind))
      fastest.set(name, Math.min(fastest.get(name) ?? Infinity, ...calls.map(({ ms }) => ms)))
  return fastest
}

/** What was seen at one place: the types of its values, and those that were kept. */
type Place = { types: Set<string>; values: Set<string> }
type Shape = Map<string, Place>

function shapeOf(values: readonly RedactedValue[]): Shape {
  const shape: Shape = new Map()
  for (const value of values) addToShape(shape, '', value)
  return shape
}

function addToShape(shape: Shape, path: string, value: RedactedValue): void {
  const place = shape.get(path) ?? { types: new Set(), values: new Set() }
  shape.set(path, place)
  place.types.add(typeOf(value))
  if (typeof value === 'string') place.values.add(withoutNumbers(value))
  if (Array.isArray(value)) {
    // The last element may say how many more there are.
    for (const each of value) if (typeof each !== 'string' || !/^\d+ more$/.test(each)) addToShape(shape, `${path}[]`, each)
  } else if (typeof value === 'object' && value !== null)
    for (const [key, each] of Object.entries(value)) addToShape(shape, `${path}.${withoutNumbers(key)}`, each)
}

function typeOf(value: RedactedValue): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'list'
  // A large number became a placeholder.
  if (typeof value === 'string') return /^id-\d+$/.test(value) ? 'id' : 'text'
  return typeof value
}

/** `last` is that of the last call: what earlier ones are told about something that is not ready depends on when they were made. */
type Seen = { all: Shape; last: Shape }

function compareShapes(a: Seen, b: Seen): string[] {
  const paths = [...new Set([...a.all.keys(), ...b.all.keys()])]
  return paths.flatMap((path) => {
    const [inA, inB] = [a.all.get(path), b.all.get(path)]
    if (inA && inB) return comparePlaces(path, inA, inB)
    if (!(inA ? a : b).last.has(path)) return []
    // The difference is that of the place around it, or an empty list does not tell what would be in it.
    const around = (inA ? b : a).all.get(parentOf(path))
    const isTold = path.endsWith('[]') ? false : around?.types.has('object') === true
    return isTold ? [`${path}: the field is ${onlyIn(inA !== undefined)}`] : []
  })
}

function parentOf(path: string): string {
  return path.endsWith('[]') ? path.slice(0, -2) : path.slice(0, Math.max(path.lastIndexOf('.'), 0))
}

function comparePlaces(path: string, a: Place, b: Place): string[] {
  const [typesA, typesB] = [namesOf(a.types), namesOf(b.types)]
  if (!areAlike(a.types, b.types)) return [`${path}: it is ${typesA} in the transcript, not ${typesB}`]
  const isPlaceholder = (value: string) => value === ':id' || value === 'time' || value === ''
  const [valuesA, valuesB] = [a.values, b.values].map((values) => [...values].filter((value) => !isPlaceholder(value)))
  const isKept = valuesA?.length === a.values.size && valuesB?.length === b.values.size && a.values.size > 0
  if (!isKept || valuesA.some((value) => b.values.has(value))) return []
  return [`${path}: it is ${valuesA.toSorted().join(', ')} in the transcript, not ${valuesB.toSorted().join(', ')}`]
}

/** Large numbers are ids in a transcript, like texts that are ids. */
function areAlike(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const plain = (types: ReadonlySet<string>) =>
    new Set([...types].flatMap((type) => (type === 'id' ? ['text', 'number'] : [type])))
  return !plain(a).isDisjointFrom(plain(b))
}

function namesOf(types: ReadonlySet<string>): string {
  return [...types]
    .map((type) => (type === 'id' ? 'text' : type))
    .toSorted()
    .join(' or ')
}
