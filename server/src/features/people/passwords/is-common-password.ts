import { commonPasswords } from './common-passwords.data.ts'

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
