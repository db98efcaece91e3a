export const platforms = ['bluesky', 'mastodon', 'threads', 'x'] as const
export const accountsEach = 2

/** One of a seed's accounts: the platform, and which of that platform's accounts. */
export type Slot = { platform: string; index: number }

export const slots: Slot[] = platforms.flatMap((platform) =>
  Array.from({ length: accountsEach }, (_, index) => ({ platform, index })),
)
