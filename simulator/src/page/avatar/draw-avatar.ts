import { encodePng } from './encode-png.ts'
import { glyphs } from './glyphs.data.ts'

type Point = { x: number; y: number }
type Segment = { from: Point; to: Point }

const side = 128
const letterHeight = 44
const strokeWidth = 8
const glyphWidth = 4
const glyphHeight = 6
const gap = 2

/** A picture with the initials of a handle. The same handle always has the same colour. Platforms do not serve SVG, so it is a PNG. */
export function drawAvatar(handle: string): Buffer {
  const ink = drawLines(placeInitials(initialsOf(handle)))
  const [red, green, blue] = toRgb(hueOf(handle))
  const pixels = new Uint8Array(side * side * 3)
  for (let at = 0; at < ink.length; at++) {
    const share = ink[at] ?? 0
    pixels[at * 3] = red + (255 - red) * share
    pixels[at * 3 + 1] = green + (255 - green) * share
    pixels[at * 3 + 2] = blue + (255 - blue) * share
  }
  return encodePng(side, side, pixels)
}

/** The first letters of the first two words. Letters without a glyph are left out, so the picture may be plain. */
function initialsOf(handle: string): string[] {
  const plain = handle.normalize('NFD').toUpperCase()
  const words = plain.match(/[\p{L}\p{N}]+/gu) ?? []
  const [first = '', second = ''] = words
  return [first[0] ?? '', second[0] ?? first[1] ?? ''].filter((letter) => letter in glyphs)
}

function hueOf(handle: string): number {
  let hue = 0
  for (const character of handle) hue = (hue * 31 + (character.codePointAt(0) ?? 0)) % 360
  return hue
}

/** A colour of this hue on which white letters are readable. */
function toRgb(hue: number): [number, number, number] {
  const [saturation, lightness] = [0.45, 0.38]
  const amplitude = saturation * Math.min(lightness, 1 - lightness)
  const channel = (shift: number) => {
    const step = (shift + hue / 30) % 12
    return 255 * (lightness - amplitude * Math.max(-1, Math.min(step - 3, 9 - step, 1)))
  }
  return [channel(0), channel(8), channel(4)]
}

/** The lines of the letters, centred in the picture. */
function placeInitials(letters: readonly string[]): Segment[] {
  const scale = letterHeight / glyphHeight
  const width = (letters.length * glyphWidth + (letters.length - 1) * gap) * scale
  const top = (side - letterHeight) / 2
  return letters.flatMap((letter, at) => {
    const left = (side - width) / 2 + at * (glyphWidth + gap) * scale
    const place = (point: string): Point => {
      const [x = 0, y = 0] = point.split(',').map(Number)
      return { x: left + x * scale, y: top + y * scale }
    }
    return (glyphs[letter] ?? '').split('|').flatMap((line) => segmentsOf(line.split(' ').map(place)))
  })
}

function segmentsOf(points: readonly Point[]): Segment[] {
  return points.slice(1).map((to, at) => ({ from: points[at] ?? to, to }))
}

/** How much of each pixel the lines cover, from 0 to 1. Only the pixels near a line are computed. */
function drawLines(segments: readonly Segment[]): Float32Array {
  const ink = new Float32Array(side * side)
  const radius = strokeWidth / 2
  const clamp = (value: number) => Math.max(0, Math.min(side - 1, Math.round(value)))
  for (const segment of segments) {
    const { from, to } = segment
    const [left, right] = [clamp(Math.min(from.x, to.x) - radius - 1), clamp(Math.max(from.x, to.x) + radius + 1)]
    const [top, bottom] = [clamp(Math.min(from.y, to.y) - radius - 1), clamp(Math.max(from.y, to.y) + radius + 1)]
    for (let y = top; y <= bottom; y++) {
      for (let x = left; x <= right; x++) {
        const share = Math.max(0, Math.min(1, radius + 0.5 - distance({ x: x + 0.5, y: y + 0.5 }, segment)))
        const at = y * side + x
        if (share > (ink[at] ?? 0)) ink[at] = share
      }
    }
  }
  return ink
}

function distance({ x, y }: Point, { from, to }: Segment): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const length = dx * dx + dy * dy
  const share = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - from.x) * dx + (y - from.y) * dy) / length))
  return Math.sqrt((x - from.x - share * dx) ** 2 + (y - from.y - share * dy) ** 2)
}
