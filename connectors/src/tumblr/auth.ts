import type { Account, OAuth2 } from '../kit/auth.ts'
import type { Http } from '../kit/http.ts'
import { refreshCredentials } from '../kit/oauth2.ts'
import { webUrl } from '../kit/web-address.ts'
import { type Blog, UserInfo } from './wire.ts'

const endpoint = { tokenUrl: '/v2/oauth2/token', clientAuth: 'form' } as const

const dayMs = 86_400_000

/**
 * A person signs in, and every blog to which they may post is a target. An access token is valid for 42 minutes. A refresh token works once and
 * for 42 days (tumblr/docs issue 134, 2024-08-06).
 */
export const auth: OAuth2 = {
  ...endpoint,
  kind: 'oauth2',
  authorizeUrl: 'https://www.tumblr.com/oauth2/authorize',
  // Only the person can take the permission back, in the settings of Tumblr.
  revokeUrl: null,
  scopes: ['basic', 'write', 'offline_access'],
  scopeSeparator: ' ',
  pkce: false,
  perInstance: false,
  portalUrl: 'https://www.tumblr.com/oauth/apps',
  isForTargetsOnly: true,
  refreshLastsMs: 42 * dayMs,

  async targets(http) {
    return (await listBlogs(http)).map(accountOf)
  },

  renew: (renewal) => refreshCredentials(endpoint, 'Tumblr', renewal),
}

/** The blogs to which the person may post, the primary one first. */
export async function listBlogs(http: Http): Promise<Blog[]> {
  const { response } = await http.call({ method: 'GET', path: '/v2/user/info', returns: UserInfo })
  return response.user.blogs.toSorted((a, b) => Number(b.primary === true) - Number(a.primary === true))
}

/** A blog is known by its id, because its name can be changed. */
export function accountOf({ uuid, name, title, avatar = [] }: Blog): Account {
  return { id: uuid, handle: name, displayName: title?.trim() || name, avatarUrl: webUrl(avatar[0]?.url) }
}
