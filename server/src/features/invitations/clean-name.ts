const lengthMax = 40
/** Enough for that many letters with their marks. Bringing a long run of marks into their order takes quadratic time. */
const readMax = 400

/**
 * A name as it may stand in a mail. The names of people and workspaces are chosen by users, and a mail to a stranger must not carry a text
 * or a link of theirs: what is not a letter, a digit or a sign that names have becomes a space.
 */
export function cleanName(name: string, fallback: string): string {
  const words = name
    .slice(0, readMax)
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{M}\p{N}'’&-]+/gu, ' ')
    .trim()
  const letters = Array.from(words)
  const short = letters.length > lengthMax ? `${letters.slice(0, lengthMax).join('').trim()}…` : words
  return short || fallback
}
