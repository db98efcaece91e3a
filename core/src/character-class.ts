const known = 1
const word = 2
const host = 4
const blocking = 8

const blockSize = 4096
/** Unicode has no letters and digits from here on. */
const lettersEnd = 0x4_00_00

/** The classes of all characters. Reading a table is many times faster than a pattern with Unicode properties for each character. */
const classes = new Uint8Array(lettersEnd)

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
  const found = classes[codePoint] ?? known
  if (found !== 0) return found
  fillBlock(codePoint - (codePoint % blockSize))
  return classes[codePoint] ?? known
}

/** The table is filled in blocks as they are needed: most texts use one or two, and no text can cause more than all of them once. */
function fillBlock(start: number): void {
  const codePoints = Array.from({ length: blockSize }, (_, n) => start + n)
  classes.fill(known, start, start + blockSize)
  // Half of a surrogate pair has no class. In one text, two of them could be read as a pair.
  const text = String.fromCodePoint(...codePoints.filter((each) => each < 0xd800 || each > 0xdfff))
  add(text, /[\p{L}\p{N}]+/gu, word | host)
  add(text, /[_.-]+/gu, host)
  add(text, /[\p{Script=Latin}\p{N}_@＠$#＃.\-/]+/gu, blocking)
}

function add(text: string, pattern: RegExp, bits: number): void {
  for (const [run] of text.matchAll(pattern))
    for (const character of run) {
      const codePoint = character.codePointAt(0) ?? 0
      classes[codePoint] = (classes[codePoint] ?? known) | bits
    }
}
