import { textOf } from '../../http/fields.ts'
import type { Platform, PlatformFactory } from '../../platform.ts'
import { accountNumber, randomToken } from '../../state/ids.ts'
import { PlatformContext } from '../../state/platform-context.ts'
import type { SimulatorState } from '../../state/simulator-state.ts'
import { stateOf } from '../../state/tokens.ts'
import { commentRoutes } from './comments.routes.ts'
import { failure, refusal } from './errors.ts'
import { mediaRoutes } from './media.routes.ts'
import { countText, postRoutes } from './posts.routes.ts'
import { encodeToken, siteRoutes, tokenOf } from './site.ts'
import { termRoutes } from './terms.routes.ts'

const passwordLength = 24

export const wordpress: PlatformFactory = { name: 'wordpress', create }

/** One site with many people. WordPress has no rate limits of its own. */
function create(simulator: SimulatorState): Platform {
  const context = new PlatformContext('wordpress', simulator, { limits: {} })
  const terms = termRoutes(context)
  const posts = postRoutes(context, terms)
  return {
    context,
    title: 'WordPress',
    colour: '#21759b',
    countText,
    routes: [
      ...siteRoutes(context),
      ...mediaRoutes(context),
      ...terms.routes,
      ...posts.routes,
      ...commentRoutes(context, posts.find),
    ],
    pages: [{ path: '/archives/:id', find: ({ id }) => context.findPost((post) => post.id === id) }],
    profile: { path: '/author/:handle', find: ({ handle }) => context.accounts.find(handle ?? '') },
    describe: ({ title }) => ({
      title: textOf(title),
      hidden: ['title', 'content', 'slug', 'status', 'featured_media', 'post'],
    }),
    accountIdOf: (handle) => accountNumber(context.name, handle, 9),
    issueCredentials(account) {
      // An application password is valid until the person takes it back.
      const password = randomToken(48).replaceAll(/[-_]/g, '').slice(0, passwordLength)
      const { value } = context.tokens.issue({
        value: encodeToken(account.handle, password),
        kind: 'access',
        account,
        issuedAtMs: context.now(),
        expiresAtMs: context.now() + context.accessLifetimeMs(Infinity),
      })
      return { accessToken: value, extra: { password } }
    },
    tokenOf,
    checkToken(token, { sentToken }) {
      if (sentToken === undefined) throw refusal('rest_not_logged_in')
      if (!token || stateOf(token, context.now()) !== 'live') throw refusal('incorrect_password')
      return token
    },
    failure,
    expiredToken: () => refusal('incorrect_password').reply,
    rateHeaders: () => ({}),
  }
}
