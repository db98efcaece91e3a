import type { Account } from '../../state/accounts.ts'
import type { Media } from '../../state/media-store.ts'
import type { Realm } from '../../state/platform-context.ts'
import type { Tweet } from './tweet.ts'

// X documents that identical recent text is refused, and not how recent. An hour is our reading.
const windowMs = 3_600_000

/** Remembers each account's recent texts. A deleted post frees its text. */
export function createDuplicates(realm: Realm) {
  const recent = realm.shelf<Tweet>()
  const keyOf = (account: Account, text: string) => `${account.id} ${text.trim()}`
  return {
    has(account: Account, text: string, media: readonly Media[]): boolean {
      if (media.length > 0) return false
      const tweet = recent.get(keyOf(account, text))
      return tweet !== undefined && !tweet.deleted && tweet.atMs + windowMs > realm.now()
    },
    add(tweet: Tweet): void {
      if (tweet.media.length === 0) recent.set(keyOf(tweet.account, tweet.text), tweet)
    },
  }
}
