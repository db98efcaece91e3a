import { randomInt } from 'node:crypto'
import type { Context } from '../../context.ts'
import { clientNetwork } from '../../infra/rate-limit/client-network.ts'
import { throttleAttempt } from '../people/attempts/throttle-attempt.ts'
import { countDevices, deleteExpiredDevices, findClientRow, insertDevice, lockClients } from './client.store.ts'
import { pollSeconds } from './issue-tokens.ts'
import { OauthError } from './oauth-error.ts'
import { readResource, readScopes } from './read-authorization.ts'
import type { Form } from './read-form.ts'
import { resourceUrl } from './rights.ts'
import { newCode, secretHash } from './secret-hash.ts'

const deviceSeconds = 600
const deviceLimit = { name: 'devices', max: 30, windowMs: 15 * 60_000 }
const devicesMax = 1000
/** Without vowels, so that no code is a word, and without characters that look alike. */
const letters = 'BCDFGHJKLMNPQRSTVWXZ'
const halfLength = 4

/**
 * Starts a sign-in of a program that has no browser (RFC 8628). Only for programs of this release: on this way nothing shows where a
 * program is, so another could take any name.
 */
export async function startDevice(ctx: Context, form: Form, ip: string) {
  await throttleAttempt(ctx, deviceLimit, clientNetwork(ip))
  const client = await findClientRow(ctx.db.system, form['client_id'] ?? '')
  if (!client) throw new OauthError('invalid_client', 'client_id is missing or unknown.', 401)
  if (client.source !== 'built_in') throw new OauthError('unauthorized_client', 'This client cannot sign in with a code.')
  const resource = readResource(ctx, form['resource'], 'api')
  const scopes = readScopes(form['scope'], resource)
  const [deviceCode, userCode] = [newCode(), newUserCode()]
  const nowMs = ctx.nowMs()
  await ctx.db.system.transaction().execute(async (tx) => {
    await lockClients(tx)
    await deleteExpiredDevices(tx, new Date(nowMs))
    if ((await countDevices(tx)) >= devicesMax)
      throw new OauthError('temporarily_unavailable', 'Too many programs are signing in; try again in ten minutes.', 503)
    await insertDevice(tx, {
      hash: secretHash(deviceCode),
      user_code_hash: userCodeHash(userCode),
      client_id: client.id,
      resource: resourceUrl(ctx.config.publicUrl, resource),
      scopes: [...scopes],
      created_at: new Date(nowMs),
      expires_at: new Date(nowMs + deviceSeconds * 1000),
    })
  })
  const page = `${ctx.config.publicUrl}/device`
  return {
    device_code: deviceCode,
    user_code: userCode,
    verification_uri: page,
    verification_uri_complete: `${page}?user_code=${userCode}`,
    expires_in: deviceSeconds,
    interval: pollSeconds,
  }
}

function newUserCode(): string {
  const half = () => Array.from({ length: halfLength }, () => letters[randomInt(letters.length)]).join('')
  return `${half()}-${half()}`
}

/** As it is shown: people type it with small letters, with spaces, or without the hyphen. */
export function normaliseUserCode(text: string): string {
  const code = text
    .slice(0, 50)
    .toUpperCase()
    .replaceAll(/[^A-Z]/g, '')
  return `${code.slice(0, halfLength)}-${code.slice(halfLength, 2 * halfLength)}`
}

export function userCodeHash(text: string): Buffer {
  return secretHash(`user code ${normaliseUserCode(text)}`)
}
