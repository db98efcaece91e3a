import { createHash, timingSafeEqual } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { Tx } from '../../infra/db/db.ts'
import { isWellFormedKey, newSecret } from '../api-keys/api-key.ts'
import { recordChange } from '../audit/record-change.ts'
import { findDevice, notePoll } from './client.store.ts'
import {
  type CodeRow,
  type GrantRow,
  deleteToken,
  endGrant,
  findToken,
  insertTokens,
  lockCode,
  lockLiveGrant,
  markCodeUsed,
  markReplaced,
} from './grant.store.ts'
import { OauthError } from './oauth-error.ts'
import type { Form } from './read-form.ts'
import { secretHash } from './secret-hash.ts'

const accessSeconds = 3600
const refreshMs = 30 * 86_400_000
/** A client whose response was lost, or two processes of one client, may use a refresh token again within this time. */
const reuseMs = 30_000
/** How often a device may ask whether the person has decided. */
export const pollSeconds = 5

export type TokenResponse = {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  refresh_token: string
  scope: string
  /** Not part of OAuth: the workspace in which the program acts, because the API wants to be told. */
  workspace_id: string
}

type Refusal = { refused: OauthError }
const refuse = (...args: ConstructorParameters<typeof OauthError>): Refusal => ({ refused: new OauthError(...args) })

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
export const grantTypes = ['authorization_code', 'refresh_token', deviceGrant] as const

/** `/oauth/token`. A refusal may end a grant, so it is returned from the transaction and thrown after its commit. */
export async function issueTokens(ctx: Context, form: Form, traceId: string): Promise<TokenResponse> {
  const exchange = exchanges[form['grant_type'] ?? '']
  if (!exchange) throw new OauthError('unsupported_grant_type', `grant_type must be one of ${grantTypes.join(', ')}.`)
  if (!form['client_id']) throw new OauthError('invalid_client', 'client_id is missing.', 401)
  const made = await ctx.db.system.transaction().execute((tx) => exchange({ ctx, tx, form, traceId, nowMs: ctx.nowMs() }))
  if ('refused' in made) throw made.refused
  return made
}

type Exchange = { ctx: Context; tx: Tx; form: Form; traceId: string; nowMs: number }

const exchanges: Readonly<Record<string, (exchange: Exchange) => Promise<TokenResponse | Refusal>>> = {
  authorization_code: exchangeCode,
  refresh_token: exchangeRefreshToken,
  [deviceGrant]: exchangeDeviceCode,
}

async function exchangeCode(exchange: Exchange): Promise<TokenResponse | Refusal> {
  const { tx, form, nowMs } = exchange
  const hash = secretHash(form['code'] ?? '')
  const code = await lockCode(tx, hash)
  if (!code || code.redirect_uri === null || code.challenge === null || code.expires_at.getTime() <= nowMs)
    return refuse('invalid_grant', 'The code is unknown or has expired.')
  const live = await takeCode(exchange, code, 'code')
  if ('refused' in live) return live
  if (code.redirect_uri !== form['redirect_uri'])
    return refuse('invalid_grant', 'redirect_uri is not the one of the authorization request.')
  if (!isVerified(code.challenge, form['code_verifier']))
    return refuse('invalid_grant', 'code_verifier does not fit the code_challenge of the authorization request.')
  return isForResource(live, form) ? insertPair(exchange, live) : wrongTarget
}

async function exchangeDeviceCode(exchange: Exchange): Promise<TokenResponse | Refusal> {
  const { tx, form, nowMs } = exchange
  const hash = secretHash(form['device_code'] ?? '')
  const device = await findDevice(tx, hash)
  if (device) {
    if (device.client_id !== form['client_id']) return refuse('invalid_grant', 'The device code is not for this client.')
    if (device.expires_at.getTime() <= nowMs) return refuse('expired_token', 'The code has expired; start again.')
    if (device.denied_at) return refuse('access_denied', 'The person did not allow it.')
    const isTooSoon = device.polled_at !== null && nowMs - device.polled_at.getTime() < (pollSeconds - 1) * 1000
    await notePoll(tx, hash, new Date(nowMs))
    return isTooSoon
      ? refuse('slow_down', `Ask every ${pollSeconds} seconds at most.`)
      : refuse('authorization_pending', 'The person has not decided yet.')
  }
  const code = await lockCode(tx, hash)
  if (!code || code.challenge !== null || code.expires_at.getTime() <= nowMs)
    return refuse('expired_token', 'The code is unknown or has expired; start again.')
  const live = await takeCode(exchange, code, 'device code')
  if ('refused' in live) return live
  return isForResource(live, form) ? insertPair(exchange, live) : wrongTarget
}

/** Takes a code that a person allowed, once: also a request that is refused afterwards has used it. */
async function takeCode(exchange: Exchange, code: CodeRow, name: string): Promise<GrantRow | Refusal> {
  const { tx, form, nowMs } = exchange
  const grant = { workspaceId: code.workspace_id, grantId: code.grant_id }
  if (code.used_at) {
    // Two programs have the code, and one of them should not. What the first one got ends as well.
    await endStolen(exchange, grant)
    return refuse('invalid_grant', `The ${name} was used before, so the access ended.`)
  }
  await markCodeUsed(tx, code.hash, new Date(nowMs))
  const live = await lockLiveGrant(tx, grant)
  if (!live || live.client_id !== form['client_id']) return refuse('invalid_grant', `The ${name} is not for this client.`)
  return live
}

async function exchangeRefreshToken(exchange: Exchange): Promise<TokenResponse | Refusal> {
  const { tx, form, nowMs } = exchange
  const unknown = refuse('invalid_grant', 'The refresh token is unknown, was ended or has expired.')
  const found = await findRefreshToken(tx, form['refresh_token'])
  if (!found) return unknown
  const live = await lockLiveGrant(tx, { workspaceId: found.workspace_id, grantId: found.grant_id })
  // Read again: another request may have exchanged it while this one waited for the lock.
  const token = live && (await findRefreshToken(tx, form['refresh_token']))
  if (!live || !token || token.expires_at.getTime() <= nowMs) return unknown
  if (live.client_id !== form['client_id']) return refuse('invalid_grant', 'The refresh token is not for this client.')
  if (token.replaced_at && nowMs - token.replaced_at.getTime() > reuseMs) {
    await endStolen(exchange, { workspaceId: live.workspace_id, grantId: live.id })
    return refuse('invalid_grant', 'The refresh token was used before, so the access ended.')
  }
  if (!isForResource(live, form)) return wrongTarget
  const asked = form['scope']?.split(' ').filter(Boolean) ?? []
  if (asked.some((scope) => !live.scopes.includes(scope))) return refuse('invalid_scope', 'The access does not have this scope.')
  await markReplaced(tx, token.hash, new Date(nowMs))
  return insertPair(exchange, live)
}

async function findRefreshToken(tx: Tx, secret: string | undefined) {
  if (secret === undefined || !secret.startsWith('cr_') || !isWellFormedKey(secret)) return undefined
  const token = await findToken(tx, secretHash(secret))
  return token?.kind === 'refresh' ? token : undefined
}

const wrongTarget = refuse('invalid_target', 'resource is not the one that the person allowed.')

function isForResource({ resource }: GrantRow, form: Form): boolean {
  return form['resource'] === undefined || form['resource'] === resource
}

/** Only S256: the challenge of `plain` is the verifier, and whoever reads the request has it. */
function isVerified(challenge: string, verifier: string | undefined): boolean {
  if (verifier === undefined || !/^[\w.~-]{43,128}$/.test(verifier)) return false
  const [given, right] = [createHash('sha256').update(verifier).digest(), Buffer.from(challenge, 'base64url')]
  return given.length === right.length && timingSafeEqual(given, right)
}

async function insertPair({ tx, nowMs }: Exchange, grant: GrantRow): Promise<TokenResponse> {
  const [access, refresh] = [newSecret('ca'), newSecret('cr')]
  const owner = { workspace_id: grant.workspace_id, grant_id: grant.id, person_id: grant.person_id }
  await insertTokens(tx, [
    { ...owner, hash: secretHash(access), kind: 'access', expires_at: new Date(nowMs + accessSeconds * 1000) },
    { ...owner, hash: secretHash(refresh), kind: 'refresh', expires_at: new Date(nowMs + refreshMs) },
  ])
  return {
    access_token: access,
    token_type: 'Bearer',
    expires_in: accessSeconds,
    refresh_token: refresh,
    scope: grant.scopes.join(' '),
    workspace_id: grant.workspace_id,
  }
}

async function endStolen(
  { ctx, tx, traceId, nowMs }: Exchange,
  { workspaceId, grantId }: { workspaceId: string; grantId: string },
): Promise<void> {
  if (!(await endGrant(tx, { workspaceId, grantId }, { at: new Date(nowMs), personId: null }))) return
  ctx.log.warn({ workspaceId, grantId }, 'a code or refresh token of a program was used twice, so its access ended')
  const by = { workspaceId, personId: null, apiKeyId: grantId }
  await recordChange(tx, { action: 'grant.end', subjectId: grantId, by, nowMs, traceId })
}

/** `/oauth/revoke` (RFC 7009). A refresh token ends the whole grant. An unknown token is no error: it is as it should be. */
export async function revokeToken(ctx: Context, form: Form, traceId: string): Promise<void> {
  const secret = form['token'] ?? ''
  if (!/^c[ar]_/.test(secret) || !isWellFormedKey(secret)) return
  const nowMs = ctx.nowMs()
  await ctx.db.system.transaction().execute(async (tx) => {
    const token = await findToken(tx, secretHash(secret))
    if (!token) return
    const grant = { workspaceId: token.workspace_id, grantId: token.grant_id }
    const live = await lockLiveGrant(tx, grant)
    if (!live || (form['client_id'] !== undefined && form['client_id'] !== live.client_id)) return
    if (token.kind === 'access') return deleteToken(tx, token.hash)
    await endGrant(tx, grant, { at: new Date(nowMs), personId: null })
    const by = { workspaceId: grant.workspaceId, personId: token.person_id, apiKeyId: grant.grantId }
    await recordChange(tx, { action: 'grant.end', subjectId: grant.grantId, by, nowMs, traceId })
  })
}
