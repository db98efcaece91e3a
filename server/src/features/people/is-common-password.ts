import { commonPasswords } from './common-passwords.data.ts'

export const passwordLengthMin = 10
export const passwordLengthMax = 128

const common = new Set(commonPasswords.split(/\s+/))
/** How much at the end is taken for decoration: `password123!!` is no better than `password123`. */
const decorationMax = 4

/** Among the first that anybody would try. */
export function isCommonPassword(password: string): boolean {
  const lower = password.normalize('NFKC').toLowerCase()
  if (new Set(lower).size < 4) return true
  for (let end = lower.length; end >= lower.length - decorationMax; end--) {
    if (common.has(lower.slice(0, end))) return true
    if (/\p{L}/u.test(lower[end - 1] ?? '')) return false
  }
  return false
}
