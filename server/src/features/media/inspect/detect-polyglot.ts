import { open } from 'node:fs/promises'
import type { FileType } from './detect-file-type.ts'

const endBytes = 66_000
const zipEnd = Buffer.from([0x50, 0x4b, 0x05, 0x06])
const zipEndBytes = 22

/**
 * Finds files that are valid in a second format (polyglots). An image that is also an archive, a PDF or a web page has no honest use:
 * another program might open it in the other format. Videos that phones append to photos are allowed.
 */
export async function detectPolyglot(path: string, { type }: FileType): Promise<string | null> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const head = Buffer.alloc(Math.min(4096, size))
    await file.read(head, 0, head.length, 0)
    const tail = Buffer.alloc(Math.min(endBytes, size))
    await file.read(tail, 0, tail.length, size - tail.length)
    if (isZip(tail)) return 'The file is an archive as well.'
    if (type !== 'document' && head.includes('%PDF-')) return 'The file is a PDF as well.'
    if (type !== 'document' && /<(?:script|html|svg|\?php|!doctype)/i.test(head.toString('latin1')))
      return 'The file is a web page as well.'
    return null
  } finally {
    await file.close()
  }
}

/** A ZIP archive is read from its end: an end record, followed by a comment that reaches exactly to the last byte. */
function isZip(tail: Buffer): boolean {
  for (let at = tail.lastIndexOf(zipEnd); at >= 0; at = at === 0 ? -1 : tail.lastIndexOf(zipEnd, at - 1)) {
    if (at + zipEndBytes > tail.length) continue
    const commentBytes = tail.readUInt16LE(at + 20)
    if (at + zipEndBytes + commentBytes === tail.length) return true
  }
  return false
}
