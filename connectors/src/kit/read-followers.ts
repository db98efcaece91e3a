import { Type } from 'typebox'
import type { Account } from './auth.ts'

/** A field with a number of followers: any value, because a wrong one must not keep anybody from connecting the account. */
export const FollowerCount = Type.Optional(Type.Unknown())

/** What an answer says about followers. Some platforms write the number as text. Whatever is no count is unknown, and not 0. */
export function readFollowers(count: unknown): Pick<Account, 'followers'> {
  const followers = typeof count === 'string' && /^\d{1,15}$/.test(count) ? Number(count) : count
  return typeof followers === 'number' && Number.isSafeInteger(followers) && followers >= 0 ? { followers } : {}
}
