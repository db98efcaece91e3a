/**
 * What the run knows about the platforms. It is written down here instead of taken from the connectors, because it judges them.
 *
 * `proof` is what the platform offers for finding out what became of a send whose answer was lost: `key` recognises a repeated send,
 * `reference` has an object whose state can be read, `readback` has only its list of recent posts, and `none` has nothing.
 */
export const platformTraits = {
  bluesky: { proof: 'key', accounts: 2, kinds: ['text', 'photo', 'carousel', 'video'], hasComments: true },
  mastodon: { proof: 'key', accounts: 2, kinds: ['text', 'photo', 'carousel', 'video'], hasComments: true },
  threads: { proof: 'reference', accounts: 2, kinds: ['text', 'photo', 'carousel', 'video'], hasComments: true },
  x: { proof: 'readback', accounts: 2, kinds: ['text', 'photo', 'carousel', 'video'], hasComments: true },
  // The posts of a page can be listed, those of a person cannot; see `proofOf`.
  linkedin: { proof: 'readback', accounts: 2, kinds: ['text', 'photo', 'carousel', 'video', 'document'], hasComments: true },
  instagram: { proof: 'reference', accounts: 1, kinds: ['photo', 'carousel', 'video'], hasComments: true },
  // It allows 6 posts a minute and 15 a day for each account.
  tiktok: { proof: 'reference', accounts: 1, kinds: ['photo', 'carousel', 'video'], hasComments: false },
} as const satisfies Record<string, PlatformTraits>

export type Proof = 'key' | 'reference' | 'readback' | 'none'
export type Platform = keyof typeof platformTraits

type PlatformTraits = { proof: Proof; accounts: number; kinds: readonly PostKind[]; hasComments: boolean }

export const postKinds = ['text', 'photo', 'carousel', 'video', 'document'] as const
export type PostKind = (typeof postKinds)[number]

export function traitsOf(platform: Platform): PlatformTraits {
  return platformTraits[platform]
}
