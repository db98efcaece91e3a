import type { HostileFile } from './hostile-images.ts'

type Bytes = Uint8Array<ArrayBuffer>
type Box = { name: string; start: number; end: number }

/** Videos that are made from a valid one by making its index (the `moov` box) wrong. */
export function hostileVideos(good: Uint8Array): readonly HostileFile[] {
  const clip = Buffer.from(good)
  const boxes = readBoxes(clip)
  const moov = boxes.find(({ name }) => name === 'moov')
  if (!moov) throw new Error('the clip has no index')
  const [before, index] = [clip.subarray(0, moov.start), clip.subarray(moov.start, moov.end)]
  const joinBytes = (...parts: Uint8Array[]): Bytes => new Uint8Array(Buffer.concat(parts))
  return [
    ['an index that never ends', () => joinBytes(before, boxHead('moov', 0), Buffer.alloc(5_000_000, index.subarray(8)))],
    ['an index of eight exabytes', () => joinBytes(before, Buffer.from('000000016d6f6f767fffffffffffffff', 'hex'), index)],
    ['boxes nested 100,000 deep', () => joinBytes(before, nestedBoxes(100_000))],
    ['a million empty boxes', () => joinBytes(before, index, Buffer.alloc(8_000_000, boxHead('free', 8)))],
    ['tables that claim four billion entries', () => joinBytes(before, withHugeTables(index), clip.subarray(moov.end))],
    ['a video without its last byte', () => joinBytes(clip.subarray(0, -1))],
    ['a video followed by an HTML page', () => joinBytes(clip, Buffer.from('<html><script>alert(1)</script>'))],
  ]
}

/** Videos with random changes in the index. The same seed gives the same changes. */
export function damagedVideos(good: Uint8Array, count: number, seed: number): Bytes[] {
  const index = readBoxes(Buffer.from(good)).find(({ name }) => name === 'moov')
  if (!index) throw new Error('the clip has no index')
  let state = seed
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  return Array.from({ length: count }, () => {
    const bytes = new Uint8Array(good)
    const hits = 1 + random(60)
    for (let n = 0; n < hits; n++) bytes[index.start + random(index.end - index.start)] = random(256)
    return bytes
  })
}

function readBoxes(file: Buffer): Box[] {
  const boxes: Box[] = []
  for (let start = 0; start + 8 <= file.length;) {
    const end = start + file.readUInt32BE(start)
    boxes.push({ name: file.toString('latin1', start + 4, start + 8), start, end })
    start = end
  }
  return boxes
}

function boxHead(name: string, length: number): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(length)
  head.write(name, 4, 'latin1')
  return head
}

function nestedBoxes(depth: number): Buffer {
  return Buffer.concat(Array.from({ length: depth }, (_, n) => boxHead(n === 0 ? 'moov' : 'trak', (depth - n) * 8)))
}

/** Sets the number of entries, which follows the name, a version and flags, to its maximum. */
function withHugeTables(index: Buffer): Buffer {
  const copy = Buffer.from(index)
  for (const name of ['stsz', 'stco', 'stts', 'stsc', 'ctts', 'stss']) {
    for (let at = copy.indexOf(name, 0, 'latin1'); at >= 0; at = copy.indexOf(name, at + 4, 'latin1'))
      copy.fill(0xff, at + (name === 'stsz' ? 12 : 8), at + (name === 'stsz' ? 16 : 12))
  }
  return copy
}
