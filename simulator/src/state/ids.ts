import { createHash, randomBytes } from 'node:crypto'

/** Time-ordered numeric ids: milliseconds since an epoch, shifted, with a counter below. */
export function createSnowflake(epochMs: number, shift: bigint): (nowMs: number) => string {
  let lastMs = 0
  let sequence = 0n
  const room = 1n << shift
  return (nowMs) => {
    sequence = nowMs > lastMs ? 0n : sequence + 1n
    // A full millisecond borrows from the next one, so ids stay unique and rising however fast they are drawn.
    if (sequence === room) {
      lastMs += 1
      sequence = 0n
    }
    lastMs = Math.max(lastMs, nowMs)
    return String((BigInt(lastMs - epochMs) << shift) | sequence)
  }
}

/** Reads an id that came from outside; anything but digits is undefined. */
export function readId(text: string | null | undefined): bigint | undefined {
  return text !== null && text !== undefined && /^\d{1,20}$/.test(text) ? BigInt(text) : undefined
}

export function randomToken(bytes = 32): string {
  return randomBytes(bytes).toString('base64url')
}

/** Bytes that are the same in every run for the same account. */
export function accountDigest(platform: string, handle: string): Buffer {
  return createHash('sha256').update(`${platform} ${handle}`).digest()
}

/** An account's number, always of `digits` digits. */
export function accountNumber(platform: string, handle: string, digits: number): string {
  const smallest = 10n ** BigInt(digits - 1)
  return String(smallest + (accountDigest(platform, handle).readBigUInt64BE() % (9n * smallest)))
}
