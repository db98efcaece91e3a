import { crc32, deflateSync } from 'node:zlib'

type Bytes = Uint8Array<ArrayBuffer>

/** The fields of an IHDR chunk. The default is 8 bits each of red, green and blue, not interlaced. */
export type PngHead = { width: number; height: number; colours?: 'rgb' | 'grey'; isInterlaced?: boolean }

/** An image of one colour, which `seed` chooses. */
export function makePng(seed = 0, width = 400, height = width): Bytes {
  const line = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, (seed * 41) % 256)])
  return pngOf({ width, height }, deflateSync(Buffer.concat(Array.from({ length: height }, () => line))))
}

/** A PNG with this header, which need not match its pixels. */
export function pngOf(
  { width, height, colours = 'rgb', isInterlaced = false }: PngHead,
  pixels: Buffer,
  more: Buffer[] = [],
): Bytes {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, colours === 'rgb' ? 2 : 0, 0, 0, isInterlaced ? 1 : 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return new Uint8Array(
    Buffer.concat([signature, pngChunk('IHDR', header), ...more, pngChunk('IDAT', pixels), pngChunk('IEND', Buffer.alloc(0))]),
  )
}

export function pngChunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
