import { textOf } from '../../http/fields.ts'
import { Refusal } from '../../http/reply.ts'
import type { Platform, PlatformFactory } from '../../platform.ts'
import type { Limit } from '../../state/limits.ts'
import { PlatformContext } from '../../state/platform-context.ts'
import type { PlatformSettings } from '../../state/platform-settings.ts'
import type { SimulatorState } from '../../state/simulator-state.ts'
import { stateOf } from '../../state/tokens.ts'
import { issueAccess, issueRefresh, oauthRoutes } from '../google/oauth.routes.ts'
import { failure, scopeMissing } from './errors.ts'
import { locationRoutes } from './locations.routes.ts'
import { locationNameOf } from './locations.ts'
import { type LocalPost, postRoutes } from './posts.routes.ts'
import { partOf } from './read-post.ts'

/**
 * my-business/content/limits: 300 a minute for a project. Here every account counts as the only one of its project, because tests share
 * one simulator.
 */
const limits: Record<string, Limit> = { requests: { max: 300, windowMs: 60_000, per: 'account' } }
const settings: Partial<PlatformSettings> = { app: null, audited: true }

export const googlebusiness: PlatformFactory = { name: 'googlebusiness', create }

function create(simulator: SimulatorState): Platform {
  const context = new PlatformContext('googlebusiness', simulator, { limits, settings })
  const posts = context.createTable<LocalPost>('posts')
  const platform: Platform = {
    context,
    title: 'Google Business Profile',
    colour: '#4285f4',
    countText: ({ length }) => length,
    routes: [...locationRoutes(context), ...postRoutes(context, posts), ...oauthRoutes(context, () => platform)],
    pages: [{ path: '/place', find: ({ lpsid }) => posts.get(lpsid ?? '') }],
    profile: { path: '/maps/:handle', find: ({ handle }) => context.accounts.find(handle ?? '') },
    describe(request) {
      const url = textOf(partOf(request, 'callToAction')['url']) ?? textOf(partOf(request, 'offer')['redeemOnlineUrl'])
      return {
        title: textOf(partOf(request, 'event')['title']),
        link: url === undefined ? undefined : { url, title: undefined, description: undefined },
        hidden: ['summary', 'event.title', 'callToAction.url', 'offer.redeemOnlineUrl', 'media'],
      }
    },
    accountIdOf: (handle) => locationNameOf(context.name, handle),
    issueCredentials(account) {
      const access = issueAccess(context, account)
      return {
        accessToken: access.value,
        refreshToken: issueRefresh(context, account).value,
        expiresAtMs: access.expiresAtMs,
      }
    },
    tokenOf: (call) => call.bearer(),
    checkToken(token, { scope }) {
      if (token?.kind !== 'access' || stateOf(token, context.now()) !== 'live') throw new Refusal(failure(401))
      if (scope !== undefined && token.scopes?.has(scope) === false) throw scopeMissing()
      return token
    },
    failure,
    expiredToken: () => failure(401),
    rateHeaders: () => ({}),
  }
  return platform
}
