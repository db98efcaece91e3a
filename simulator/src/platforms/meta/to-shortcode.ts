const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

export function toShortcode(id: string): string {
  let rest = BigInt(id)
  let code = ''
  while (rest > 0n) {
    code = (alphabet[Number(rest % 64n)] ?? '') + code
    rest /= 64n
  }
  return code
}
