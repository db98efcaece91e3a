import type { PasswordAuth } from '../kit/auth.ts'
import type { Attach } from '../kit/http.ts'
import { PlatformError, refuseEntered } from '../kit/platform-error.ts'
import { Me } from './wire.ts'

/** The kind of answer chooses the version of the API. */
export const attach: Attach = (accessToken) => ({
  headers: { 'api-key': accessToken, accept: 'application/vnd.forem.api-v1+json' },
})

export const auth: PasswordAuth = {
  kind: 'password',
  fields: [{ name: 'apiKey', label: 'API key', secret: true }],
  perInstance: true,

  // A key is valid until its person takes it back.
  async open(http, fields, nowMs) {
    const accessToken = (fields.apiKey ?? '').trim()
    if (!/^[\w-]{8,200}$/.test(accessToken))
      throw refuseEntered('Enter an API key, as Settings → Extensions shows it: letters and digits.')
    const { headers = {} } = attach(accessToken, nowMs)
    await http.call({ method: 'GET', path: '/api/users/me', anonymous: true, headers, returns: Me }).catch(explain)
    return { accessToken }
  },
}

function explain(error: unknown): never {
  if (!(error instanceof PlatformError)) throw error
  if (error.kind === 'auth') throw refuseEntered('The site does not accept this API key, or has suspended its account.')
  // A connection that failed has a cause; a page of something else has none.
  const isOther = error.cause === undefined && ['unavailable', 'gone'].includes(error.kind)
  throw isOther ? refuseEntered('No Forem answers at this address. Leave the server empty for dev.to.') : error
}
