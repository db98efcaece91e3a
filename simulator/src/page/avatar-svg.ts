const words = /[\p{L}\p{N}]+/gu

export function initialsOf(handle: string): string {
  const parts = handle.match(words) ?? ['?']
  const [first = '?', second = ''] = parts
  return ((first[0] ?? '') + (second[0] ?? first[1] ?? '')).toUpperCase()
}

/** The same handle always has the same colour. */
export function colourOf(handle: string): string {
  let hue = 0
  for (const character of handle) hue = (hue * 31 + (character.codePointAt(0) ?? 0)) % 360
  return `hsl(${hue} 48% 44%)`
}

export function avatarSvg(handle: string): string {
  const letters = initialsOf(handle).replaceAll(/[^\p{L}\p{N}?]/gu, '')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">
<rect width="64" height="64" fill="${colourOf(handle)}"/>
<text x="32" y="41" font-family="sans-serif" font-size="25" fill="#fff" text-anchor="middle">${letters}</text>
</svg>`
}
