import { hash, verify } from '@node-rs/argon2'
import { commonPasswords } from './common-passwords.data.ts'

/** Argon2id, the package's default, with the parameters that OWASP recommends: 19 MiB, two passes. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize('NFKC'), cost)
}

export function verifyPassword({ hash: stored, password }: { hash: string; password: string }): Promise<boolean> {
  return verify(stored, password.normalize('NFKC'))
}

export const passwordLengthMin = 10
export const passwordLengthMax = 128

const common = new Set(commonPasswords.split(/\s+/))
/** Up to this many characters at the end are ignored: `password123!!` is as easy to guess as `password123`. */
const suffixLengthMax = 4

/** Whether an attacker who tries the most used passwords first would soon find this one. */
export function isCommonPassword(password: string): boolean {
  const lower = password.normalize('NFKC').toLowerCase()
  if (new Set(lower).size < 4) return true
  for (let end = lower.length; end >= lower.length - suffixLengthMax; end--) {
    if (common.has(lower.slice(0, end))) return true
    if (/\p{L}/u.test(lower[end - 1] ?? '')) return false
  }
  return false
}
