import { textOf } from '../../http/fields.ts'
import type { Platform, PlatformFactory } from '../../platform.ts'
import { accountNumber } from '../../state/ids.ts'
import type { Limit } from '../../state/limits.ts'
import { PlatformContext } from '../../state/platform-context.ts'
import type { SimulatorState } from '../../state/simulator-state.ts'
import { stateOf } from '../../state/tokens.ts'
import { commentRoutes } from './comments.routes.ts'
import { failure, refusal } from './errors.ts'
import { imageRoutes } from './images.routes.ts'
import { issueToken, peopleRoutes } from './people.routes.ts'
import { postRoutes } from './posts.routes.ts'
import { countText } from './rules.ts'

const minuteMs = 60_000

/** The limits of a new server. Lemmy counts by address; here each account stands for one that is called from an address of its own. */
const limits: Record<string, Limit> = {
  message: { max: 180, windowMs: minuteMs, per: 'account' },
  post: { max: 6, windowMs: 10 * minuteMs, per: 'account' },
  comment: { max: 6, windowMs: 10 * minuteMs, per: 'account' },
  image: { max: 6, windowMs: 60 * minuteMs, per: 'account' },
  register: { max: 10, windowMs: 60 * minuteMs, per: 'account' },
}

export const lemmy: PlatformFactory = { name: 'lemmy', create }

function create(simulator: SimulatorState): Platform {
  const context = new PlatformContext('lemmy', simulator, { limits })
  const posts = postRoutes(context)
  return {
    context,
    title: 'Lemmy',
    colour: '#00b07c',
    countText,
    routes: [...peopleRoutes(context), ...imageRoutes(context), ...posts.routes, ...commentRoutes(context, posts)],
    pages: [{ path: '/post/:id', find: ({ id }) => context.findPost((post) => post.id === id && post.replyTo === null) }],
    profile: { path: '/u/:handle', find: ({ handle }) => context.accounts.find(handle ?? '') },
    describe: ({ name, url, community }) => ({
      title: textOf(name),
      visibility: textOf(community),
      link:
        typeof url === 'string' && !url.includes('/pictrs/image/')
          ? { url, title: undefined, description: undefined }
          : undefined,
      hidden: ['name', 'body', 'url', 'alt_text', 'community_id', 'community'],
    }),
    accountIdOf: (handle) => accountNumber(context.name, handle, 8),
    issueCredentials: (account) => ({
      accessToken: issueToken(context, account),
      extra: { password: account.password, community: 'bells' },
    }),
    tokenOf: (call) => call.bearer(),
    checkToken(token) {
      if (!token || stateOf(token, context.now()) !== 'live') throw refusal('incorrect_login')
      return token
    },
    failure,
    expiredToken: () => failure(401),
    rateHeaders: () => ({}),
  }
}
