import type { Static } from 'typebox'
import type { Credentials, PasswordAuth } from '../kit/auth.ts'
import type { Http } from '../kit/http.ts'
import { PlatformError, refuseEntered } from '../kit/platform-error.ts'
import { Session } from './wire.ts'

/** An access token is valid for two hours. It is renewed after one, so that a slow renewal is still in time. */
const sessionMs = 3_600_000

export const auth: PasswordAuth = {
  kind: 'password',
  fields: [
    { name: 'identifier', label: 'Handle or e-mail', secret: false },
    { name: 'password', label: 'App password', secret: true },
  ],
  perInstance: true,

  async open(http, fields, nowMs) {
    return createSession(http, fields.identifier ?? '', fields.password ?? '', nowMs)
  },

  async renew({ http, credentials, nowMs }) {
    const { refreshToken, extra = {} } = credentials
    if (refreshToken !== undefined) {
      try {
        const session = await refreshSession(http, refreshToken)
        return toCredentials(session, extra.password ?? '', nowMs)
      } catch (error) {
        // The password is used only if the refresh token is no longer accepted: sign-ins are limited to 300 a day.
        if (!(error instanceof PlatformError) || error.kind !== 'auth') throw error
      }
    }
    return createSession(http, extra.did ?? '', extra.password ?? '', nowMs)
  },
}

async function createSession(http: Http, identifier: string, password: string, nowMs: number): Promise<Credentials> {
  if (identifier === '' || password === '') {
    throw refuseEntered('Bluesky needs a handle and an app password.')
  }
  const session = await http.call({
    method: 'POST',
    path: '/xrpc/com.atproto.server.createSession',
    // People copy their handle with the @ that Bluesky shows in front of it.
    json: { identifier: identifier.trim().replace(/^@/, ''), password: password.trim() },
    anonymous: true,
    returns: Session,
  })
  return toCredentials(session, password.trim(), nowMs)
}

function refreshSession(http: Http, refreshToken: string): Promise<Static<typeof Session>> {
  return http.call({
    method: 'POST',
    path: '/xrpc/com.atproto.server.refreshSession',
    headers: { authorization: `Bearer ${refreshToken}` },
    anonymous: true,
    returns: Session,
  })
}

function toCredentials(session: Static<typeof Session>, password: string, nowMs: number): Credentials {
  return {
    accessToken: session.accessJwt,
    refreshToken: session.refreshJwt,
    expiresAtMs: nowMs + sessionMs,
    extra: { did: session.did, password },
  }
}
