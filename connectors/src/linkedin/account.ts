import type { Account } from '../kit/auth.ts'
import type { Http } from '../kit/http.ts'
import { PlatformError } from '../kit/platform-error.ts'
import { restHeaders } from './rest.ts'
import { Organization, Roles, UserInfo } from './wire.ts'

/** Self-serve apps cannot read a person's public handle, so the id is used instead. */
export async function readPerson(http: Http): Promise<Account> {
  const me = await http.call({ method: 'GET', path: '/v2/userinfo', returns: UserInfo })
  return { id: `urn:li:person:${me.sub}`, handle: me.sub, displayName: me.name || me.sub, avatarUrl: me.picture ?? null }
}

export async function readPage(http: Http, urn: string): Promise<Account> {
  const id = urn.split(':').at(-1) ?? ''
  const path = `/rest/organizations/${encodeURIComponent(id)}`
  const page = await http.call({ method: 'GET', path, headers: restHeaders, returns: Organization })
  return { id: urn, handle: page.vanityName || id, displayName: page.localizedName || page.vanityName || id, avatarUrl: null }
}

const rolesPerPage = 100
const rolesMax = 1000
const pagesAtOnce = 10

/** These roles may post. LinkedIn's page about posting names the first one only. */
const postingRoles = ['ADMINISTRATOR', 'CONTENT_ADMINISTRATOR', 'DIRECT_SPONSORED_CONTENT_POSTER']

/** The pages a person may post to. An app that LinkedIn has not approved for pages may not list them; then the list is empty. */
export async function listPages(http: Http): Promise<Account[]> {
  try {
    const urns = await listPageUrns(http)
    const pages: Account[] = []
    for (let from = 0; from < urns.length; from += pagesAtOnce)
      pages.push(...(await Promise.all(urns.slice(from, from + pagesAtOnce).map((urn) => readPage(http, urn)))))
    return pages
  } catch (error) {
    if (error instanceof PlatformError && error.platformCode === 'ACCESS_DENIED') return []
    throw error
  }
}

async function listPageUrns(http: Http): Promise<string[]> {
  const urns = new Set<string>()
  for (let start = 0; start < rolesMax; start += rolesPerPage) {
    const query = { q: 'roleAssignee', state: 'APPROVED', start: String(start), count: String(rolesPerPage) }
    const path = '/rest/organizationAcls'
    const { elements } = await http.call({ method: 'GET', path, query, headers: restHeaders, returns: Roles })
    for (const { organization, role } of elements) if (postingRoles.includes(role)) urns.add(organization)
    if (elements.length < rolesPerPage) break
  }
  return [...urns]
}
