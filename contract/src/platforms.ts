/** All supported platforms. To add a platform, start here; the compiler then reports everything else that is missing. */
export const platforms = [
  'bluesky',
  'devto',
  'discord',
  'facebook',
  'ghost',
  'googlebusiness',
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

/** The setting that holds the developer app of a platform. */
export function appSetting(platform: string): string {
  return `CARILLON_APP_${platform.toUpperCase()}`
}

/** Platforms whose chats can be told what happens. Their connectors have a `chat`. */
export const chatPlatforms = ['slack', 'discord', 'telegram'] as const satisfies readonly Platform[]

/** How a webhook is written to: as JSON for programs, or as a line for people. */
export const webhookFormats = ['json', ...chatPlatforms] as const
export type WebhookFormat = (typeof webhookFormats)[number]
