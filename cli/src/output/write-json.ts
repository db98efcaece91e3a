/** The same value for a program, but a terminal that shows it obeys nothing in it: JSON itself escapes only a part of these characters. */
const hidden = /[\u007f-\u009f\p{Cf}\u2028\u2029]/gu

/** One line of JSON. */
export function writeJson(data: unknown): string {
  return JSON.stringify(data).replaceAll(hidden, (character) =>
    [...Array(character.length).keys()].map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  )
}
