import { createHash, randomBytes } from 'node:crypto'

/** Stored instead of a code. Tokens are hashed in the same way as API keys. */
export function secretHash(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

const codeBytes = 32

export function newCode(): string {
  return randomBytes(codeBytes).toString('base64url')
}
