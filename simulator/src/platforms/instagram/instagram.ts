import type { Params } from '../../http/call.ts'
import type { Platform, PlatformFactory } from '../../platform.ts'
import { accountNumber } from '../../state/ids.ts'
import type { Limit } from '../../state/limits.ts'
import { PlatformContext } from '../../state/platform-context.ts'
import type { PlatformSettings } from '../../state/platform-settings.ts'
import type { SimulatorState } from '../../state/simulator-state.ts'
import { failureWithUsage, graphError, tokenMessages, usageHeaders } from '../meta/graph-errors.ts'
import { mediaParameters } from '../meta/container.ts'
import { checkToken, issueToken, longTokenRoutes } from '../meta/long-token.routes.ts'
import { toShortcode } from '../meta/to-shortcode.ts'
import { commentRoutes } from './comments.routes.ts'
import type { Container } from './container.ts'
import { publishingRoutes, type IgMedia } from './publishing.routes.ts'
import { readingRoutes } from './reading.routes.ts'

const dayMs = 86_400_000
const limits: Record<string, Limit> = {
  // 4,800 × impressions, where fewer than ten impressions count as ten.
  calls: { max: 48_000, windowMs: dayMs, per: 'account' },
  // The guide says 100, another page says 50, and apps are advised to read the number from the API.
  posts: { max: 100, windowMs: dayMs, per: 'account' },
  containers: { max: 400, windowMs: dayMs, per: 'account' },
}
const tokenNames = { prefix: 'IG', exchange: 'ig_exchange_token', refresh: 'ig_refresh_token' }

const settings: Partial<PlatformSettings> = {
  app: null,
  secondPublish: 'refuse',
  containerStatusDelayMs: 0,
  containersShown: true,
}

export const instagram: PlatformFactory = { name: 'instagram', create }

/** The Instagram API with Instagram Login, for accounts without a Facebook Page. */
function create(simulator: SimulatorState): Platform {
  const context = new PlatformContext('instagram', simulator, { limits, settings })
  const nextId = () => String(18_000_000_000_000_000n + BigInt(context.nextNumber()))
  const tables = {
    containers: context.createTable<Container>('containers'),
    published: context.createTable<IgMedia>('published'),
    nextId,
  }
  // A comment has the URL of the post it is about, and no page of its own.
  const byCode = ({ code }: Params) => context.findPost(({ id, replyTo }) => replyTo === null && toShortcode(id) === code)

  const platform: Platform = {
    context,
    title: 'Instagram',
    colour: '#d62976',
    countText: ({ length }) => length,
    routes: [
      ...publishingRoutes(context, tables),
      ...commentRoutes(context, tables),
      ...readingRoutes(context, tables),
      ...longTokenRoutes(context, tokenNames, () => platform),
    ],
    pages: [
      { path: '/p/:code/', find: byCode },
      { path: '/reel/:code/', find: byCode },
    ],
    profile: { path: '/:handle/', find: ({ handle }) => context.accounts.find(handle ?? '') },
    describe: () => ({ hidden: [...mediaParameters, 'caption'] }),
    accountIdOf: (handle) => `1784${accountNumber(context.name, handle, 13)}`,
    issueCredentials(account) {
      // Only tokens older than a day can be refreshed, so issue one that is old enough.
      const token = issueToken(context, tokenNames.prefix, { account, ageMs: dayMs + 3_600_000 })
      return { accessToken: token.value, expiresAtMs: token.expiresAtMs }
    },
    tokenOf: (call) => call.bearer() ?? call.parameter('access_token'),
    checkToken: (token, { scope }) => checkToken(context, token, scope),
    failure: (status, retryAfterSeconds) => failureWithUsage(status, 'instagram', retryAfterSeconds),
    expiredToken: () => graphError(400, { message: tokenMessages.expired, code: 190, subcode: 463 }),
    rateHeaders: usageHeaders,
  }
  return platform
}
