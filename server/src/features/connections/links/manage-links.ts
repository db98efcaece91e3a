import type { BodyOf, ConnectLink, QueryOf, connectLinks } from '@carillon/contract'
import { type Platform, isPlatform } from '@carillon/contract'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../infra/db/db.ts'
import { externalFields } from '../../../infra/db/external-columns.ts'
import { newId } from '../../../infra/db/ids.ts'
import { cellQuery } from '../../../infra/db/sql-parts.ts'
import { Answer, type RequestScope } from '../../../infra/http/request-scope.ts'
import { problem } from '../../../infra/problem/problem.ts'
import { lockQuota } from '../../../infra/quota/quota.store.ts'
import { seal } from '../../../infra/sealing/seal.ts'
import { findPerson } from '../../people/find-person.ts'
import { findReturnOrigins } from '../../workspaces/return-origins.ts'
import { needsApp, missingAppMessage } from '../connect/connect-method.ts'
import { hashOf, newRandomToken } from '../connect/connect-state.ts'
import { findConnection, hasExternalId } from '../connection.store.ts'
import { hasApp } from '../apps/find-own-app.ts'
import {
  type ConnectLinkRow,
  countOpenLinks,
  insertConnectLink,
  listConnectLinks,
  revokeConnectLink,
} from './connect-link.store.ts'
import { linkState } from './guard-link.ts'

const dayMs = 86_400_000
const daysDefault = 7
const openMax = 10_000

/** Makes a link. Only this answer has its address and the secret that the way back is signed with. */
export async function createConnectLink(
  { ctx, tx, principal, nowMs }: RequestScope,
  body: BodyOf<typeof connectLinks.create>,
): Promise<Answer<ConnectLink>> {
  const { workspaceId, personId, apiKeyId } = principal
  const { connectionId, expiresInDays = daysDefault, returnUrl, externalId, metadata = {} } = body
  const platforms = await chosenPlatforms(ctx, tx, workspaceId, body)
  if (returnUrl !== undefined) await guardReturnUrl(tx, workspaceId, returnUrl)
  if (externalId !== undefined && (await hasExternalId(tx, workspaceId, externalId))) throw problem('external_id_taken')
  await lockQuota(tx, `connect links ${workspaceId}`)
  if ((await countOpenLinks(tx, workspaceId, new Date(nowMs))) >= openMax)
    throw problem('quota_reached', { message: `This workspace has ${openMax} open connect links. Revoke some first.` })
  const token = newRandomToken()
  const secret = returnUrl === undefined ? null : `clr_${newRandomToken()}`
  const id = newId(nowMs)
  const row = {
    workspace_id: workspaceId,
    id,
    token_hash: hashOf(token),
    person_id: personId,
    api_key_id: apiKeyId,
    platforms,
    connection_id: connectionId ?? null,
    is_reconnect: connectionId !== undefined,
    external_id: externalId ?? null,
    metadata,
    return_url: returnUrl ?? null,
    return_secret_sealed: secret === null ? null : seal(ctx.config.secretKeys, placeOfSecret({ workspaceId, id }), secret),
    created_at: new Date(nowMs),
    expires_at: new Date(nowMs + expiresInDays * dayMs),
    used_at: null,
    revoked_at: null,
  }
  await insertConnectLink(tx, { ...row, metadata: JSON.stringify(metadata) })
  const maker = (await findPerson(tx, personId))?.name ?? null
  const shown = presentLink({ ...row, maker }, nowMs)
  const url = `${ctx.config.publicUrl}/integrations/link?token=${token}${cellQuery(ctx.config)}`
  return new Answer({ ...shown, url, ...(secret !== null && { returnSecret: secret }) }, { subjectId: id, withoutSecret: shown })
}

export function placeOfSecret({ workspaceId, id }: { workspaceId: string; id: string }) {
  return { workspaceId, rowId: id, column: 'return_secret' }
}

/** The platforms of a link: those that were named, or that of the connection which is to be renewed. */
async function chosenPlatforms(
  ctx: Context,
  tx: Tx,
  workspaceId: string,
  { platforms, connectionId, externalId, metadata }: BodyOf<typeof connectLinks.create>,
): Promise<Platform[]> {
  const refuse = (path: string, message: string) => problem('request_invalid', { details: [{ path, message }] })
  if (connectionId !== undefined) {
    if (platforms !== undefined) throw refuse('platforms', 'A link that renews a connection has its platform; leave this out.')
    if (externalId !== undefined || metadata !== undefined)
      throw refuse('externalId', 'A connection that is renewed keeps its externalId and metadata; leave them out.')
    const row = await findConnection(tx, workspaceId, connectionId)
    if (!row || !isPlatform(row.platform)) throw problem('connection_not_found')
    return [row.platform]
  }
  if (platforms === undefined) throw refuse('platforms', 'Name the platforms, or the connection to renew.')
  for (const platform of platforms)
    if (needsApp(ctx.connectors[platform].auth) && !(await hasApp(ctx, workspaceId, platform)))
      throw problem('platform_not_configured', { message: missingAppMessage(platform) })
  return platforms
}

async function guardReturnUrl(tx: Tx, workspaceId: string, returnUrl: string): Promise<void> {
  const refuse = (message: string) => problem('return_url_refused', { details: [{ path: 'returnUrl', message }] })
  const url = URL.canParse(returnUrl) ? new URL(returnUrl) : null
  if (url?.protocol !== 'https:') throw refuse('Must be an https address.')
  if (url.username !== '' || url.password !== '' || url.hash !== '') throw refuse('Must have no user name and no fragment.')
  if (!(await isReturnAllowed(tx, workspaceId, returnUrl)))
    throw refuse(`The origin ${url.origin} is not allowed in this workspace.`)
}

/** Asked again when a person comes back: an admin may have removed the origin since the link was made. */
export async function isReturnAllowed(tx: Tx, workspaceId: string, returnUrl: string): Promise<boolean> {
  return (await findReturnOrigins(tx, workspaceId)).includes(new URL(returnUrl).origin)
}

const pageMax = 100

export async function listLinks(
  { tx, principal, nowMs }: RequestScope,
  { limit = pageMax, cursor }: QueryOf<typeof connectLinks.list>,
): Promise<ConnectLink[]> {
  const rows = await listConnectLinks(tx, principal.workspaceId, { limit, cursor })
  return rows.map((row) => presentLink(row, nowMs))
}

export async function revokeLink({ tx, principal: { workspaceId }, nowMs }: RequestScope, id: string): Promise<Answer<null>> {
  if (!(await revokeConnectLink(tx, { workspaceId, id }, new Date(nowMs)))) throw problem('connect_link_not_found')
  return new Answer(null, { subjectId: id })
}

function presentLink(row: Omit<ConnectLinkRow, 'token_hash'> & { maker: string | null }, nowMs: number): ConnectLink {
  return {
    id: row.id,
    platforms: row.platforms.filter(isPlatform),
    connectionId: row.connection_id,
    isReconnect: row.is_reconnect,
    returnUrl: row.return_url,
    state: linkState(row, nowMs),
    createdBy: row.maker === null ? null : { userId: row.person_id, name: row.maker },
    apiKeyId: row.api_key_id,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    usedAt: row.used_at?.toISOString() ?? null,
    ...externalFields(row),
  }
}
