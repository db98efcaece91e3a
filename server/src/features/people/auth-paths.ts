import { withParameters } from '../../infra/http/local-path.ts'

/** What a field of a body may contain: text up to a length, a boolean, a path on this host, or an object that better-auth checks. */
export type FieldRule = number | 'flag' | 'path' | 'object'

export type AuthPath = {
  method: 'GET' | 'POST'
  path: string
  fields?: Readonly<Record<string, FieldRule>>
  /** Attempts are counted by the person to whom a code belongs, or as the file in `attempts` describes that is named after it. */
  throttle?: 'code' | 'mail' | 'password' | 'sign-in'
  /**
   * What the person must confirm with their password, or without one by having signed in a moment ago: what would keep a way in for somebody
   * who has only their session. The log of the account names it when the password was wrong. better-auth does not get the field `password`.
   */
  confirms?: string
  /** The method at better-auth, if it is another one. */
  forwardedAs?: 'GET'
  /** Only served if an identity provider is configured. */
  needsOidc?: true
}

const email = 254
const password = 1000
const token = 500
const code = 20
const name = 100

/** The only paths of better-auth that are served. A path that a new version of it adds is not served until it is listed here. */
export const authPaths: readonly AuthPath[] = [
  { method: 'POST', path: '/sign-up/email', fields: { name, email, password }, throttle: 'mail' },
  { method: 'POST', path: '/sign-in/email', fields: { email, password, rememberMe: 'flag' }, throttle: 'sign-in' },
  { method: 'POST', path: '/sign-out', fields: {} },
  { method: 'GET', path: '/get-session' },
  { method: 'GET', path: '/list-sessions' },
  { method: 'POST', path: '/revoke-session', fields: { token } },
  { method: 'POST', path: '/revoke-other-sessions', fields: {} },
  { method: 'POST', path: '/update-user', fields: { name } },

  { method: 'POST', path: '/request-password-reset', fields: { email }, throttle: 'mail' },
  { method: 'POST', path: '/send-verification-email', fields: { email }, throttle: 'mail' },
  { method: 'POST', path: '/reset-password', fields: { token, newPassword: password } },
  {
    method: 'POST',
    path: '/change-password',
    fields: { currentPassword: password, newPassword: password, revokeOtherSessions: 'flag' },
    throttle: 'password',
  },

  { method: 'POST', path: '/two-factor/enable', fields: { password }, throttle: 'password' },
  { method: 'POST', path: '/two-factor/disable', fields: { password }, throttle: 'password' },
  { method: 'POST', path: '/two-factor/generate-backup-codes', fields: { password }, throttle: 'password' },
  { method: 'POST', path: '/two-factor/verify-totp', fields: { code, trustDevice: 'flag' }, throttle: 'code' },
  { method: 'POST', path: '/two-factor/verify-backup-code', fields: { code, trustDevice: 'flag' }, throttle: 'code' },

  // A new passkey needs a challenge from here, so the password is asked for before the device makes the passkey.
  {
    method: 'POST',
    path: '/passkey/generate-register-options',
    fields: { password },
    confirms: 'adding a passkey',
    forwardedAs: 'GET',
  },
  { method: 'POST', path: '/passkey/verify-registration', fields: { response: 'object', name } },
  { method: 'GET', path: '/passkey/generate-authenticate-options' },
  { method: 'POST', path: '/passkey/verify-authentication', fields: { response: 'object' } },
  { method: 'GET', path: '/passkey/list-user-passkeys' },
  { method: 'POST', path: '/passkey/update-passkey', fields: { id: token, name } },
  { method: 'POST', path: '/passkey/delete-passkey', fields: { id: token, password }, confirms: 'removing a passkey' },

  { method: 'GET', path: '/list-accounts' },
  { method: 'POST', path: '/unlink-account', fields: { accountId: token, password }, confirms: 'removing a way to sign in' },
  {
    method: 'POST',
    path: '/sign-in/social',
    fields: { provider: 50, callbackURL: 'path', errorCallbackURL: 'path' },
    needsOidc: true,
  },
  {
    method: 'POST',
    path: '/link-social',
    fields: { provider: 50, callbackURL: 'path', errorCallbackURL: 'path' },
    needsOidc: true,
  },
  { method: 'GET', path: '/callback/oidc', needsOidc: true },
]

/** The page on which a person signs in, and to which path they come back. */
export function signInPath(returnTo: string): string {
  return withParameters('/auth/sign-in', { returnTo })
}
