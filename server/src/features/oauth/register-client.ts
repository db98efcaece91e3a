import { createHash, randomBytes } from 'node:crypto'
import type { Context } from '../../context.ts'
import { clientNetwork } from '../../infra/rate-limit/client-network.ts'
import { throttleAttempt } from '../people/attempts/throttle-attempt.ts'
import {
  type ClientRow,
  countClients,
  deleteUnusedClients,
  findByFingerprint,
  lockClients,
  type NewClient,
  putClient,
} from './client.store.ts'
import { OauthError } from './oauth-error.ts'
import { findRedirectError, withoutPort } from './redirect-uri.ts'

/** All programs that are known at a time. Strangers can register programs, and must not fill the database. */
export const clientsMax = 2000
export const redirectsMax = 10
const nameLengthMax = 60
const registrationLimit = { name: 'registrations of programs', max: 60, windowMs: 3_600_000 }
/** A program that registered a moment ago is about to ask a person. */
const pendingMs = 600_000
const evictedMax = 50

/**
 * Dynamic registration (RFC 7591) of a program without a secret. The name is a claim of the program. Equal registrations are the same
 * program: some register again whenever they start.
 */
export async function registerClient(ctx: Context, body: unknown, ip: string) {
  await throttleAttempt(ctx, registrationLimit, clientNetwork(ip))
  const { name, redirectUris } = readRegistration(body)
  const canonical = JSON.stringify([name, redirectUris.map(withoutPort).toSorted()])
  const fingerprint = createHash('sha256').update(canonical).digest()
  const at = new Date(ctx.nowMs())
  const row = { id: randomBytes(16).toString('base64url'), source: 'registered' as const, name, redirect_uris: redirectUris }
  const { id, created_at } = await addClient(ctx, { ...row, fingerprint, created_at: at })
  return {
    client_id: id,
    client_id_issued_at: Math.floor(created_at.getTime() / 1000),
    client_name: name,
    redirect_uris: redirectUris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  }
}

/** Adds a program or finds the equal one. When there are too many, those that nobody gave access make room. */
export async function addClient(ctx: Context, row: NewClient): Promise<Pick<ClientRow, 'id' | 'created_at'>> {
  return ctx.db.system.transaction().execute(async (tx) => {
    await lockClients(tx)
    const equal = row.fingerprint ? await findByFingerprint(tx, row.fingerprint) : undefined
    if (equal) return equal
    if ((await countClients(tx)) >= clientsMax) {
      const before = new Date(ctx.nowMs() - pendingMs)
      if ((await deleteUnusedClients(tx, { before, max: evictedMax, isNever: true })) === 0)
        throw new OauthError('temporarily_unavailable', 'Too many programs have registered; try again in ten minutes.', 503)
    }
    await putClient(tx, row)
    return row
  })
}

function readRegistration(body: unknown): { name: string; redirectUris: string[] } {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new OauthError('invalid_client_metadata', 'The body must be a JSON object.')
  const { redirect_uris: uris, client_name } = body as Record<string, unknown>
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > redirectsMax)
    throw new OauthError('invalid_redirect_uri', `redirect_uris must have 1 to ${redirectsMax} addresses.`)
  const redirectUris = uris.map((uri: unknown) => {
    const reason = typeof uri === 'string' ? findRedirectError(uri) : 'A redirect URI is not an address.'
    if (typeof uri !== 'string' || reason !== null) throw new OauthError('invalid_redirect_uri', reason ?? '')
    return uri
  })
  const [first = ''] = redirectUris
  return { name: cleanName(client_name) ?? (new URL(first).host || new URL(first).protocol), redirectUris }
}

/** A name without characters that hide or turn around what is written. Null if nothing is left. */
export function cleanName(name: unknown): string | null {
  if (typeof name !== 'string') return null
  const clean = name
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return [...clean].slice(0, nameLengthMax).join('') || null
}
