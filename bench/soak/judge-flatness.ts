import { round } from '../stats.ts'
import { ruleOf, type Sample, type SeriesKind } from './series.ts'

export type Verdict = {
  name: string
  kind: SeriesKind
  isFlat: boolean
  /** The mean of the blocks, their straight line's rise over the judged time, and that rise as a share of the mean. */
  level: number
  rise: number
  share: number
  first: number
  last: number
}

const shareMax = 0.05
const blocks = 10

/**
 * Judges every series that has a rule. The time after the warm-up is cut into ten blocks of equal length. The value of a block is its
 * highest sample, because what is swept every few minutes has the form of a saw; of the memory that JavaScript uses, it is the lowest,
 * which is what a garbage collection leaves. A straight line is fitted through the ten values. The series is flat if the line rises by
 * at most 5 % of the mean, or by less than is noticeable. Falling is flat.
 */
export function judgeFlatness(samples: readonly Sample[], warmUpMinutes: number): Verdict[] {
  const judged = samples.filter(({ minute }) => minute >= warmUpMinutes)
  const names = [...new Set(judged.flatMap(({ values }) => Object.keys(values)))]
  return names.flatMap((name) => {
    const rule = ruleOf(name)
    if (!rule) return []
    const points = judged.flatMap(({ minute, values }) => (values[name] === undefined ? [] : [{ x: minute, y: values[name] }]))
    return [judgeOne(name, rule, points)]
  })
}

type Point = { x: number; y: number }

function judgeOne(name: string, { kind, floor }: { kind: SeriesKind; floor: number }, points: readonly Point[]): Verdict {
  const values = blockValues(points, kind === 'heap' ? Math.min : Math.max)
  const level = mean(values.map(({ y }) => y))
  const rise = riseOf(values)
  const share = level === 0 ? 0 : rise / level
  return {
    name,
    kind,
    isFlat: share <= shareMax || rise <= floor,
    level: round(level),
    rise: round(rise),
    share: round(share, 4),
    first: round(values[0]?.y ?? Number.NaN),
    last: round(values.at(-1)?.y ?? Number.NaN),
  }
}

/** One point for each block, at its middle. A block without a sample is left out. */
function blockValues(points: readonly Point[], pick: (...values: number[]) => number): Point[] {
  const from = points[0]?.x ?? 0
  const length = ((points.at(-1)?.x ?? 0) - from) / blocks
  return Array.from({ length: blocks }, (_, at) => {
    const isLast = at === blocks - 1
    const inside = points.filter(({ x }) => x >= from + at * length && (isLast || x < from + (at + 1) * length))
    return { x: from + (at + 0.5) * length, y: pick(...inside.map(({ y }) => y)) }
  }).filter(({ y }) => Number.isFinite(y))
}

/** The rise of the straight line through the points (least squares) from the first to the last. */
function riseOf(points: readonly Point[]): number {
  const [meanX, meanY] = [mean(points.map(({ x }) => x)), mean(points.map(({ y }) => y))]
  const spread = points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0)
  if (spread === 0) return 0
  const slope = points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0) / spread
  return slope * ((points.at(-1)?.x ?? 0) - (points[0]?.x ?? 0))
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}
