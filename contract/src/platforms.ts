/** All supported platforms. To add a platform, start here; the compiler then reports everything else that is missing. */
export const platforms = [
  'bluesky',
  'devto',
  'discord',
  'facebook',
  'ghost',
  'http',
  'instagram',
  'lemmy',
  'linkedin',
  'mastodon',
  'nostr',
  'pinterest',
  'pixelfed',
  'reddit',
  'slack',
  'telegram',
  'threads',
  'tiktok',
  'tumblr',
  'wordpress',
  'x',
  'youtube',
] as const

export type Platform = (typeof platforms)[number]

export function isPlatform(name: string): name is Platform {
  return (platforms as readonly string[]).includes(name)
}
