import { randomBytes, randomInt } from 'node:crypto'
import { v7 } from 'uuid'

const random = randomBytes(4)
let counter = randomInt(0x1000000)

/**
 * An id in ObjectId layout: 4 bytes of seconds, 5 of chance, 3 of counter. The first ten bits of chance hold the milliseconds,
 * so ids sort by time to the millisecond across processes.
 */
export function newId(nowMs: number): string {
  const bytes = Buffer.alloc(12)
  const millis = nowMs % 1000
  counter = (counter + 1) % 0x1000000
  bytes.writeUInt32BE(Math.floor(nowMs / 1000), 0)
  bytes[4] = millis >> 2
  bytes[5] = ((millis & 3) << 6) | ((random[0] ?? 0) & 0x3f)
  random.copy(bytes, 6, 1, 4)
  bytes.writeUIntBE(counter, 9, 3)
  return bytes.toString('hex')
}

/** A UUID v7. */
export function newUuid(): string {
  return v7()
}

export function isId(text: string): boolean {
  return /^[0-9a-f]{24}$/.test(text)
}

export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text)
}
