/**
 * What a table is for decides how its size is judged.
 *
 * `level`: rows come and go, or do not depend on the number of posts; the table must not grow. `kept`: rows belong to the users, or to the
 * record of what they did, and stay; the bytes for each row must not grow.
 */
export const keptTables: ReadonlySet<string> = new Set([
  'post',
  'post_search',
  'part',
  'channel_event',
  'channel_metric',
  'metric_day',
  'metric_history',
  'audit_entry',
  'audit_link',
])

/** One value for each name, at one moment. */
export type Values = Record<string, number>
export type Sample = { minute: number; values: Values }

export type SeriesKind = 'memory' | 'heap' | 'disk' | 'rows' | 'bytes' | 'bytesPerRow' | 'count' | 'ratio' | 'shown'

/**
 * How a series is judged, by the beginning of its name. `floor` is a rise that is too small to mean anything: some pages of memory, one
 * segment of PostgreSQL's log. A series that is only shown has no rule.
 */
const rules: readonly { prefix: string; kind: SeriesKind; floor: number }[] = [
  { prefix: 'memory ', kind: 'memory', floor: 8_000_000 },
  { prefix: 'heap ', kind: 'heap', floor: 4_000_000 },
  { prefix: 'open files ', kind: 'count', floor: 10 },
  { prefix: 'disk ', kind: 'disk', floor: 16_777_216 },
  { prefix: 'engine ', kind: 'count', floor: 100 },
  { prefix: 'rows ', kind: 'rows', floor: 50 },
  { prefix: 'bytes ', kind: 'bytes', floor: 262_144 },
  { prefix: 'bytes per row ', kind: 'bytesPerRow', floor: 4 },
  { prefix: 'dead rows ', kind: 'ratio', floor: 0.02 },
  { prefix: 'database connections', kind: 'count', floor: 4 },
]

export function ruleOf(name: string) {
  // The longest prefix: "bytes per row" is not "bytes".
  return rules.filter(({ prefix }) => name.startsWith(prefix)).toSorted((a, b) => b.prefix.length - a.prefix.length)[0]
}
