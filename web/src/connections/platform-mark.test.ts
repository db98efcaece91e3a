import { readFileSync } from 'node:fs'
import { marks } from '@carillon/connectors/marks'
import { expect, test } from 'vitest'

const css = readFileSync(new URL('../theme/theme.css', import.meta.url), 'utf8')
const backgrounds = ['canvas', 'surface', 'sunken', 'hover', 'bell-wash', 'rust-wash']

/** The least that WCAG asks for a graphic (1.4.11). */
const leastContrast = 3

test.each([
  ['light', ':root {', 'color'],
  ['dark', ":root[data-theme='dark'] {", 'colorOnDark'],
] as const)('guarantee: every logo can be seen on every background of the %s theme', (_theme, block, key) => {
  const weak = Object.entries(marks).flatMap(([platform, mark]) =>
    backgrounds
      .map((name) => ({ name, ratio: contrast(luminanceOfHex(mark[key]), luminanceOf(block, name)) }))
      .filter(({ ratio }) => ratio < leastContrast)
      .map(({ name, ratio }) => `${platform} on ${name}: ${ratio.toFixed(2)}`),
  )
  expect(weak).toEqual([])
})

function luminanceOf(block: string, name: string): number {
  const values = css.slice(css.indexOf(block))
  const found = new RegExp(`--${name}: oklch\\(([\\d.]+) ([\\d.]+) ([\\d.]+)\\)`).exec(values)
  if (!found) throw new Error(`theme.css has no --${name}`)
  const [lightness, chroma, hue] = found.slice(1).map(Number) as [number, number, number]
  const [a, b] = [chroma * Math.cos((hue * Math.PI) / 180), chroma * Math.sin((hue * Math.PI) / 180)]
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const red = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s
  const green = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s
  const blue = -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s
  return weigh(red, green, blue)
}

function luminanceOfHex(hex: string): number {
  const channels = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
  const [red, green, blue] = channels.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return weigh(red ?? 0, green ?? 0, blue ?? 0)
}

function weigh(red: number, green: number, blue: number): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
}
