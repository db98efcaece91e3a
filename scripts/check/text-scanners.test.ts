import { expect, test } from 'vitest'
import { hostileTexts } from './hostile-texts.fixture.ts'
import { textScanners, type Scanner } from './text-scanners.fixture.ts'

/**
 * Guarantee: no text stops the process. Each scanner reads 1 MB of every hostile text in a time that grows with the length of the text and
 * not with its square. The table that is printed has the slowest text of each scanner; the aim is 50 ms.
 */
const sizeBytes = 1_000_000
const aimMs = 50
const limitMs = 500

const whole = hostileTexts(sizeBytes)
const twentieths = hostileTexts(sizeBytes / 20)

type Slowest = { name: string; unit: string; ms: number }
const table: Slowest[] = []

test.each(textScanners)(
  '$name takes linear time',
  ({ name, scan, few }) => {
    const slowest: Slowest = { name, unit: '', ms: 0 }
    const problems: string[] = []
    for (const [index, { unit, text }] of whole.entries()) {
      if (few && index % 7 !== 0) continue
      const { ms, problem } = judge(scan, twentieths[index]?.text ?? '', text)
      if (problem !== null) problems.push(`${JSON.stringify(unit)}: ${problem}`)
      if (ms > slowest.ms) Object.assign(slowest, { unit, ms })
    }
    table.push(slowest)
    expect(problems).toEqual([])
  },
  300_000,
)

function judge(scan: Scanner['scan'], twentieth: string, text: string): { ms: number; problem: string | null } {
  // A twentieth first: a scanner with quadratic time would need minutes for the whole text.
  const firstMs = measureMs(scan, twentieth)
  if (firstMs > limitMs / 2) return { ms: firstMs, problem: `${firstMs} ms for a twentieth of the text` }
  const ms = measureMs(scan, text)
  if (ms <= aimMs) return { ms, problem: null }
  // Garbage collection makes single measurements wrong. A scanner with quadratic time fails every one of these comparisons.
  let problem: string | null = null
  let wholeMs = ms
  for (let attempt = 0; attempt < 4; attempt++) {
    // Twenty of them take about as long as the whole: a single one is shorter than what the clock of some machines can tell.
    const twentiethMs = leastMs((part) => void Array.from({ length: 20 }, () => scan(part)), twentieth) / 20
    wholeMs = leastMs(scan, text)
    problem = findProblem(twentiethMs, wholeMs)
    if (problem === null) break
  }
  return { ms: wholeMs, problem }
}

/**
 * Linear time takes 20 times as long, its square 400 times. The limit lies far from both, because a large text also leaves the processor's cache
 * and fills the heap, and a busy machine makes that dearer.
 */
function findProblem(twentiethMs: number, wholeMs: number): string | null {
  if (wholeMs > limitMs) return `${wholeMs} ms`
  // Below the aim, or half a millisecond, the noise is larger than the difference.
  if (wholeMs < aimMs || wholeMs / Math.max(twentiethMs, 0.5) < 80) return null
  return `${twentiethMs} ms for a twentieth, ${wholeMs} ms for the whole`
}

test('the table of all scanners', () => {
  const lines = table
    .toSorted((one, other) => other.ms - one.ms)
    .map(({ name, unit, ms }) => `${ms.toFixed(1).padStart(7)} ms  ${name}  ${JSON.stringify(unit)}`)
  console.log(lines.join('\n'))
  const slow = table.filter(({ ms }) => ms > aimMs)
  console.log(`${table.length} scanners, ${slow.length} above ${aimMs} ms for 1 MB`)
  expect(table).toHaveLength(textScanners.length)
})

/** Processor time of this thread, so that a busy machine does not fail a test. */
function measureMs(scan: Scanner['scan'], text: string): number {
  const before = process.threadCpuUsage()
  scan(text)
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

function leastMs(scan: Scanner['scan'], text: string): number {
  return Math.min(...Array.from({ length: 4 }, () => measureMs(scan, text)))
}
