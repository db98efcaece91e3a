import type { Account } from '../../state/entities.ts'
import { mediaRules } from './media-rules.ts'

type Limits = { charactersMax: number; attachmentsMax: number; altMax: number; mimes: readonly string[]; imageBytesMax: number }

/** A server that speaks Mastodon's API, as it describes itself and as it behaves. */
export type ServerKind = Limits & {
  version: string
  sourceUrl: string
  /** What a link counts for, according to the server's description of itself. */
  linkLength: number
  /** Counts every character, also those of links and hosts, in code points. */
  countsPlainly: boolean
  /** Refuses posts without a file, except for answers. */
  needsMedia: boolean
  visibilities: readonly string[]
  /** GoToSocial has this field, and writes limits that it does not have as the largest number of 64 bits. */
  accountDomain?: string
  unlimited: number | null
  /** What a second request with the same Idempotency-Key gets: the first post, a second post, or a refusal. */
  keys: 'answered' | 'ignored' | 'refused'
  /** Older servers do not know the second version of their description. */
  isOld: boolean
}

const visibilities = ['public', 'unlisted', 'private', 'direct']

const usual: ServerKind = {
  ...mediaRules,
  charactersMax: 500,
  version: '4.5.0',
  sourceUrl: 'https://github.com/mastodon/mastodon',
  linkLength: 23,
  countsPlainly: false,
  needsMedia: false,
  visibilities,
  unlimited: null,
  isOld: false,
  keys: 'answered',
}

const kinds: Readonly<Record<string, ServerKind>> = {
  'roomy-': { ...usual, charactersMax: 5000, version: '4.5.0+glitch' },
  'terse-': { ...usual, charactersMax: 300, linkLength: 30 },
  'old-': { ...usual, charactersMax: 1000, version: '3.3.0', isOld: true },
  'gotosocial-': {
    ...usual,
    charactersMax: 5000,
    attachmentsMax: 6,
    altMax: 1500,
    version: '0.17.3+git-e2a6b4c',
    sourceUrl: 'https://codeberg.org/superseriousbusiness/gotosocial',
    linkLength: 25,
    countsPlainly: true,
    keys: 'ignored',
    accountDomain: 'social.example',
    unlimited: Number('9223372036854775807'),
    mimes: ['image/jpeg', 'image/gif', 'image/webp', 'image/png', 'image/apng', 'video/mp4', 'video/quicktime', 'video/webm'],
  },
  'pixelfed-': {
    ...usual,
    altMax: 1000,
    version: '3.5.3 (compatible; Pixelfed 0.12.7)',
    sourceUrl: 'https://github.com/pixelfed/pixelfed',
    needsMedia: true,
    keys: 'refused',
    visibilities: visibilities.slice(0, 3),
    mimes: ['image/jpeg', 'image/png', 'image/gif'],
    imageBytesMax: 15_000_000,
  },
}

/** One simulated origin stands for many servers: the beginning of a handle says on which kind of server the account is. */
export function serverOf(account: Pick<Account, 'handle'> | undefined): ServerKind {
  const prefix = Object.keys(kinds).find((each) => account?.handle.startsWith(each))
  return (prefix === undefined ? undefined : kinds[prefix]) ?? usual
}
