const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'

/** RFC 4648 in lower case and without padding, as multibase `b` writes it. */
export function toBase32(bytes: Buffer): string {
  let text = ''
  let bits = 0
  let value = 0
  for (const byte of bytes) {
    value = (value << 8) | byte
    bits += 8
    while (bits >= 5) {
      text += alphabet[(value >>> (bits - 5)) & 31] ?? ''
      bits -= 5
    }
    value &= (1 << bits) - 1
  }
  return bits > 0 ? text + (alphabet[(value << (5 - bits)) & 31] ?? '') : text
}

export function fromBase32(text: string): Buffer {
  const bytes: number[] = []
  let bits = 0
  let value = 0
  for (const character of text) {
    value = ((value << 5) | Math.max(0, alphabet.indexOf(character))) & 0xfff
    bits += 5
    if (bits < 8) continue
    bytes.push((value >>> (bits - 8)) & 255)
    bits -= 8
  }
  return Buffer.from(bytes)
}
