import { expect, test } from 'vitest'
import { plot } from './plot.ts'

const lines = [{ name: 'a < b & c', points: [1, 2, 3].map((minute) => ({ minute, value: minute * 10 })) }]
const panel = { title: 'Memory', unit: ' MB', lines }

test('the diagram has one line for each series, escapes names, and works on light and dark pages', () => {
  const svg = plot({ title: 'Soak', minutes: 3, warmUpMinutes: 1, panels: [panel, panel], firings: [] })
  expect(svg.match(/<polyline/g)).toHaveLength(2)
  expect(svg).toContain('a &lt; b &amp; c')
  expect(svg).toContain('prefers-color-scheme: dark')
  expect(svg).not.toContain('NaN')
})

test('a panel without values and a time in which an alert fired are drawn', () => {
  const firings = [{ alert: 'A', labels: '', fromMinute: 1, toMinute: 2 }]
  const svg = plot({ title: 'Soak', minutes: 3, warmUpMinutes: 1, panels: [{ ...panel, lines: [] }], firings })
  expect(svg).toContain('class="alert"')
  expect(svg).not.toContain('NaN')
})
