import { textOf } from '../../http/fields.ts'
import type { Platform, PlatformFactory } from '../../platform.ts'
import { PlatformContext } from '../../state/platform-context.ts'
import type { SimulatorState } from '../../state/simulator-state.ts'
import { failure, refusal } from './errors.ts'
import { fileRoutes } from './files.routes.ts'
import { checkKey, issueKey, keyOf } from './keys.ts'
import { countText, postRoutes } from './posts.routes.ts'
import { siteRoutes, siteUrl } from './site.routes.ts'

export const ghost: PlatformFactory = { name: 'ghost', create }

/** Ghost has no rate limits for integrations. */
function create(simulator: SimulatorState): Platform {
  const context = new PlatformContext('ghost', simulator, { limits: {} })
  return {
    context,
    title: 'Ghost',
    colour: '#15171a',
    countText,
    routes: [...siteRoutes(context), ...fileRoutes(context), ...postRoutes(context)],
    pages: [{ path: '/:slug/', find: ({ slug }) => context.findPost(({ url }) => url.endsWith(`/${slug}/`)) }],
    profile: { path: '/author/:handle/', find: ({ handle }) => context.accounts.find(handle ?? '') },
    describe: ({ title }) => ({
      title: textOf(title),
      hidden: ['title', 'html', 'slug', 'status', 'feature_image', 'feature_image_alt'],
    }),
    accountIdOf: siteUrl,
    issueCredentials: (account) => ({ accessToken: issueKey(context, account) }),
    tokenOf: (call) => keyOf(context, call),
    checkToken: (token, { sentToken }) => checkKey(context, token, sentToken),
    failure,
    expiredToken: () => refusal('UnauthorizedError', { message: 'Unknown Admin API Key', code: 'UNKNOWN_ADMIN_API_KEY' }).reply,
    rateHeaders: () => ({}),
  }
}
