import { createDeflate } from 'node:zlib'
import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { makePng, pngChunk, pngOf } from './png.ts'

type Bytes = Uint8Array<ArrayBuffer>
export type Hostile = readonly [what: string, make: () => Promise<Bytes> | Bytes]

const words = (text: string, encoding: BufferEncoding = 'utf8'): Bytes => new Uint8Array(Buffer.from(text, encoding))
const joined = (...parts: Uint8Array[]): Bytes => new Uint8Array(Buffer.concat(parts))

/** Nothing, as often as wanted, pressed into very little. */
export function pressedZeros(bytes: number): Promise<Buffer> {
  const block = Buffer.alloc(1 << 20)
  const blocks = function* () {
    for (let left = bytes; left > 0; left -= block.length) yield block.subarray(0, Math.min(left, block.length))
  }
  return buffer(Readable.from(blocks()).pipe(createDeflate({ level: 6 })))
}

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
/** An archive with nothing in it, which other programs find at the end of any file. */
const zip = joined(Buffer.from('504b0506', 'hex'), Buffer.alloc(18))

/** Pictures built to hurt whoever opens them, and what is no picture. */
export const hostileImages: readonly Hostile[] = [
  ['a PNG of 65,000 × 65,000 pixels', async () => pngOf({ width: 65_000, height: 65_000 }, await pressedZeros(1_000_000))],
  ['a PNG that unpacks to 363 MB', async () => pngOf({ width: 11_000, height: 11_000 }, await pressedZeros(33_001 * 11_000))],
  [
    'a PNG that wants all its rows in memory',
    async () => pngOf({ width: 9900, height: 9900, isInterlaced: true }, await pressedZeros(1_000_000)),
  ],
  ['a GIF of 10,000 frames', () => makeGif({ side: 16, frames: 10_000 })],
  ['a GIF of 65,535 × 65,535 pixels', () => makeGif({ side: 65_535, frames: 1 })],
  ['a WebP of 16,384 × 16,384 pixels', () => makeWebp(16_384)],
  ['SVG', () => words(svg)],
  ['SVG after a prolog', () => words(`<?xml version="1.0"?>\n<!DOCTYPE svg>\n${svg}`)],
  ['SVG after a byte order mark', () => words(`\ufeff  \n${svg}`)],
  ['SVG in UTF-16', () => words(`\ufeff${svg}`, 'utf16le')],
  ['an archive', () => zip],
  ['a PNG that is an archive too', () => joined(makePng(), zip)],
  [
    'a GIF that is a script too',
    () => joined(Buffer.from('GIF89a/*<script>'), Buffer.alloc(50), makeGif({ side: 1, frames: 1 })),
  ],
  ['a PNG that is a page too', () => withText('<html><script>alert(1)</script></html>')],
  ['a PNG that is a PDF too', () => withText('%PDF-1.7\n1 0 obj<<>>endobj')],
]

/** Hard to open, and perhaps innocent: they may be taken, but must cost no more. */
export const heavyImages: readonly Hostile[] = [
  ['98 megapixels', async () => pngOf({ width: 9900, height: 9900, colours: 'grey' }, await pressedZeros(9901 * 9900))],
  [
    'a PNG whose text unpacks to 500 MB',
    async () => {
      const text = Buffer.concat([Buffer.from('Comment\0\0', 'latin1'), await pressedZeros(500_000_000)])
      return pngOf({ width: 1, height: 1 }, await pressedZeros(4), [pngChunk('zTXt', text)])
    },
  ],
]

function withText(text: string): Bytes {
  const note = pngChunk('tEXt', Buffer.from(`Comment\0${text}`, 'latin1'))
  const png = Buffer.from(makePng())
  return joined(png.subarray(0, 33), note, png.subarray(33))
}

function makeGif({ side, frames }: { side: number; frames: number }): Bytes {
  const screen = Buffer.alloc(7)
  screen.writeUInt16LE(side, 0)
  screen.writeUInt16LE(side, 2)
  screen[4] = 0x80
  const frame = Buffer.from('21f904000a0000002c0000000001000100000202440100', 'hex')
  // Small screens have small pictures on them, and great ones great.
  if (side > 1000) screen.copy(frame, 13, 0, 4)
  const colours = Buffer.from([0, 0, 0, 255, 255, 255])
  return joined(Buffer.from('GIF89a'), screen, colours, ...Array<Buffer>(frames).fill(frame), Buffer.from([0x3b]))
}

function makeWebp(side: number): Bytes {
  const canvas = Buffer.alloc(18)
  canvas.write('VP8X', 0, 'latin1')
  canvas.writeUInt32LE(10, 4)
  canvas.writeUIntLE(side - 1, 12, 3)
  canvas.writeUIntLE(side - 1, 15, 3)
  // A picture of one pixel on that canvas.
  const dot = Buffer.from('5650384c0d0000002f00000010071011118888fe0700', 'hex')
  const head = Buffer.alloc(12)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(4 + canvas.length + dot.length, 4)
  head.write('WEBP', 8, 'latin1')
  return joined(head, canvas, dot)
}
