import type { Firing } from './watch-alerts.ts'

type Line = { name: string; points: { minute: number; value: number }[] }
export type Panel = { title: string; unit: string; lines: Line[] }

type Options = { title: string; minutes: number; warmUpMinutes: number; panels: readonly Panel[]; firings: readonly Firing[] }

const [panelWidth, panelHeight, plotHeight] = [560, 290, 150]
const [left, top, plotWidth] = [64, 34, 480]
const columns = 2
const headHeight = 64
const legendColumns = 2
const legendLineHeight = 15
const linesMax = 8

/** The page may be light or dark; the colours have enough contrast on both backgrounds. */
const style = `
  svg { background: #fff; color: #1f2328; font: 12px system-ui, sans-serif }
  .line { fill: none; stroke-width: 1.6; stroke-linejoin: round }
  .grid { stroke: #d0d7de } .mark { stroke: #9a6700; stroke-dasharray: 4 3 } .alert { fill: #cf222e; opacity: .18 }
  text { fill: currentColor } .small { font-size: 11px; fill: #57606a } .title { font-weight: 600 }
  .c0 { stroke: #0969da } .c1 { stroke: #cf222e } .c2 { stroke: #1a7f37 } .c3 { stroke: #8250df }
  .c4 { stroke: #bc4c00 } .c5 { stroke: #1b7c83 } .c6 { stroke: #bf3989 } .c7 { stroke: #6e7781 }
  @media (prefers-color-scheme: dark) {
    svg { background: #0d1117; color: #e6edf3 }
    .grid { stroke: #30363d } .mark { stroke: #d29922 } .small { fill: #9198a1 } .alert { opacity: .35 }
    .c0 { stroke: #58a6ff } .c1 { stroke: #ff7b72 } .c2 { stroke: #3fb950 } .c3 { stroke: #bc8cff }
    .c4 { stroke: #ffa657 } .c5 { stroke: #39c5cf } .c6 { stroke: #f778ba } .c7 { stroke: #8b949e }
  }`

/** Draws the measured series as small diagrams in one SVG file. The dashed line is the end of the warm-up; red areas are alerts. */
export function plot({ title, minutes, warmUpMinutes, panels, firings }: Options): string {
  const rows = Math.ceil(panels.length / columns)
  const [width, height] = [columns * panelWidth, headHeight + rows * panelHeight]
  const drawn = panels.map((panel, at) => {
    const [x, y] = [(at % columns) * panelWidth, headHeight + Math.floor(at / columns) * panelHeight]
    return `<g transform="translate(${x} ${y})">${drawPanel(panel, { minutes, warmUpMinutes, firings })}</g>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${escape(title)}</title><style>${style}</style>
<text class="title" x="16" y="26">${escape(title)}</text>
<text class="small" x="16" y="46">Dashed: end of the warm-up. Red areas: an alert fired. The horizontal axis is in minutes.</text>
${drawn.join('\n')}
</svg>
`
}

type Frame = Pick<Options, 'minutes' | 'warmUpMinutes' | 'firings'>

function drawPanel({ title, unit, lines }: Panel, { minutes, warmUpMinutes, firings }: Frame): string {
  const shown = lines.filter(({ points }) => points.length > 0).slice(0, linesMax)
  const highest = Math.max(0, ...shown.flatMap(({ points }) => points.map(({ value }) => value)))
  const top100 = niceMax(highest)
  const x = (minute: number) => round1(left + (minute / minutes) * plotWidth)
  const y = (value: number) => round1(top + plotHeight - (value / top100) * plotHeight)
  const parts = [`<text class="title" x="${left}" y="20">${escape(title)}</text>`]
  for (const { fromMinute, toMinute } of firings) {
    const wide = Math.max(1.5, x(toMinute) - x(fromMinute))
    parts.push(`<rect class="alert" x="${x(fromMinute)}" y="${top}" width="${round1(wide)}" height="${plotHeight}"/>`)
  }
  for (const share of [0, 0.5, 1]) {
    const at = y(share * top100)
    parts.push(`<line class="grid" x1="${left}" x2="${left + plotWidth}" y1="${at}" y2="${at}"/>`)
    parts.push(`<text class="small" x="${left - 6}" y="${at + 4}" text-anchor="end">${format(share * top100)}${unit}</text>`)
  }
  for (let n = 0; n <= 4; n++) {
    const minute = (minutes * n) / 4
    parts.push(`<text class="small" x="${x(minute)}" y="${top + plotHeight + 15}" text-anchor="middle">${format(minute)}</text>`)
  }
  parts.push(`<line class="mark" x1="${x(warmUpMinutes)}" x2="${x(warmUpMinutes)}" y1="${top}" y2="${top + plotHeight}"/>`)
  shown.forEach(({ name, points }, at) => {
    const path = points.map(({ minute, value }) => `${x(minute)},${y(value)}`).join(' ')
    parts.push(`<polyline class="line c${at}" points="${path}"/>`, drawLegend(name, at))
  })
  return parts.join('')
}

function drawLegend(name: string, at: number): string {
  const x = left + (at % legendColumns) * (plotWidth / legendColumns)
  const y = top + plotHeight + 34 + Math.floor(at / legendColumns) * legendLineHeight
  return `<line class="line c${at}" x1="${x}" x2="${x + 16}" y1="${y - 4}" y2="${y - 4}"/><text class="small" x="${x + 22}" y="${y}">${escape(name)}</text>`
}

/** The next larger number that is easy to read: 1, 2, 2.5 or 5 times a power of ten. */
function niceMax(value: number): number {
  if (value <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 2.5, 5].find((factor) => value <= factor * power) ?? 10) * power
}

function format(value: number): string {
  return Number.isInteger(value) ? value.toLocaleString('en') : String(Math.round(value * 100) / 100)
}

function round1(value: number): number {
  return Math.round(value * 10) / 10
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
