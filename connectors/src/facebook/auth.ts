import type { Account } from '../kit/auth.ts'
import type { OAuth2 } from '../kit/auth.ts'
import type { Http } from '../kit/http.ts'
import { Token } from '../kit/oauth2.ts'
import { graphSignIn } from '../meta/graph-auth.ts'
import { nextCursor } from '../meta/paging.ts'
import { CreatedObject, Pages, Permissions } from './wire.ts'
import { accountOf, pageFields } from './page.ts'

export const origin = 'https://graph.facebook.com'

const tokenUrl = 'https://graph.facebook.com/v26.0/oauth/access_token'
const pagesPerCall = 100
const callsMax = 10

/**
 * A person signs in, and each page they manage has a token of its own. That one has no end if it is asked for with a token of 60 days, so the
 * tokens of the pages are stored beside the person's and nothing is ever renewed.
 */
export const auth: OAuth2 = {
  ...graphSignIn,
  authorizeUrl: 'https://www.facebook.com/v26.0/dialog/oauth',
  tokenUrl,
  apiOrigin: origin,
  // Pages that belong to a business are listed only with the last one.
  scopes: [
    'pages_show_list',
    'pages_read_engagement',
    'pages_manage_posts',
    'pages_manage_engagement',
    'pages_read_user_content',
    'read_insights',
    'business_management',
  ],
  isForTargetsOnly: true,

  async targets(http) {
    const [{ id: appUserId }, pages] = await Promise.all([
      http.call({ method: 'GET', path: '/v26.0/me', query: { fields: 'id' }, returns: CreatedObject }),
      listPages(http),
    ])
    return pages.map(({ account }) => ({ ...account, appUserId }))
  },

  async getLongLivedToken({ http, credentials, app }) {
    const query = {
      grant_type: 'fb_exchange_token',
      client_id: app?.clientId,
      client_secret: app?.clientSecret,
      fb_exchange_token: credentials.accessToken,
    }
    const path = '/v26.0/oauth/access_token'
    const { access_token: accessToken } = await http.call({ method: 'GET', path, query, anonymous: true, returns: Token })
    const headers = { authorization: `Bearer ${accessToken}` }
    const permissions = await http.call({ method: 'GET', path: '/v26.0/me/permissions', headers, returns: Permissions })
    const scopes = permissions.data.filter(({ status }) => status === 'granted').map(({ permission }) => permission)
    const tokens = (await listPages(http, headers)).flatMap(({ account, token }) =>
      token === undefined ? [] : [[account.id, token]],
    )
    return { accessToken, scopes, extra: Object.fromEntries(tokens) }
  },
}

type ManagedPage = { account: Account; token: string | undefined }

/** The pages on which the person may post. */
async function listPages(http: Http, headers: Record<string, string> = {}): Promise<ManagedPage[]> {
  const pages: ManagedPage[] = []
  let after: string | null = null
  for (let call = 0; call < callsMax; call++) {
    const query = { fields: `${pageFields},access_token,tasks`, limit: String(pagesPerCall), after: after ?? undefined }
    const { data, paging } = await http.call({ method: 'GET', path: '/v26.0/me/accounts', query, headers, returns: Pages })
    for (const { access_token: token, tasks = ['CREATE_CONTENT'], ...page } of data)
      if (tasks.includes('CREATE_CONTENT')) pages.push({ account: accountOf(page), token })
    after = nextCursor(paging)
    if (after === null) break
  }
  return pages
}
