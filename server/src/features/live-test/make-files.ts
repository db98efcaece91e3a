import { crc32, deflateSync } from 'node:zlib'
import type { MediaRules } from '@carillon/contract'
import { testVideo } from './test-video.data.ts'

export type TestFile = { name: string; mimeType: string; bytes: Uint8Array<ArrayBuffer> }

const side = 1080

/** A square of stripes, about 10 kB. Its format is changed for platforms that do not accept PNG, like that of every picture. */
export function makePicture(number: number): TestFile {
  const stripe = (y: number) => [0x33, 0x66 + number * 20, Math.floor((y * 12) / side) % 2 === 0 ? 0x99 : 0xcc]
  const lines = Array.from({ length: side }, (_, y) =>
    Buffer.concat([Buffer.from([0]), Buffer.alloc(side * 3, Buffer.from(stripe(y)))]),
  )
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const chunks = [chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.concat(lines))), chunk('IEND', Buffer.alloc(0))]
  return { name: `live-test-${number}.png`, mimeType: 'image/png', bytes: copy(Buffer.concat([signature, ...chunks])) }
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** The video is smaller than some platforms accept, so it ends with a `free` box, which players skip. */
export function makeVideo({ bytesMin }: Pick<MediaRules, 'bytesMin'>): TestFile {
  const film = Buffer.from(testVideo, 'base64')
  const padding = Buffer.alloc(Math.max((bytesMin ?? 0) + 1024 - film.length, 8))
  padding.writeUInt32BE(padding.length, 0)
  padding.write('free', 4, 'latin1')
  const isLarge = bytesMin === null || film.length > bytesMin
  return { name: 'live-test.mp4', mimeType: 'video/mp4', bytes: copy(isLarge ? film : Buffer.concat([film, padding])) }
}

/** One page with a line of text. */
export function makeDocument(): TestFile {
  const text = 'BT /F1 18 Tf 40 150 Td (Carillon live test) Tj ET'
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
    `<</Length ${text.length}>>stream\n${text}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ]
  let file = '%PDF-1.4\n'
  const offsets = objects.map((object, n) => {
    const at = file.length
    file += `${n + 1} 0 obj${object}endobj\n`
    return `${String(at).padStart(10, '0')} 00000 n \n`
  })
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`
  const end = `trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${file.length}\n%%EOF\n`
  return { name: 'live-test.pdf', mimeType: 'application/pdf', bytes: copy(Buffer.from(file + table + end, 'latin1')) }
}

function copy(bytes: Buffer): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes)
}
