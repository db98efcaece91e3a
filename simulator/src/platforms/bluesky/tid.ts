const alphabet = '234567abcdefghijklmnopqrstuvwxyz'
const pattern = /^[234567abcdefghij][234567abcdefghijklmnopqrstuvwxyz]{12}$/
const clockId = '22'

export function isTid(text: string): boolean {
  return pattern.test(text)
}

/** Eleven characters for the microseconds and two for a clock id, in a base32 alphabet that sorts by time. */
export function createTid(): (nowMs: number) => string {
  let last = 0
  return (nowMs) => {
    last = Math.max(last + 1, nowMs * 1000)
    let rest = last
    let tid = ''
    for (let at = 0; at < 11; at++) {
      tid = (alphabet[rest % 32] ?? '') + tid
      rest = Math.floor(rest / 32)
    }
    return tid + clockId
  }
}
