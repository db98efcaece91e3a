import type { Call } from '../../http/call.ts'
import { json, type Reply } from '../../http/reply.ts'
import type { Route, Session } from '../../platform.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import { findActingAccount, isPage, pagesOf, roleOf, urnOf } from './author.ts'
import { accessDenied, refuseRest } from './errors.ts'
import { requireScope, versioned } from './versioned.ts'

export function memberRoutes(context: PlatformContext): Route[] {
  /** An app approved for pages may have no other product, so the token of a page's administrator has no OpenID scope. */
  const userInfo = (session: Session): Reply => {
    requireScope(session, 'profile')
    const { account } = session
    if (isPage(account)) throw accessDenied('Not enough permissions to access: userinfo.GET.NO_VERSION')
    return json(200, { sub: account.id.split(':').at(-1), name: account.handle, picture: context.avatarUrlOf(account.handle) })
  }

  const listRoles = ({ query }: Call, session: Session): Reply => {
    requireScope(session, 'rw_organization_admin', 'r_organization_admin')
    const { account } = session
    const roleAssignee = isPage(account) ? urnOf(context.name, `${account.handle} administrator`) : account.id
    const role = { role: roleOf(account), state: 'APPROVED', roleAssignee }
    const all = pagesOf(context, account)
      .map((page) => ({ ...role, organization: page.id }))
      .filter((one) => one.role === (query.get('role') ?? one.role))
    const start = Number(query.get('start') ?? 0)
    const count = Math.min(100, Number(query.get('count') ?? 10))
    return json(200, { elements: all.slice(start, start + count), paging: { start, count, links: [], total: all.length } })
  }

  const readPage = (id: string, session: Session): Reply => {
    requireScope(session, 'rw_organization_admin', 'r_organization_admin', 'r_organization_social')
    const urn = `urn:li:organization:${id}`
    const page = findActingAccount(context, session, urn) ?? context.accounts.findById(urn)
    if (!page) throw refuseRest(404, 'RESOURCE_NOT_FOUND', `Could not find organization ${id}`)
    return json(200, { id: Number(id), localizedName: page.handle, vanityName: page.handle, $URN: page.id })
  }

  return [
    { method: 'GET', path: '/v2/userinfo', operation: 'account', handle: (_, session) => userInfo(session) },
    {
      method: 'GET',
      path: '/rest/organizationAcls',
      operation: 'account',
      handle: versioned(context, listRoles),
    },
    {
      method: 'GET',
      path: '/rest/organizations/:id',
      operation: 'account',
      handle: versioned(context, ({ params }, session) => readPage(params['id'] ?? '', session)),
    },
  ]
}
