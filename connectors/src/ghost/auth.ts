import type { Static } from 'typebox'
import type { PasswordAuth } from '../kit/auth.ts'
import type { Http } from '../kit/http.ts'
import { explainFor, PlatformError, refuseEntered } from '../kit/platform-error.ts'
import { movedCode } from './errors.ts'
import { signToken } from './sign-token.ts'
import { Posts, Site } from './wire.ts'

export const api = '/ghost/api/admin'

const keyForm = /^[a-f\d]{24}:[a-f\d]{64}$/i

const because = explainFor('Ghost')

/** The oldest version of the API that has all that is used here. Newer sites take it. */
export const attach = (key: string, nowMs: number) => ({
  headers: { authorization: `Ghost ${signToken(key, nowMs)}`, 'accept-version': 'v5.0' },
})

export const auth: PasswordAuth = {
  kind: 'password',
  fields: [{ name: 'adminKey', label: 'Admin API key', secret: true }],
  perInstance: true,

  // A key is valid until somebody deletes its integration, or makes a new key for it.
  async open(http, fields, nowMs) {
    const key = (fields.adminKey ?? '').trim()
    if (!keyForm.test(key))
      throw refuseEntered(
        'Enter the Admin API key of a custom integration: 24 letters and digits, a colon, and 64 more. The Content API key is another one.',
      )
    const { headers } = attach(key, nowMs)
    await findSite(http, headers)
    const query = { limit: '1', fields: 'id,slug,url' }
    const call = { method: 'GET', path: `${api}/posts/`, query, anonymous: true, headers, returns: Posts } as const
    await http.call(call).catch(explainKey)
    return { accessToken: key }
  },
}

export async function readSite(http: Http): Promise<Static<typeof Site>['site']> {
  return (await http.call({ method: 'GET', path: `${api}/site/`, returns: Site })).site
}

/** It answers everybody. A site whose people write at another address leads there. */
async function findSite(http: Http, headers: Record<string, string>): Promise<void> {
  try {
    await http.call({ method: 'GET', path: `${api}/site/`, anonymous: true, headers, returns: Site })
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    if (error.platformCode === movedCode)
      throw refuseEntered('This address leads to another one. Enter the address at which you open Ghost Admin, without /ghost.')
    // A connection that failed has a cause; a page of something else has none.
    const isPage = (error.kind === 'unavailable' || error.kind === 'gone') && error.cause === undefined
    if (!isPage) throw error
    throw refuseEntered('No Ghost answers at this address with /ghost/. Enter the address at which you open Ghost Admin.')
  }
}

function explainKey(error: unknown): never {
  if (!(error instanceof PlatformError) || error.reason !== 'reconnect') throw error
  const { platformCode, platformMessage } = error
  const message =
    'The site does not take this key. Copy the Admin API key again, and check that the clocks of both servers are right.'
  throw new PlatformError({ kind: 'auth', platformCode, platformMessage, ...because('sign_in_refused'), message })
}
