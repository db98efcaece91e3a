import type { Throttle } from './throttle-attempt.ts'

/** What a field of a body may hold: text up to a length, yes or no, a path of ours, or an object that is checked further on. */
export type FieldRule = number | 'flag' | 'path' | 'object'

export type AuthPath = {
  method: 'GET' | 'POST'
  path: string
  fields?: Readonly<Record<string, FieldRule>>
  /** Tries are counted by the address given, or by the session that asks. */
  throttle?: Throttle & { by: 'email' | 'session' }
  /** Makes no sense without the identity provider. */
  needsOidc?: true
}

const minute = 60_000
const guessing = { name: 'sign-in', by: 'email', max: 10, windowMs: 15 * minute } as const
const proving = { name: 'password', by: 'session', max: 10, windowMs: 15 * minute } as const
const mailing = { name: 'mail', by: 'email', max: 5, windowMs: 60 * minute } as const

const email = 254
const password = 1000
const token = 500
const code = 20
const name = 100

/** All of better-auth that can be reached. What is not here is not served, whatever a version of it brings along. */
export const authPaths: readonly AuthPath[] = [
  { method: 'POST', path: '/sign-up/email', fields: { name, email, password }, throttle: mailing },
  { method: 'POST', path: '/sign-in/email', fields: { email, password, rememberMe: 'flag' }, throttle: guessing },
  { method: 'POST', path: '/sign-out', fields: {} },
  { method: 'GET', path: '/get-session' },
  { method: 'GET', path: '/list-sessions' },
  { method: 'POST', path: '/revoke-session', fields: { token } },
  { method: 'POST', path: '/revoke-other-sessions', fields: {} },
  { method: 'POST', path: '/update-user', fields: { name } },

  { method: 'POST', path: '/request-password-reset', fields: { email }, throttle: mailing },
  { method: 'POST', path: '/send-verification-email', fields: { email }, throttle: mailing },
  { method: 'POST', path: '/reset-password', fields: { token, newPassword: password } },
  {
    method: 'POST',
    path: '/change-password',
    fields: { currentPassword: password, newPassword: password, revokeOtherSessions: 'flag' },
    throttle: proving,
  },

  { method: 'POST', path: '/two-factor/enable', fields: { password }, throttle: proving },
  { method: 'POST', path: '/two-factor/disable', fields: { password }, throttle: proving },
  { method: 'POST', path: '/two-factor/generate-backup-codes', fields: { password }, throttle: proving },
  { method: 'POST', path: '/two-factor/verify-totp', fields: { code, trustDevice: 'flag' } },
  { method: 'POST', path: '/two-factor/verify-backup-code', fields: { code, trustDevice: 'flag' } },

  { method: 'GET', path: '/passkey/generate-register-options' },
  { method: 'POST', path: '/passkey/verify-registration', fields: { response: 'object', name } },
  { method: 'GET', path: '/passkey/generate-authenticate-options' },
  { method: 'POST', path: '/passkey/verify-authentication', fields: { response: 'object' } },
  { method: 'GET', path: '/passkey/list-user-passkeys' },
  { method: 'POST', path: '/passkey/update-passkey', fields: { id: token, name } },
  { method: 'POST', path: '/passkey/delete-passkey', fields: { id: token } },

  { method: 'GET', path: '/list-accounts' },
  { method: 'POST', path: '/unlink-account', fields: { accountId: token } },
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
