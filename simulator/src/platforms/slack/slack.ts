import { json, Refusal } from '../../http/reply.ts'
import type { Platform, PlatformFactory, Route } from '../../platform.ts'
import { randomToken } from '../../state/ids.ts'
import type { Limit } from '../../state/limits.ts'
import { PlatformContext } from '../../state/platform-context.ts'
import type { SimulatorState } from '../../state/simulator-state.ts'
import { stateOf } from '../../state/tokens.ts'
import { botUserIdOf, channelIdOf, scopeFor, scopesOf, viewAuth, viewChannel } from './channel.ts'
import { failure, missingScope, refusal } from './errors.ts'
import { fileRoutes } from './files.routes.ts'
import { countText, createMessages } from './messages.routes.ts'

const minuteMs = 60_000

/** A message a second for one channel, with short bursts above it; other methods are in tiers with a number for each minute. */
const limits: Record<string, Limit> = {
  channel: { max: 60, windowMs: minuteMs, per: 'account' },
  tier2: { max: 20, windowMs: minuteMs, per: 'account' },
  tier3: { max: 50, windowMs: minuteMs, per: 'account' },
  tier4: { max: 100, windowMs: minuteMs, per: 'account' },
}

export const slack: PlatformFactory = { name: 'slack', create }

function create(simulator: SimulatorState): Platform {
  const context = new PlatformContext('slack', simulator, { limits })
  const messages = createMessages(context)
  const pathOf = (url: string) => new URL(url).pathname.split('/').at(-1)
  return {
    context,
    title: 'Slack',
    colour: '#611f69',
    countText,
    routes: [...workspaceRoutes(), ...messages.routes, ...fileRoutes(context, messages)],
    pages: [
      {
        path: '/archives/:channel/:id',
        find: ({ channel, id }) => context.findPost((post) => post.account.id === channel && pathOf(post.url) === id),
      },
    ],
    profile: { path: '/archives/:channel', find: ({ channel }) => context.accounts.findById(channel ?? '') },
    describe: () => ({
      hidden: ['channel', 'channel_id', 'text', 'initial_comment', 'thread_ts', 'files', 'metadata'],
    }),
    accountIdOf: channelIdOf,
    issueCredentials(account) {
      // The token of a bot does not expire unless rotation is switched on for its app.
      const { value } = context.tokens.issue({
        value: `xoxb-${botUserIdOf(account).slice(1)}-${randomToken(18)}`,
        kind: 'access',
        account,
        issuedAtMs: context.now(),
        expiresAtMs: context.now() + context.accessLifetimeMs(Infinity),
      })
      const { url, user_id: user } = viewAuth(account)
      return { accessToken: value, extra: { channel: account.id, user, url } }
    },
    tokenOf: (call) => call.bearer() ?? call.parameter('token'),
    checkToken(token, { sentToken, scope }) {
      if (sentToken === undefined) throw refusal('not_authed')
      if (!token) throw refusal('invalid_auth')
      if (stateOf(token, context.now()) !== 'live') throw new Refusal(expired())
      const granted = scopesOf(token.account)
      const needed = scope === undefined ? undefined : scopeFor(token.account, scope)
      if (needed !== undefined && !granted.includes(needed)) throw missingScope(needed, granted)
      return token
    },
    failure,
    expiredToken: expired,
    rateHeaders: () => ({}),
  }
}

const expired = () => refusal('token_revoked').reply

function workspaceRoutes(): Route[] {
  const charges = [{ limit: 'tier3', cost: 1 }]
  return [
    ...(['GET', 'POST'] as const).map((method): Route => ({
      method,
      path: '/api/auth.test',
      operation: 'account',
      handle: (_, { account }) =>
        json(200, { ok: true, ...viewAuth(account) }, { 'x-oauth-scopes': scopesOf(account).join(',') }),
    })),
    {
      method: 'GET',
      path: '/api/conversations.info',
      operation: 'account',
      scope: 'channels:read',
      charges,
      handle({ query }, { account }) {
        if (query.get('channel') !== account.id) throw refusal('channel_not_found')
        return json(200, { ok: true, channel: viewChannel(account) })
      },
    },
    {
      method: 'GET',
      path: '/api/conversations.list',
      operation: 'account',
      scope: 'channels:read',
      charges: [{ limit: 'tier2', cost: 1 }],
      // A page may have fewer channels than were asked for, or none, and still not be the last one.
      handle({ query }, { account }) {
        const isLast = query.get('cursor') === 'next'
        const general = { id: 'C0000000001', name: 'general', is_archived: false, is_member: false, is_private: false }
        const channels = isLast ? [viewChannel(account)] : [general]
        return json(200, { ok: true, channels, response_metadata: { next_cursor: isLast ? '' : 'next' } })
      },
    },
  ]
}
