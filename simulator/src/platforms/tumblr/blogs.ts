import type { Call } from '../../http/call.ts'
import { json } from '../../http/reply.ts'
import type { Route, Session } from '../../platform.ts'
import type { Account } from '../../state/entities.ts'
import { accountDigest, followersOf } from '../../state/ids.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import { refusal } from './errors.ts'

const writerPrefix = 'writer-'

/** A blog has an id that stays when it is renamed. */
export function blogIdOf(platform: string, handle: string): string {
  return `t:${accountDigest(platform, handle).toString('base64url').slice(0, 22)}`
}

/**
 * The blogs to which a person may post. In the simulator an account is a blog, and the person with the same name has it alone; a writer has two,
 * of which the second in the list is the primary one.
 */
function blogsOf(context: PlatformContext, { handle }: Account): Account[] {
  const name = handle.slice(writerPrefix.length)
  const handles = handle.startsWith(writerPrefix) ? [`${name}-sketches`, name] : [handle]
  return handles.map((blog) => context.accounts.open(blog, { id: () => blogIdOf(context.name, blog), atMs: context.now() }))
}

/** The blog in the path, by its name, its host name or its id. Everybody may read a blog; only its people may post there. */
export function blogOf(context: PlatformContext, { params }: Call, { account }: Session, isForWriting = true): Account {
  const named = (params['blog'] ?? '').replace(/\.tumblr\.com$/, '')
  const isNamed = (blog: Account) => blog.id === named || blog.handle === named
  const own = blogsOf(context, account).find(isNamed)
  if (own) return own
  const other = context.accounts.all().find(isNamed)
  if (!other) throw refusal(404)
  if (isForWriting) throw refusal(403, 0, 'You are not a member of this blog.')
  return other
}

export function userRoutes(context: PlatformContext): Route[] {
  const charges = [{ limit: 'hour', cost: 1 }]
  const info = ({ account }: Session) => {
    const all = blogsOf(context, account)
    const blogs = all.map((blog, at) => ({
      name: blog.handle,
      uuid: blog.id,
      title: blog.handle.endsWith('-untitled') ? '' : `The blog ${blog.handle}`,
      url: `${context.origin}/${blog.handle}`,
      avatar: [512, 64].map((width) => ({ width, height: width, url: context.avatarUrlOf(blog.handle) })),
      primary: at === all.length - 1,
      followers: followersOf(blog),
      tweet: 'N',
      type: 'public',
    }))
    const user = { following: 0, default_post_format: 'html', name: account.handle, likes: 0, blogs }
    return json(200, { meta: { status: 200, msg: 'OK' }, response: { user } })
  }
  return [
    {
      method: 'GET',
      path: '/v2/user/info',
      operation: 'account',
      scope: 'basic',
      charges,
      handle: (_, session) => info(session),
    },
  ]
}
