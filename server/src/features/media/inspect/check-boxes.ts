import { open, type FileHandle } from 'node:fs/promises'

const boxesMax = 10_000

/**
 * An MP4 or MOV is a row of boxes, each with its length. A file that was cut off, or has something strange appended, shows here without
 * reading more than the boxes' heads; ffprobe would be content with a good index alone.
 */
export async function checkBoxes(path: string): Promise<string | null> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const seen = new Set<string>()
    let at = 0
    for (let n = 0; n < boxesMax && at < size; n++) {
      const box = await readBox(file, at, size)
      if (!box || box.length < 8) return 'The video is damaged.'
      if (at + box.length > size) return 'The video is cut off: its end is missing.'
      seen.add(box.name)
      at += box.length
    }
    if (at !== size) return 'The video is damaged.'
    if (!seen.has('moov')) return 'The video is cut off: its index is missing.'
    return null
  } finally {
    await file.close()
  }
}

async function readBox(file: FileHandle, at: number, size: number): Promise<{ name: string; length: number } | null> {
  const head = Buffer.alloc(16)
  const { bytesRead } = await file.read(head, 0, 16, at)
  if (bytesRead < 8) return null
  const name = head.toString('latin1', 4, 8)
  if (!/^[\x20-\x7e\xa9]{4}$/.test(name)) return null
  const short = head.readUInt32BE(0)
  // 0 means "to the end of the file", 1 that the length has 64 bits and follows.
  if (short === 0) return { name, length: size - at }
  if (short > 1) return { name, length: short }
  return bytesRead === 16 ? { name, length: Number(head.readBigUInt64BE(8)) } : null
}
