import { createHash, randomBytes } from 'node:crypto'

/** Time-ordered numeric ids: milliseconds since an epoch in the upper bits, a counter in the lower `shift` bits. */
export function createSnowflake(epochMs: number, shift: bigint): (nowMs: number) => string {
  let lastMs = 0
  let sequence = 0n
  const sequenceMax = 1n << shift
  return (nowMs) => {
    sequence = nowMs > lastMs ? 0n : sequence + 1n
    // If the counter is exhausted, continue with the next millisecond, so that ids stay unique and increasing.
    if (sequence === sequenceMax) {
      lastMs += 1
      sequence = 0n
    }
    lastMs = Math.max(lastMs, nowMs)
    return String((BigInt(lastMs - epochMs) << shift) | sequence)
  }
}

/** Parses the id in a request; returns undefined unless it consists of digits. */
export function readId(text: string | null | undefined): bigint | undefined {
  return text !== null && text !== undefined && /^\d{1,20}$/.test(text) ? BigInt(text) : undefined
}

export function randomToken(bytes = 32): string {
  return randomBytes(bytes).toString('base64url')
}

/** Bytes derived from platform and handle, so that an account has the same id in every run. */
export function accountDigest(platform: string, handle: string): Buffer {
  return createHash('sha256').update(`${platform} ${handle}`).digest()
}

/** A numeric account id of exactly `digits` digits. */
export function accountNumber(platform: string, handle: string, digits: number): string {
  const smallest = 10n ** BigInt(digits - 1)
  return String(smallest + (accountDigest(platform, handle).readBigUInt64BE() % (9n * smallest)))
}

/** How many follow an account: the same in every run, and never small, so that a test can find the number in an answer. */
export function followersOf({ platform, handle }: { platform: string; handle: string }): number {
  return 10_000 + (accountDigest(platform, handle).readUInt32BE(8) % 80_000)
}
