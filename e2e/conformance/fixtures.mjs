import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { deflateSync } from 'node:zlib'

const SIDE = 640 // platforms refuse tiny pictures

function crc32(bytes) {
  let crc = ~0
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return ~crc >>> 0
}

export function png(seed = 0) {
  const chunk = (name, data) => {
    const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
    const [length, crc] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    crc.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, crc])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(SIDE, 0)
  header.writeUInt32BE(SIDE, 4)
  header.set([8, 2, 0, 0, 0], 8) // 8 bits, RGB
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(SIDE * 3, (seed * 37) & 0xff)])
  const pixels = Buffer.concat(Array.from({ length: SIDE }, () => row))
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** A grey square: every 8×8 block is "no DC change, end of block", two zero bits under these one-code tables. */
export function jpeg() {
  const segment = (marker, bytes) => Buffer.from([0xff, marker, (bytes.length + 2) >> 8, (bytes.length + 2) & 0xff, ...bytes])
  const oneCode = (id) => segment(0xc4, [id, 1, ...Array(15).fill(0), 0])
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, [...Buffer.from('JFIF\0', 'latin1'), 1, 1, 0, 0, 1, 0, 1, 0, 0]),
    segment(0xdb, [0, ...Array(64).fill(1)]),
    segment(0xc0, [8, SIDE >> 8, SIDE & 0xff, SIDE >> 8, SIDE & 0xff, 1, 1, 0x11, 0]),
    oneCode(0x00),
    oneCode(0x10),
    segment(0xda, [1, 1, 0, 0, 63, 0]),
    Buffer.alloc(((SIDE / 8) ** 2 * 2) / 8),
    Buffer.from([0xff, 0xd9]),
  ])
}

export function pdf(text = 'conformance') {
  const stream = `BT /F1 24 Tf 72 720 Td (${text}) Tj ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let file = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const at = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return at
  })
  const xref = file.length
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')}`
  return Buffer.from(`${file}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${xref}\n%%EOF\n`, 'latin1')
}

/** Three seconds of picture and silence, or undefined where ffmpeg is not installed. */
export async function mp4() {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'))
  try {
    const file = join(folder, 'clip.mp4')
    await promisify(execFile)(
      'ffmpeg',
      [
        '-v',
        'error',
        '-f',
        'lavfi',
        '-i',
        'testsrc=size=720x1280:rate=30',
        '-f',
        'lavfi',
        '-i',
        'anullsrc=r=48000',
        '-t',
        '3',
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
        file,
      ],
      { timeout: 30_000 },
    )
    return readFileSync(file)
  } catch {
    return undefined
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export const svg = () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>1</script></svg>')

/** FormData from [name, value] pairs; a value {bytes, name, type} becomes a file part. */
export function formOf(...parts) {
  const form = new FormData()
  for (const [name, value] of parts) {
    if (value?.bytes) form.append(name, new File([value.bytes], value.name, { type: value.type }))
    else form.append(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  return form
}
