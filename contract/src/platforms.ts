/** Every platform Carillon speaks to. Adding one starts with a word here; the compiler asks for the rest. */
export const platforms = ['bluesky', 'instagram', 'linkedin', 'mastodon', 'threads', 'tiktok', 'x'] as const

export type Platform = (typeof platforms)[number]

export function isPlatform(word: string): word is Platform {
  return (platforms as readonly string[]).includes(word)
}
