import type { Platform, PlatformFactory } from '../../platform.ts'
import { accountNumber } from '../../state/ids.ts'
import type { Limit } from '../../state/limits.ts'
import { Realm } from '../../state/platform-context.ts'
import type { World } from '../../state/simulator-state.ts'
import type { Container } from './container.ts'
import { failureWithUsage, graphError, tokenSentences, usageHeaders } from '../meta/graph-errors.ts'
import { admitToken, issueToken, longTokenRoutes } from '../meta/long-token.routes.ts'
import { publishingRoutes } from './publishing.routes.ts'
import { readingRoutes } from './reading.routes.ts'
import { shortcodeOf } from '../meta/to-shortcode.ts'
import type { Thread } from './thread.ts'

const dayMs = 86_400_000
const limits: Record<string, Limit> = {
  // 4,800 × impressions, of which there are never counted fewer than ten.
  calls: { max: 48_000, windowMs: dayMs, per: 'account' },
  posts: { max: 250, windowMs: dayMs, per: 'account' },
  replies: { max: 1000, windowMs: dayMs, per: 'account' },
  deletes: { max: 100, windowMs: dayMs, per: 'account' },
}

const tokenNames = { prefix: 'TH', exchange: 'th_exchange_token', refresh: 'th_refresh_token' }

export const threads: PlatformFactory = { name: 'threads', create }

function create(world: World): Platform {
  const realm = new Realm('threads', world, limits)
  let count = 0
  const nextId = () => String(17_900_000_000_000_000n + BigInt(++count))
  const shelves = { containers: realm.shelf<Container>(), threads: realm.shelf<Thread>(), nextId }
  const byCode = (code: string | undefined) =>
    realm.world.posts.all().find((post) => post.platform === realm.name && shortcodeOf(post.id) === code)

  const platform: Platform = {
    realm,
    title: 'Threads',
    colour: '#b4308b',
    routes: [
      ...publishingRoutes(realm, shelves),
      ...readingRoutes(realm, shelves),
      ...longTokenRoutes(realm, tokenNames, () => platform),
    ],
    pages: [{ path: '/@:handle/post/:code', find: ({ code }) => byCode(code) }],
    // Sixteen digits: containers and posts have seventeen.
    accountIdOf: (handle) => accountNumber(realm.name, handle, 16),
    issueCredentials(account) {
      // Old enough to be refreshed at once: a token younger than a day may not be.
      const token = issueToken(realm, tokenNames.prefix, { account, ageMs: dayMs + 3_600_000 })
      return { accessToken: token.value, expiresAtMs: token.expiresAtMs }
    },
    tokenOf: (call) => call.bearer() ?? call.parameter('access_token'),
    admit: (token, { scope }) => admitToken(realm, token, scope),
    failure: (status, retryAfterSeconds) => failureWithUsage(status, 'threads', retryAfterSeconds),
    expiredToken: () => graphError(400, { message: tokenSentences.expired, code: 190, subcode: 463 }),
    rateHeaders: usageHeaders,
  }
  return platform
}
