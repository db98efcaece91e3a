import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'

// Makes media for tests, so that no binary files are committed.

const run = promisify(execFile)

export function makePhoto({ width = 640, height = 480, gps = false } = {}): Promise<Buffer> {
  // Noise, so that the file size depends on quality and dimensions.
  const noise = {
    create: {
      width,
      height,
      channels: 3 as const,
      background: '#468',
      noise: { type: 'gaussian' as const, mean: 128, sigma: 40 },
    },
  }
  const picture = sharp(noise).jpeg({ quality: 90 })
  if (!gps) return picture.toBuffer()
  const place = { GPSLatitudeRef: 'N', GPSLatitude: '48/1 51/1 30/1', GPSLongitudeRef: 'E', GPSLongitude: '2/1 17/1 40/1' }
  return picture
    .withExif({ IFD0: { Make: 'Test' }, IFD3: place })
    .withMetadata({ orientation: 6 })
    .toBuffer()
}

export function makePng({ width = 320, height = 240, alpha = false } = {}): Promise<Buffer> {
  const background = alpha ? { r: 10, g: 80, b: 160, alpha: 0.5 } : '#136'
  return sharp({ create: { width, height, channels: alpha ? 4 : 3, background } })
    .png()
    .toBuffer()
}

/** Nine megabytes of random pixels, which cannot be compressed. */
export function makeLargePng(): Promise<Buffer> {
  const raw = { width: 2000, height: 1500, channels: 3 as const }
  return sharp(randomBytes(raw.width * raw.height * raw.channels), { raw })
    .png({ compressionLevel: 0 })
    .toBuffer()
}

/** A decompression bomb: a small file whose header declares a huge image. */
export function makePngBomb(side: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const pixels = deflateSync(Buffer.alloc(1_000_000))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** An animation of one blinking pixel. */
export function makeGif({ width = 16, height = 16, frames = 3 } = {}): Buffer {
  const head = Buffer.from('GIF89a', 'latin1')
  const screen = Buffer.alloc(7)
  screen.writeUInt16LE(width, 0)
  screen.writeUInt16LE(height, 2)
  screen[4] = 0x80
  const colours = Buffer.from([0, 0, 0, 255, 255, 255])
  const frame = (at: number) =>
    Buffer.concat([
      Buffer.from([0x21, 0xf9, 4, 0, 10, 0, 0, 0]),
      Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0]),
      Buffer.from([2, 2, at % 2 === 0 ? 0x44 : 0x4c, 0x01, 0]),
    ])
  return Buffer.concat([head, screen, colours, ...Array.from({ length: frames }, (_, at) => frame(at)), Buffer.from([0x3b])])
}

export function makePdf({ pages = 1 } = {}): Buffer {
  const kids = Array.from({ length: pages }, (_, at) => `${at + 3} 0 R`).join(' ')
  const page = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>'
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages} >>`,
    ...Array<string>(pages).fill(page),
  ]
  let file = '%PDF-1.4\n'
  const offsets = objects.map((object, at) => {
    const offset = file.length
    file += `${at + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const table = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  const end = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`
  return Buffer.from(`${file}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}${end}`, 'latin1')
}

/** An empty ZIP archive. */
export function makeZip(): Buffer {
  const end = Buffer.alloc(22)
  end.set([0x50, 0x4b, 0x05, 0x06])
  return end
}

export type ClipOptions = { path: string; size?: string; seconds?: number; codec?: string[]; more?: string[] }

/** A moving test pattern with a tone. */
export async function makeClip({ path, size = '320x240', seconds = 2, codec, more = [] }: ClipOptions): Promise<string> {
  const card = ['-f', 'lavfi', '-i', `testsrc=size=${size}:rate=15`, '-f', 'lavfi', '-i', 'sine', '-t', String(seconds)]
  const encode = codec ?? [
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-pix_fmt',
    'yuv420p',
    '-c:a',
    'aac',
    '-movflags',
    '+faststart',
  ]
  await run('ffmpeg', ['-v', 'error', '-y', ...card, ...encode, ...more, path])
  return path
}
