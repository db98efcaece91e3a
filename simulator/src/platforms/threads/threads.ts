import { textOf } from '../../http/fields.ts'
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
import type { Container } from './container.ts'
import { countText } from './count-text.ts'
import { publishingRoutes } from './publishing.routes.ts'
import { readingRoutes } from './reading.routes.ts'
import type { Thread } from './thread.ts'

const dayMs = 86_400_000
const limits: Record<string, Limit> = {
  // 4,800 × impressions, where fewer than ten impressions count as ten.
  calls: { max: 48_000, windowMs: dayMs, per: 'account' },
  posts: { max: 250, windowMs: dayMs, per: 'account' },
  replies: { max: 1000, windowMs: dayMs, per: 'account' },
  deletes: { max: 100, windowMs: dayMs, per: 'account' },
}

const tokenNames = { prefix: 'TH', exchange: 'th_exchange_token', refresh: 'th_refresh_token' }

const settings: Partial<PlatformSettings> = {
  app: null,
  secondPublish: 'refuse',
  containerStatusDelayMs: 0,
  containersShown: true,
}

export const threads: PlatformFactory = { name: 'threads', create }

function create(simulator: SimulatorState): Platform {
  const context = new PlatformContext('threads', simulator, { limits, settings })
  const nextId = () => String(17_900_000_000_000_000n + BigInt(context.nextNumber()))
  const tables = {
    containers: context.createTable<Container>('containers'),
    threads: context.createTable<Thread>('threads'),
    nextId,
  }
  const byCode = (code: string | undefined) => context.findPost(({ id }) => toShortcode(id) === code)

  const platform: Platform = {
    context,
    title: 'Threads',
    colour: '#b4308b',
    countText,
    routes: [
      ...publishingRoutes(context, tables),
      ...readingRoutes(context, tables),
      ...longTokenRoutes(context, tokenNames, () => platform),
    ],
    pages: [{ path: '/@:handle/post/:code', find: ({ code }) => byCode(code) }],
    profile: { path: '/@:handle', find: ({ handle }) => context.accounts.find(handle ?? '') },
    describe({ link_attachment }) {
      const url = textOf(link_attachment)
      const link = url === undefined ? undefined : { url, title: undefined, description: undefined }
      return { link, hidden: [...mediaParameters, 'text', 'reply_to_id', 'link_attachment', 'auto_publish_text'] }
    },
    // Sixteen digits, to differ from the ids of containers and posts, which have seventeen.
    accountIdOf: (handle) => accountNumber(context.name, handle, 16),
    issueCredentials(account) {
      // Only tokens older than a day can be refreshed, so issue one that is old enough.
      const token = issueToken(context, tokenNames.prefix, { account, ageMs: dayMs + 3_600_000 })
      return { accessToken: token.value, expiresAtMs: token.expiresAtMs }
    },
    tokenOf: (call) => call.bearer() ?? call.parameter('access_token'),
    checkToken: (token, { scope }) => checkToken(context, token, scope),
    failure: (status, retryAfterSeconds) => failureWithUsage(status, 'threads', retryAfterSeconds),
    expiredToken: () => graphError(400, { message: tokenMessages.expired, code: 190, subcode: 463 }),
    rateHeaders: usageHeaders,
  }
  return platform
}
