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
const halves = hostileTexts(sizeBytes / 2)
const probes = hostileTexts(sizeBytes / 20)

type Slowest = { name: string; unit: string; ms: number }
const table: Slowest[] = []

test.each(textScanners)('$name takes linear time', ({ name, scan }) => {
  const slowest: Slowest = { name, unit: '', ms: 0 }
  for (const [index, { unit, text }] of whole.entries()) {
    // A twentieth first: a scanner with quadratic time would need minutes for the whole text.
    const probeMs = measureMs(scan, probes[index]?.text ?? '')
    expect(probeMs, `50 kB of ${JSON.stringify(unit)}`).toBeLessThan(limitMs / 4)
    const ms = measureMs(scan, text)
    if (ms > aimMs) {
      const halfMs = leastMs(scan, halves[index]?.text ?? '')
      const wholeMs = leastMs(scan, text)
      expect(wholeMs / Math.max(halfMs, 5), `growth for ${JSON.stringify(unit)}: ${halfMs} → ${wholeMs} ms`).toBeLessThan(3.2)
      expect(wholeMs, `1 MB of ${JSON.stringify(unit)}`).toBeLessThan(limitMs)
      if (wholeMs > slowest.ms) Object.assign(slowest, { unit, ms: wholeMs })
    } else if (ms > slowest.ms) Object.assign(slowest, { unit, ms })
  }
  table.push(slowest)
})

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
