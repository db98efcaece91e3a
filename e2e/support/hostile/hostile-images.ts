import { createDeflate } from 'node:zlib'
import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { makePng, pngChunk, pngOf } from '../png.ts'

type Bytes = Uint8Array<ArrayBuffer>
export type HostileFile = readonly [what: string, make: () => Promise<Bytes> | Bytes]

const textBytes = (text: string, encoding: BufferEncoding = 'utf8'): Bytes => new Uint8Array(Buffer.from(text, encoding))
const joinBytes = (...parts: Uint8Array[]): Bytes => new Uint8Array(Buffer.concat(parts))

/** This many zero bytes, compressed. */
export function compressedZeros(bytes: number): Promise<Buffer> {
  const block = Buffer.alloc(1 << 20)
  const blocks = function* () {
    for (let left = bytes; left > 0; left -= block.length) yield block.subarray(0, Math.min(left, block.length))
  }
  return buffer(Readable.from(blocks()).pipe(createDeflate({ level: 6 })))
}

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
/** An empty ZIP archive. ZIP readers look for it at the end of a file, whatever comes before. */
const zip = joinBytes(Buffer.from('504b0506', 'hex'), Buffer.alloc(18))

/** Images that are built to exhaust the program that opens them, and files that are not images. */
export const hostileImages: readonly HostileFile[] = [
  ['a PNG of 65,000 × 65,000 pixels', async () => pngOf({ width: 65_000, height: 65_000 }, await compressedZeros(1_000_000))],
  ['a PNG that unpacks to 363 MB', async () => pngOf({ width: 11_000, height: 11_000 }, await compressedZeros(33_001 * 11_000))],
  [
    'an interlaced PNG, which needs all of its rows in memory',
    async () => pngOf({ width: 9900, height: 9900, isInterlaced: true }, await compressedZeros(1_000_000)),
  ],
  ['a GIF of 10,000 frames', () => makeGif({ side: 16, frames: 10_000 })],
  ['a GIF of 65,535 × 65,535 pixels', () => makeGif({ side: 65_535, frames: 1 })],
  ['a WebP of 16,384 × 16,384 pixels', () => makeWebp(16_384)],
  ['SVG', () => textBytes(svg)],
  ['SVG after a prolog', () => textBytes(`<?xml version="1.0"?>\n<!DOCTYPE svg>\n${svg}`)],
  ['SVG after a byte order mark', () => textBytes(`\ufeff  \n${svg}`)],
  ['SVG in UTF-16', () => textBytes(`\ufeff${svg}`, 'utf16le')],
  ['a ZIP archive', () => zip],
  ['a PNG that is also a ZIP archive', () => joinBytes(makePng(), zip)],
  [
    'a GIF that is also a script',
    () => joinBytes(Buffer.from('GIF89a/*<script>'), Buffer.alloc(50), makeGif({ side: 1, frames: 1 })),
  ],
  ['a PNG that is also an HTML page', () => withText('<html><script>alert(1)</script></html>')],
  ['a PNG that is also a PDF', () => withText('%PDF-1.7\n1 0 obj<<>>endobj')],
]

/** Images that are expensive to open but may be harmless: they may be accepted, within the same limits of time and memory. */
export const heavyImages: readonly HostileFile[] = [
  ['98 megapixels', async () => pngOf({ width: 9900, height: 9900, colours: 'grey' }, await compressedZeros(9901 * 9900))],
  [
    'a PNG whose text unpacks to 500 MB',
    async () => {
      const text = Buffer.concat([Buffer.from('Comment\0\0', 'latin1'), await compressedZeros(500_000_000)])
      return pngOf({ width: 1, height: 1 }, await compressedZeros(4), [pngChunk('zTXt', text)])
    },
  ],
]

function withText(text: string): Bytes {
  const note = pngChunk('tEXt', Buffer.from(`Comment\0${text}`, 'latin1'))
  const png = Buffer.from(makePng())
  return joinBytes(png.subarray(0, 33), note, png.subarray(33))
}

function makeGif({ side, frames }: { side: number; frames: number }): Bytes {
  const screen = Buffer.alloc(7)
  screen.writeUInt16LE(side, 0)
  screen.writeUInt16LE(side, 2)
  screen[4] = 0x80
  const frame = Buffer.from('21f904000a0000002c0000000001000100000202440100', 'hex')
  // A large screen also gets frames of its own size.
  if (side > 1000) screen.copy(frame, 13, 0, 4)
  const colours = Buffer.from([0, 0, 0, 255, 255, 255])
  return joinBytes(Buffer.from('GIF89a'), screen, colours, ...Array<Buffer>(frames).fill(frame), Buffer.from([0x3b]))
}

function makeWebp(side: number): Bytes {
  const canvas = Buffer.alloc(18)
  canvas.write('VP8X', 0, 'latin1')
  canvas.writeUInt32LE(10, 4)
  canvas.writeUIntLE(side - 1, 12, 3)
  canvas.writeUIntLE(side - 1, 15, 3)
  // An image of one pixel on that canvas.
  const dot = Buffer.from('5650384c0d0000002f00000010071011118888fe0700', 'hex')
  const head = Buffer.alloc(12)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(4 + canvas.length + dot.length, 4)
  head.write('WEBP', 8, 'latin1')
  return joinBytes(head, canvas, dot)
}
