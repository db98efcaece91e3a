import { crc32, deflateSync } from 'node:zlib'

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Encodes a picture of 8-bit RGB pixels. */
export function encodePng(width: number, height: number, pixels: Uint8Array): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // 8 bits for each of three channels; compression, filter and interlace methods are 0.
  header.set([8, 2, 0, 0, 0], 8)
  const lineBytes = width * 3
  // Every line begins with the number of its filter, and 0 is no filter.
  const lines = Buffer.alloc((lineBytes + 1) * height)
  for (let y = 0; y < height; y++) lines.set(pixels.subarray(y * lineBytes, (y + 1) * lineBytes), y * (lineBytes + 1) + 1)
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(lines)), chunk('IEND', Buffer.alloc(0))])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}
