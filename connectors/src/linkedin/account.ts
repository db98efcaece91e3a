import type { Account } from '../kit/account.ts'
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

/** The pages a person may post to. An app that LinkedIn has not approved for pages may not list them; then the list is empty. */
export async function listPages(http: Http): Promise<Account[]> {
  try {
    const query = { q: 'roleAssignee', state: 'APPROVED', role: 'ADMINISTRATOR', count: '100' }
    const path = '/rest/organizationAcls'
    const { elements } = await http.call({ method: 'GET', path, query, headers: restHeaders, returns: Roles })
    const urns = [...new Set(elements.map(({ organization }) => organization))]
    return await Promise.all(urns.map((urn) => readPage(http, urn)))
  } catch (error) {
    if (error instanceof PlatformError && error.platformCode === 'ACCESS_DENIED') return []
    throw error
  }
}
