import type { Account, Media } from '../../state/entities.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import type { Tweet } from './tweet.ts'

/** Remembers the recent texts of each account. The text of a deleted post can be published again. */
export function createDuplicateCheck(context: PlatformContext) {
  const recent = context.createTable<Tweet>('recent')
  const keyOf = (account: Account, text: string) => `${account.id} ${text.trim()}`
  return {
    has(account: Account, text: string, media: readonly Media[]): boolean {
      const { duplicateFilter, duplicateWindowMs = 0 } = context.settings
      if (duplicateFilter !== true || media.length > 0) return false
      const tweet = recent.get(keyOf(account, text))
      return tweet !== undefined && !tweet.deleted && tweet.atMs + duplicateWindowMs > context.now()
    },
    add(tweet: Tweet): void {
      if (tweet.media.length === 0) recent.set(keyOf(tweet.account, tweet.text), tweet)
    },
  }
}
