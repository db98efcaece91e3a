const known = 1
const word = 2
const host = 4
const blocking = 8

/** Filled as characters are met: a look at a table is many times faster than a pattern with Unicode properties. */
const classes = new Uint8Array(0x11_00_00)

/** A letter or a digit of any script. */
export function isWord(codePoint: number): boolean {
  return (classOf(codePoint) & word) !== 0
}

/** A character of a host name: a letter, a digit, `_`, `-` or `.`. */
export function isHost(codePoint: number): boolean {
  return (classOf(codePoint) & host) !== 0
}

/** No link starts directly after such a character: it is then part of a longer word, a mention, a hashtag or a path. */
export function blocksLink(codePoint: number): boolean {
  return (classOf(codePoint) & blocking) !== 0
}

function classOf(codePoint: number): number {
  const found = classes[codePoint] ?? 0
  if (found !== 0) return found
  const character = String.fromCodePoint(codePoint)
  let made = known
  if (/[\p{L}\p{N}]/u.test(character)) made |= word | host
  if (/[_.-]/.test(character)) made |= host
  if (/[\p{Script=Latin}\p{N}_@＠$#＃.\-/]/u.test(character)) made |= blocking
  classes[codePoint] = made
  return made
}
