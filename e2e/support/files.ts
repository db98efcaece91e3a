import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { deflateSync } from 'node:zlib'
import { pdfOf } from './pdf.ts'
import { pngOf } from './png.ts'

export { makePng } from './png.ts'

// Test media are created when they are needed, so that no binaries are committed.

type Bytes = Uint8Array<ArrayBuffer>

/** Random pixels, which no compression makes smaller: about 19 MB. */
export function makeLargePng(): Bytes {
  const side = 2500
  const lines = Array.from({ length: side }, () => Buffer.concat([Buffer.from([0]), randomBytes(side * 3)]))
  return pngOf({ width: side, height: side }, deflateSync(Buffer.concat(lines), { level: 0 }))
}

/** One empty page. */
export function makePdf(): Bytes {
  return pdfOf(
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]>>',
  )
}

/** A video of a test picture with two seconds of silence, or more. With a smaller `pictureSeconds` the pictures end before the sound. */
export async function makeMp4({
  seconds = 2,
  pictureSeconds = seconds,
}: { seconds?: number; pictureSeconds?: number } = {}): Promise<Bytes> {
  const dir = await mkdtemp(join(tmpdir(), 'carillon-e2e-'))
  try {
    const file = join(dir, 'clip.mp4')
    const picture = [
      '-f',
      'lavfi',
      '-i',
      `testsrc=size=720x1280:rate=30:duration=${pictureSeconds}`,
      '-f',
      'lavfi',
      '-i',
      'anullsrc=r=48000',
      '-t',
      String(seconds),
    ]
    const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-movflags', '+faststart']
    await promisify(execFile)('ffmpeg', ['-v', 'error', ...picture, ...coding, file])
    return copy(await readFile(file))
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

/** Makes the file of a video larger with a `free` box, which players skip. */
export function padMp4(film: Bytes, sizeBytes: number): Bytes {
  const padding = Buffer.alloc(sizeBytes - film.length)
  padding.writeUInt32BE(padding.length, 0)
  padding.write('free', 4, 'latin1')
  return copy(Buffer.concat([film, padding]))
}

/** A JPEG with GPS coordinates in its EXIF data: a file from ffmpeg with an APP1 segment inserted after its start. */
export async function makeJpegWithGps(): Promise<Bytes> {
  const dir = await mkdtemp(join(tmpdir(), 'carillon-e2e-'))
  try {
    const file = join(dir, 'photo.jpg')
    await promisify(execFile)('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc=size=640x480', '-frames:v', '1', file])
    const photo = await readFile(file)
    return copy(Buffer.concat([photo.subarray(0, 2), gpsSegment(), photo.subarray(2)]))
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

function gpsSegment(): Buffer {
  const entry = (tag: number, type: number, count: number, value: number) => {
    const bytes = Buffer.alloc(12)
    bytes.writeUInt16BE(tag, 0)
    bytes.writeUInt16BE(type, 2)
    bytes.writeUInt32BE(count, 4)
    bytes.writeUInt32BE(value, 8)
    return bytes
  }
  const directory = (entries: Buffer[]) => Buffer.concat([Buffer.from([0, entries.length]), ...entries, Buffer.alloc(4)])
  const head = Buffer.from('4d4d002a00000008', 'hex')
  const first = directory([entry(0x8825, 4, 1, 26)])
  const place = directory([entry(1, 2, 2, 0x4e000000), entry(2, 5, 3, 26 + 30)])
  const numbers = Buffer.alloc(24)
  for (const [n, value] of [48, 1, 51, 1, 30, 1].entries()) numbers.writeUInt32BE(value, n * 4)
  const body = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), head, first, place, numbers])
  const length = Buffer.alloc(2)
  length.writeUInt16BE(body.length + 2)
  return Buffer.concat([Buffer.from([0xff, 0xe1]), length, body])
}

export function fileOf(bytes: Bytes, name: string, type = 'application/octet-stream'): File {
  return new File([bytes], name, { type })
}

/** A form of `[name, value]` parts. A value that is neither a string nor a file is sent as JSON. */
export function formOf(...parts: [string, unknown][]): FormData {
  const form = new FormData()
  for (const [name, value] of parts) {
    if (value instanceof File) form.append(name, value)
    else form.append(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  return form
}

function copy(buffer: Buffer): Bytes {
  return new Uint8Array(buffer)
}
