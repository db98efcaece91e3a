import type { Call } from '../../http/call.ts'
import { json, Refusal } from '../../http/reply.ts'
import type { Platform, PlatformFactory, Route } from '../../platform.ts'
import type { Account } from '../../state/entities.ts'
import { randomToken } from '../../state/ids.ts'
import type { Limit } from '../../state/limits.ts'
import { PlatformContext } from '../../state/platform-context.ts'
import type { SimulatorState } from '../../state/simulator-state.ts'
import { stateOf } from '../../state/tokens.ts'
import { botIdOf, channelIdOf, guildIdOf, isKind, viewBot, viewChannelOf, viewGuild, viewMember } from './channel.ts'
import { failure, refusal } from './errors.ts'
import { checkChannel, countText, messageRoutes } from './messages.routes.ts'

/**
 * Discord names the limit of a channel in headers only, because it may change; others met five messages in five seconds
 * (github.com/discord/discord-api-docs issue 20, github.com/alexemanuelol/rustplusplus issue 475). A bot may make 50 requests in a second.
 */
const limits: Record<string, Limit> = {
  channel: { max: 5, windowMs: 5000, per: 'account' },
  global: { max: 50, windowMs: 1000, per: 'account' },
}

const tokenBytes = 28

export const discord: PlatformFactory = { name: 'discord', create }

function create(simulator: SimulatorState): Platform {
  const context = new PlatformContext('discord', simulator, { limits })
  return {
    context,
    title: 'Discord',
    colour: '#5865f2',
    countText,
    routes: [...serverRoutes(), ...messageRoutes(context)],
    pages: [{ path: '/channels/:guild/:channel/:id', find: ({ id }) => context.findPost((post) => post.id === id) }],
    profile: { path: '/channels/:guild/:channel', find: ({ channel }) => context.accounts.findById(channel ?? '') },
    describe: () => ({ hidden: ['content', 'nonce', 'enforce_nonce', 'message_reference'] }),
    accountIdOf: channelIdOf,
    issueCredentials(account) {
      // The token of a bot is valid until its owner asks for another one. Its first part is the id of the bot.
      const { value } = context.tokens.issue({
        value: `${Buffer.from(botIdOf(account)).toString('base64url')}.${randomToken(4)}.${randomToken(tokenBytes)}`,
        kind: 'access',
        account,
        issuedAtMs: context.now(),
        expiresAtMs: context.now() + context.accessLifetimeMs(Infinity),
      })
      return { accessToken: value, extra: { bot: botIdOf(account), guild: guildIdOf(account), channel: account.id } }
    },
    tokenOf: ({ headers }) => /^Bot (\S+)$/.exec(headers.authorization ?? '')?.[1],
    checkToken(token) {
      if (!token || stateOf(token, context.now()) !== 'live') throw new Refusal(failure(401))
      return token
    },
    failure,
    expiredToken: () => failure(401),
    rateHeaders: ({ limit, max, remaining, resetAtMs }) => ({
      'x-ratelimit-limit': String(max),
      'x-ratelimit-remaining': String(remaining),
      'x-ratelimit-reset': (resetAtMs / 1000).toFixed(3),
      'x-ratelimit-reset-after': (Math.max(0, resetAtMs - context.now()) / 1000).toFixed(3),
      'x-ratelimit-bucket': limit,
    }),
  }
}

function serverRoutes(): Route[] {
  const charges = [{ limit: 'global', cost: 1 }]
  const checkGuild = ({ params }: Call, account: Account) => {
    if (params['guild'] !== guildIdOf(account) || isKind(account, 'left')) throw refusal(10004)
  }
  const read = { method: 'GET', operation: 'account', charges } as const
  return [
    { ...read, path: '/api/v10/users/@me', handle: (_, { account }) => json(200, viewBot(account)) },
    {
      ...read,
      path: '/api/v10/channels/:channel',
      handle(call, { account }) {
        checkChannel(call, account)
        return json(200, viewChannelOf(account))
      },
    },
    {
      ...read,
      path: '/api/v10/guilds/:guild',
      handle(call, { account }) {
        checkGuild(call, account)
        return json(200, viewGuild(account))
      },
    },
    {
      ...read,
      path: '/api/v10/guilds/:guild/members/:user',
      handle(call, { account }) {
        checkGuild(call, account)
        if (call.params['user'] !== botIdOf(account)) throw refusal(10007)
        return json(200, viewMember(account))
      },
    },
  ]
}
