import { queryOptions } from '@tanstack/react-query'
import { send } from './send.ts'

type Session = {
  id: string
  token: string
  createdAt: string
  updatedAt: string
  ipAddress?: string | null
  userAgent?: string | null
}
export type OwnSession = Session & { isCurrent: boolean }
export type Passkey = { id: string; name?: string | null; createdAt: string }
type Activity = { id: string; at: string; action: string; ipAddress: string | null; userAgent: string | null }

const post = <Data>(path: string, body: unknown = {}) => send<Data>(path, { method: 'POST', body })

/** Where the person is signed in. The answer contains the tokens of the sessions, so it is forgotten when the page is left. */
export function accountSessions() {
  return queryOptions({
    queryKey: ['auth.sessions'],
    gcTime: 0,
    queryFn: async ({ signal }): Promise<OwnSession[]> => {
      const [sessions, current] = await Promise.all([
        send<Session[]>('/auth/list-sessions', { signal }),
        send<{ session: { id: string } } | null>('/auth/get-session', { signal }),
      ])
      const marked = sessions.map((session) => ({ ...session, isCurrent: session.id === current?.session.id }))
      return marked.toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent) || b.updatedAt.localeCompare(a.updatedAt))
    },
  })
}

export function accountPasskeys() {
  return queryOptions({
    queryKey: ['auth.passkeys'],
    queryFn: ({ signal }) => send<Passkey[]>('/auth/passkey/list-user-passkeys', { signal }),
  })
}

/** Whether the person has a password. People who came through an identity provider have none. */
export function hasPassword() {
  return queryOptions({
    queryKey: ['auth.hasPassword'],
    queryFn: async ({ signal }) => {
      const accounts = await send<{ providerId: string }[]>('/auth/list-accounts', { signal })
      return accounts.some(({ providerId }) => providerId === 'credential')
    },
  })
}

/** What happened to the account, newest first. */
export function accountActivity() {
  return queryOptions({
    queryKey: ['auth.activity'],
    queryFn: ({ signal }) => send<Activity[]>('/auth/activity', { signal }),
  })
}

export const account = {
  rename: (name: string) => post<unknown>('/auth/update-user', { name }),
  changePassword: (body: { currentPassword: string; newPassword: string; revokeOtherSessions: boolean }) =>
    post<unknown>('/auth/change-password', body),
  /** Mails a link to the new address. */
  changeAddress: (body: { email: string; password?: string }) => post<unknown>('/auth/change-address', body),
  /** The second factor is on after the first right code. */
  enableTotp: (password: string) => post<{ totpURI: string; backupCodes: string[] }>('/auth/two-factor/enable', { password }),
  disableTotp: (password: string) => post<unknown>('/auth/two-factor/disable', { password }),
  newBackupCodes: (password: string) => post<{ backupCodes: string[] }>('/auth/two-factor/generate-backup-codes', { password }),
  removePasskey: (body: { id: string; password?: string }) => post<unknown>('/auth/passkey/delete-passkey', body),
  endSession: (token: string) => post<unknown>('/auth/revoke-session', { token }),
  erase: (password: string | undefined) => post<unknown>('/auth/erase-account', password === undefined ? {} : { password }),
}
