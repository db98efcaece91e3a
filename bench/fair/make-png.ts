import { randomBytes } from 'node:crypto'
import { crc32, createDeflate } from 'node:zlib'

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const bytesPerPixel = 3

/** The chunks of a black RGB picture without the last one. Black compresses to almost nothing, but a decoder must fill every pixel. */
export async function makePngStart(width: number, height: number): Promise<Buffer> {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // 8 bits for each of red, green and blue.
  header.set([8, 2, 0, 0, 0], 8)
  const pixels = createDeflate({ level: 1 })
  const compressed: Buffer[] = []
  pixels.on('data', (chunk: Buffer) => compressed.push(chunk))
  const line = Buffer.alloc(1 + width * bytesPerPixel)
  const ended = new Promise((done, fail) => pixels.once('end', done).once('error', fail))
  for (let y = 0; y < height; y++) {
    if (!pixels.write(line)) await new Promise((done) => pixels.once('drain', done))
  }
  pixels.end()
  await ended
  return Buffer.concat([signature, chunkOf('IHDR', header), chunkOf('IDAT', Buffer.concat(compressed))])
}

/** Completes a picture with a random comment, so that no two files are equal. */
export function completePng(start: Buffer): Buffer {
  const comment = Buffer.from(`Comment\0${randomBytes(8).toString('hex')}`, 'latin1')
  return Buffer.concat([start, chunkOf('tEXt', comment), chunkOf('IEND', Buffer.alloc(0))])
}

function chunkOf(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}
