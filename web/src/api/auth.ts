import { queryOptions } from '@tanstack/react-query'
import { send } from './send.ts'

export type SignInMethods = {
  password: boolean
  passkey: boolean
  signUp: boolean
  oidc: { provider: string; name: string } | null
  /** No person can sign in yet: the first one creates their account here. */
  firstRun: boolean
  /** The first person must enter the code that the server wrote to its log. */
  setupCode: boolean
  /** Whether this server sends mail. Without it, links are in its log. */
  mail: boolean
}

type Person = { id: string; email: string; name: string; twoFactorEnabled?: boolean }
type Session = { user: Person; session: { id: string; expiresAt: string } } | null

export function signInMethods() {
  return queryOptions({
    queryKey: ['auth.methods'],
    queryFn: ({ signal }) => send<SignInMethods>('/auth/methods', { signal }),
    staleTime: 60_000,
  })
}

/** The person who is signed in, or null. */
export function currentPerson() {
  return queryOptions({
    queryKey: ['auth.person'],
    queryFn: async ({ signal }) => (await send<Session>('/auth/get-session', { signal }))?.user ?? null,
    staleTime: 60_000,
  })
}

const post = <Data>(path: string, body: unknown = {}) => send<Data>(path, { method: 'POST', body })

type NewInstall = { name: string; email: string; password: string; workspace: string; timezone: string; setupCode?: string }

export const auth = {
  /** Creates the first account and its workspace, and signs in. */
  firstRun: (body: NewInstall) => post<{ workspaceId: string }>('/auth/first-run', body),
  signUp: (body: { name: string; email: string; password: string }) => post<unknown>('/auth/sign-up/email', body),
  /** With `twoFactorRedirect`, the second factor is still missing. */
  signIn: (body: { email: string; password: string; rememberMe?: boolean }) =>
    post<{ twoFactorRedirect?: boolean }>('/auth/sign-in/email', body),
  verifyTotp: (body: { code: string; trustDevice?: boolean }) => post<unknown>('/auth/two-factor/verify-totp', body),
  verifyBackupCode: (body: { code: string }) => post<unknown>('/auth/two-factor/verify-backup-code', body),
  /** Gives the address of the identity provider's page. */
  startOidc: (provider: string, callbackURL: string) =>
    post<{ url: string }>('/auth/sign-in/social', { provider, callbackURL, errorCallbackURL: '/sign-in' }),
  signOut: () => post<unknown>('/auth/sign-out'),
  signOutElsewhere: () => post<unknown>('/auth/revoke-other-sessions'),
  requestReset: (email: string) => post<unknown>('/auth/request-password-reset', { email }),
  resetPassword: (body: { token: string; newPassword: string }) => post<unknown>('/auth/reset-password', body),
  requestVerification: (email: string) => post<unknown>('/auth/send-verification-email', { email }),
  confirmAddress: (token: string) => post<{ email: string }>('/auth/address', { token }),
  verifyAddress: (token: string) => post<{ email: string }>('/auth/verify', { token }),
}
