import type { Account, Media } from '../../state/entities.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import type { Tweet } from './tweet.ts'

// Apps report that X refuses identical recent text. Its documentation mentions neither the rule nor the time; one hour is an assumption.
const windowMs = 3_600_000

/** Remembers the recent texts of each account. The text of a deleted post can be published again. */
export function createDuplicateCheck(context: PlatformContext) {
  const recent = context.createTable<Tweet>()
  const keyOf = (account: Account, text: string) => `${account.id} ${text.trim()}`
  return {
    has(account: Account, text: string, media: readonly Media[]): boolean {
      if (media.length > 0) return false
      const tweet = recent.get(keyOf(account, text))
      return tweet !== undefined && !tweet.deleted && tweet.atMs + windowMs > context.now()
    },
    add(tweet: Tweet): void {
      if (tweet.media.length === 0) recent.set(keyOf(tweet.account, tweet.text), tweet)
    },
  }
}
