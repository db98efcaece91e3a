import { open, type FileHandle } from 'node:fs/promises'

const boxesMax = 10_000

/**
 * Finds MP4 and MOV files that were cut off or have other data appended. Such a file is a sequence of boxes, each with its length, so only
 * the headers of the boxes are read. ffprobe does not notice this: it accepts a file with an intact index.
 */
export async function checkBoxes(path: string): Promise<string | null> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const seen = new Set<string>()
    let offset = 0
    for (let n = 0; n < boxesMax && offset < size; n++) {
      const box = await readBox(file, offset, size)
      if (!box || box.length < 8) return 'The video is damaged.'
      if (offset + box.length > size) return 'The video is cut off: its end is missing.'
      seen.add(box.name)
      offset += box.length
    }
    if (offset !== size) return 'The video is damaged.'
    if (!seen.has('moov')) return 'The video is cut off: its index is missing.'
    return null
  } finally {
    await file.close()
  }
}

async function readBox(file: FileHandle, offset: number, size: number): Promise<{ name: string; length: number } | null> {
  const head = Buffer.alloc(16)
  const { bytesRead } = await file.read(head, 0, 16, offset)
  if (bytesRead < 8) return null
  const name = head.toString('latin1', 4, 8)
  if (!/^[\x20-\x7e\xa9]{4}$/.test(name)) return null
  const short = head.readUInt32BE(0)
  // 0 means "to the end of the file"; 1 means that a 64-bit length follows.
  if (short === 0) return { name, length: size - offset }
  if (short > 1) return { name, length: short }
  return bytesRead === 16 ? { name, length: Number(head.readBigUInt64BE(8)) } : null
}
