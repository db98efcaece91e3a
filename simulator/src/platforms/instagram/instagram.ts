import type { Platform, PlatformFactory } from '../../platform.ts'
import { accountNumber } from '../../state/ids.ts'
import type { Limit } from '../../state/limits.ts'
import { Realm } from '../../state/platform-context.ts'
import type { World } from '../../state/simulator-state.ts'
import { failureWithUsage, graphError, tokenSentences, usageHeaders } from '../meta/graph-errors.ts'
import { admitToken, issueToken, longTokenRoutes } from '../meta/long-token.routes.ts'
import { shortcodeOf } from '../meta/to-shortcode.ts'
import { commentRoutes } from './comments.routes.ts'
import type { Container } from './container.ts'
import { publishingRoutes, type IgMedia } from './publishing.routes.ts'
import { readingRoutes } from './reading.routes.ts'

const dayMs = 86_400_000
const limits: Record<string, Limit> = {
  // 4,800 × impressions, of which there are never counted fewer than ten.
  calls: { max: 48_000, windowMs: dayMs, per: 'account' },
  // One page says 100, another 50; an app is told to read the number, and this is the guide's.
  posts: { max: 100, windowMs: dayMs, per: 'account' },
  containers: { max: 400, windowMs: dayMs, per: 'account' },
}
const tokenNames = { prefix: 'IG', exchange: 'ig_exchange_token', refresh: 'ig_refresh_token' }

export const instagram: PlatformFactory = { name: 'instagram', create }

/** Instagram Login, the way for accounts without a Facebook Page. */
function create(world: World): Platform {
  const realm = new Realm('instagram', world, limits)
  let count = 0
  const nextId = () => String(18_000_000_000_000_000n + BigInt(++count))
  const shelves = { containers: realm.shelf<Container>(), published: realm.shelf<IgMedia>(), nextId }
  const byCode = ({ code }: Record<string, string>) => [...shelves.published.values()].find(({ id }) => shortcodeOf(id) === code)

  const platform: Platform = {
    realm,
    title: 'Instagram',
    colour: '#d62976',
    routes: [
      ...publishingRoutes(realm, shelves),
      ...commentRoutes(realm, shelves),
      ...readingRoutes(realm, shelves),
      ...longTokenRoutes(realm, tokenNames, () => platform),
    ],
    pages: [
      { path: '/p/:code/', find: byCode },
      { path: '/reel/:code/', find: byCode },
    ],
    accountIdOf: (handle) => `1784${accountNumber(realm.name, handle, 13)}`,
    issueCredentials(account) {
      // Old enough to be refreshed at once: a token younger than a day may not be.
      const token = issueToken(realm, tokenNames.prefix, { account, ageMs: dayMs + 3_600_000 })
      return { accessToken: token.value, expiresAtMs: token.expiresAtMs }
    },
    tokenOf: (call) => call.bearer() ?? call.parameter('access_token'),
    admit: (token, { scope }) => admitToken(realm, token, scope),
    failure: (status, retryAfterSeconds) => failureWithUsage(status, 'instagram', retryAfterSeconds),
    expiredToken: () => graphError(400, { message: tokenSentences.expired, code: 190, subcode: 463 }),
    rateHeaders: usageHeaders,
  }
  return platform
}
