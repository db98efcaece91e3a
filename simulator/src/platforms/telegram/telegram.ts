import { json } from '../../http/reply.ts'
import type { Platform, PlatformFactory, Route } from '../../platform.ts'
import { followersOf, randomToken } from '../../state/ids.ts'
import type { Limit } from '../../state/limits.ts'
import { PlatformContext } from '../../state/platform-context.ts'
import type { SimulatorState } from '../../state/simulator-state.ts'
import { stateOf } from '../../state/tokens.ts'
import { botIdOf, chatIdOf, chatOf, isNamed, memberOf } from './chat.ts'
import { badRequest, failure, refusal } from './errors.ts'
import { countText, describeRequest, messageRoutes } from './messages.routes.ts'

/** Telegram names about a message a second and 20 a minute for one group, and tolerates short bursts. */
const limits: Record<string, Limit> = { minute: { max: 20, windowMs: 60_000, per: 'account' } }

const tokenBytes = 26

export const telegram: PlatformFactory = { name: 'telegram', create }

function create(simulator: SimulatorState): Platform {
  const context = new PlatformContext('telegram', simulator, { limits })
  const firstIs = (id: string | undefined) => (postId: string) => postId.split(',')[0] === id
  return {
    context,
    title: 'Telegram',
    colour: '#1f87bf',
    countText,
    routes: [...chatRoutes(), ...messageRoutes(context)],
    pages: [
      {
        path: '/c/:chat/:id',
        find: ({ chat, id }) => context.findPost((post) => post.account.id === `-100${chat}` && firstIs(id)(post.id)),
      },
      {
        // The number tells it from the address of a method.
        path: '/:handle/:id(^\\d+$)',
        find: ({ handle, id }) => context.findPost((post) => post.account.handle === handle && firstIs(id)(post.id)),
      },
    ],
    profile: { path: '/:handle', find: ({ handle }) => context.accounts.find(handle ?? '') },
    describe: describeRequest,
    accountIdOf: chatIdOf,
    issueCredentials(account) {
      // The token of a bot is valid until its owner asks for another one.
      const { value } = context.tokens.issue({
        value: `${botIdOf(account)}:${randomToken(tokenBytes)}`,
        kind: 'access',
        account,
        issuedAtMs: context.now(),
        expiresAtMs: context.now() + context.accessLifetimeMs(Infinity),
      })
      return { accessToken: value, extra: { chat: account.id } }
    },
    tokenOf: (call) => call.params['token'],
    checkToken(token) {
      if (!token || stateOf(token, context.now()) !== 'live') throw refusal(401)
      return token
    },
    failure: (status, retryAfterSeconds) => failure(status, undefined, retryAfterSeconds),
    expiredToken: () => failure(401),
    rateHeaders: () => ({}),
  }
}

function chatRoutes(): Route[] {
  return [
    {
      method: 'GET',
      path: '/bot:token/getMe',
      operation: 'account',
      handle: (_, { account }) => json(200, { ok: true, result: memberOf(account).user }),
    },
    {
      method: 'GET',
      path: '/bot:token/getChat',
      operation: 'account',
      handle(call, { account }) {
        if (!isNamed(account, call.query.get('chat_id') ?? '')) throw badRequest('chat not found')
        return json(200, { ok: true, result: chatOf(account) })
      },
    },
    {
      method: 'GET',
      path: '/bot:token/getChatMember',
      operation: 'account',
      handle(call, { account }) {
        if (call.query.get('chat_id') !== account.id) throw badRequest('chat not found')
        if (call.query.get('user_id') !== String(botIdOf(account))) throw badRequest('user not found')
        return json(200, { ok: true, result: memberOf(account) })
      },
    },
    {
      method: 'GET',
      path: '/bot:token/getChatMemberCount',
      operation: 'account',
      handle(call, { account }) {
        if (!isNamed(account, call.query.get('chat_id') ?? '')) throw badRequest('chat not found')
        return json(200, { ok: true, result: followersOf(account) })
      },
    },
  ]
}
