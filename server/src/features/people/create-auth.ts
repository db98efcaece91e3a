import { AsyncLocalStorage } from 'node:async_hooks'
import { passkey } from '@better-auth/passkey'
import { betterAuth } from 'better-auth'
import { APIError, createAuthMiddleware, isAPIError } from 'better-auth/api'
import { genericOAuth, twoFactor, type GenericOAuthConfig } from 'better-auth/plugins'
import type { Context } from '../../context.ts'
import { newId } from '../../infra/db/ids.ts'
import { linkSeconds, sendPasswordMail, sendVerificationMail } from './account-mails.ts'
import { authSecrets } from './auth-secrets.ts'
import { authTables } from './auth-tables.ts'
import { hashPassword, verifyPassword } from './hash-password.ts'
import { confirmAddress } from './confirm-address.ts'
import { isCommonPassword, passwordLengthMax, passwordLengthMin } from './is-common-password.ts'
import { cookiePrefix } from './session-cookie.ts'

export type Auth = ReturnType<typeof createAuth>

/** Our own word on where a request came from; what a caller sends under this name is not passed on. */
export const addressHeader = 'x-carillon-address'

/** better-auth as identity only: who somebody is. What they may do in a workspace is in our own tables. */
export function createAuth(ctx: Context, oidc: GenericOAuthConfig | null) {
  const { publicUrl, secretKeys, signUp } = ctx.config
  const { origin, hostname, protocol } = new URL(publicUrl)
  const { user, session, account, verification } = authTables
  // better-auth remembers its transaction in the asynchronous context; what goes on after the answer must not use it.
  const outside = AsyncLocalStorage.snapshot()
  const auth = betterAuth({
    appName: 'Carillon',
    baseURL: origin,
    basePath: '/auth',
    secrets: authSecrets(secretKeys),
    telemetry: { enabled: false },
    logger: { level: 'error', log: (_level, message) => ctx.log.warn({ message }, 'better-auth complained') },
    database: { db: ctx.db.system, type: 'postgres', transaction: true },
    user: { ...user, validateUserInfo: ({ user: given, source }) => refuseUnproven(given, source) },
    session,
    account: {
      ...account,
      encryptOAuthTokens: true,
      updateAccountOnSignIn: false,
      accountLinking: { enabled: true, trustedProviders: [] },
    },
    verification: { ...verification, storeIdentifier: 'hashed' },
    databaseHooks: { account: { create: { before: async (data) => ({ data: { ...data, ...noTokens } }) } } },
    emailAndPassword: {
      enabled: true,
      disableSignUp: signUp === 'closed',
      requireEmailVerification: true,
      minPasswordLength: passwordLengthMin,
      maxPasswordLength: passwordLengthMax,
      password: { hash: hashPassword, verify: verifyPassword },
      resetPasswordTokenExpiresIn: linkSeconds,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: ({ user: { email }, token }) => sendPasswordMail(ctx, { email, token }),
      onPasswordReset: ({ user: { id } }) =>
        ctx.db.system.transaction().execute((tx) => confirmAddress(tx, id, { keepPassword: true })),
      onExistingUserSignUp: async ({ user: { email } }): Promise<void> => {
        await outside(() => auth.api.requestPasswordReset({ body: { email } }))
      },
    },
    emailVerification: {
      expiresIn: linkSeconds,
      sendOnSignIn: true,
      sendVerificationEmail: ({ user: { email }, token }) => sendVerificationMail(ctx, { email, token }),
    },
    hooks: { before: createAuthMiddleware(async ({ path, body }) => refuseCommon(path, body)) },
    plugins: [
      twoFactor({ issuer: 'Carillon', schema: authTables.twoFactor }),
      passkey({
        rpID: hostname,
        rpName: 'Carillon',
        origin,
        schema: authTables.passkey,
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        registration: { afterVerification: ({ verification: { registrationInfo } }) => refuseAbsent(registrationInfo) },
        authentication: { afterVerification: ({ verification: { authenticationInfo } }) => refuseAbsent(authenticationInfo) },
      }),
      ...(oidc ? [genericOAuth({ config: [oidc] })] : []),
    ],
    onAPIError: {
      errorURL: `${origin}/auth/error`,
      onError: (err) => {
        if (!isAPIError(err) || err.statusCode >= 500) ctx.log.error({ err }, 'a request to better-auth failed')
      },
    },
    // Requests are counted before they come here.
    rateLimit: { enabled: false },
    trustedOrigins: [origin],
    advanced: {
      cookiePrefix: cookiePrefix(ctx.config),
      // It knows only `__Secure-`; the prefix above asks for more.
      useSecureCookies: false,
      defaultCookieAttributes: { secure: protocol === 'https:', httpOnly: true, sameSite: 'lax', path: '/' },
      database: { generateId: () => newId(ctx.nowMs()) },
      ipAddress: { ipAddressHeaders: [addressHeader] },
      disableOriginCheck: false,
      disableCSRFCheck: false,
      // Nobody waits for a mail, so an answer with one takes no longer than an answer without.
      backgroundTasks: { handler: (task) => void task.catch((err: unknown) => ctx.log.warn({ err }, 'a mail was not sent')) },
    },
  })
  return auth
}

/** We only ask who somebody is; what would let us act for them elsewhere is not kept. */
const noTokens = {
  accessToken: null,
  refreshToken: null,
  idToken: null,
  accessTokenExpiresAt: null,
  refreshTokenExpiresAt: null,
}

/** An address that the provider did not check neither joins an account nor makes one. */
function refuseUnproven(given: { emailVerified?: unknown }, { method, action }: { method: string; action: string }) {
  if (method === 'oauth' && action !== 'sign-in' && given.emailVerified !== true) return { error: 'email_not_verified' }
}

const choosing = new Set(['/sign-up/email', '/reset-password', '/change-password'])

function refuseCommon(path: string, body: unknown): void {
  if (!choosing.has(path)) return
  const { password, newPassword } = (body ?? {}) as { password?: unknown; newPassword?: unknown }
  const chosen = newPassword ?? password
  if (typeof chosen !== 'string') return
  if (isCommonPassword(chosen))
    throw new APIError('BAD_REQUEST', { code: 'PASSWORD_COMMON', message: 'This password is among the first anybody would try.' })
}

/** A passkey stands for both factors, so the device must have asked for a finger, a face or a PIN. */
function refuseAbsent(info: { userVerified: boolean } | undefined): void {
  if (!info?.userVerified)
    throw new APIError('UNAUTHORIZED', {
      code: 'USER_NOT_VERIFIED',
      message: 'The passkey was used without checking who used it.',
    })
}
