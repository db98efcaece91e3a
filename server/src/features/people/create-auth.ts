import { AsyncLocalStorage } from 'node:async_hooks'
import { passkey } from '@better-auth/passkey'
import { betterAuth } from 'better-auth'
import { APIError, createAuthMiddleware, isAPIError } from 'better-auth/api'
import { type GenericOAuthConfig, genericOAuth, twoFactor } from 'better-auth/plugins'
import type { Context } from '../../context.ts'
import { newId } from '../../infra/db/ids.ts'
import { recordAccountEvent } from '../audit/record-change.ts'
import { linkValidSeconds, sendPasswordMail, sendVerificationMail } from './account-mails.ts'
import { currentRequest } from './account-request.ts'
import { throttleMail } from './attempts/throttle-mail.ts'
import { forgetStrangers } from './attempts/throttle-sign-in.ts'
import { authSecrets } from './auth-secrets.ts'
import { cookiePrefix } from './cookies/session-cookie.ts'
import { confirmAddress } from './find-person.ts'
import {
  hashPassword,
  isCommonPassword,
  passwordLengthMax,
  passwordLengthMin,
  verifyPassword,
} from './passwords/hash-password.ts'
import { deleteVerifications } from './person.store.ts'

export type Auth = ReturnType<typeof createAuth>

/** We set this header to the caller's IP address. A header of this name that a caller sends is not forwarded. */
export const addressHeader = 'x-carillon-address'

/** better-auth only identifies people. What a person may do in a workspace is in our own tables. */
export function createAuth(ctx: Context, oidc: GenericOAuthConfig | null) {
  const { publicUrl, secretKeys, signUp, operator } = ctx.config
  const { origin, hostname, protocol } = new URL(publicUrl)
  const { user, session, account, verification } = authTables
  // better-auth stores its transaction in the asynchronous context; work that continues after the answer must not use that transaction.
  const runOutsideTransaction = AsyncLocalStorage.snapshot()
  const auth = betterAuth({
    appName: operator.name,
    baseURL: origin,
    basePath: '/auth',
    secrets: authSecrets(secretKeys),
    telemetry: { enabled: false },
    logger: { level: 'error', log: (_level, message) => ctx.log.warn({ message }, 'better-auth reported an error') },
    database: { db: ctx.db.system, type: 'postgres', transaction: true },
    user: { ...user, validateUserInfo: ({ user: given, source }) => refuseUnverifiedEmail(given, source) },
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
      resetPasswordTokenExpiresIn: linkValidSeconds,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: ({ user: { email }, token }) => sendPasswordMail(ctx, { email, token }),
      onPasswordReset: async ({ user: { id, email } }) => {
        await ctx.db.system.transaction().execute(async (tx) => {
          await confirmAddress(tx, id, { keepPassword: true })
          await deleteVerifications(tx, id)
          await recordAccountEvent(ctx, tx, { personId: id, action: 'password.reset', ...currentRequest() })
        })
        await forgetStrangers(ctx, email)
      },
      onExistingUserSignUp: async ({ user: { email } }): Promise<void> => {
        await runOutsideTransaction(() => auth.api.requestPasswordReset({ body: { email } }))
      },
    },
    emailVerification: {
      expiresIn: linkValidSeconds,
      sendOnSignIn: true,
      sendVerificationEmail: async ({ user: { email }, token }, request) => {
        // The paths that ask for a mail were counted before. A sign-in causes one only if its password is right.
        if (request && new URL(request.url).pathname === '/auth/sign-in/email')
          await throttleMail(ctx, { email, ip: currentRequest().ipAddress ?? '' })
        await sendVerificationMail(ctx, { email, token })
      },
    },
    hooks: { before: createAuthMiddleware(async ({ path, body }) => refuseCommonPassword(path, body)) },
    plugins: [
      twoFactor({ issuer: operator.name, schema: authTables.twoFactor }),
      passkey({
        rpID: hostname,
        rpName: operator.name,
        origin,
        schema: authTables.passkey,
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        registration: { afterVerification: ({ verification: { registrationInfo } }) => refuseUnverifiedUser(registrationInfo) },
        authentication: {
          afterVerification: ({ verification: { authenticationInfo } }) => refuseUnverifiedUser(authenticationInfo),
        },
      }),
      ...(oidc ? [genericOAuth({ config: [oidc] })] : []),
    ],
    onAPIError: {
      errorURL: `${origin}/auth/error`,
      onError: (err) => {
        if (!isAPIError(err) || err.statusCode >= 500) ctx.log.error({ err }, 'a request to better-auth failed')
      },
    },
    // Our own routes limit requests before they reach better-auth.
    rateLimit: { enabled: false },
    trustedOrigins: [origin],
    advanced: {
      cookiePrefix: cookiePrefix(ctx.config),
      // better-auth would add `__Secure-`; our own prefix is stricter.
      useSecureCookies: false,
      defaultCookieAttributes: { secure: protocol === 'https:', httpOnly: true, sameSite: 'lax', path: '/' },
      database: { generateId: () => newId(ctx.nowMs()) },
      ipAddress: { ipAddressHeaders: [addressHeader] },
      disableOriginCheck: false,
      disableCSRFCheck: false,
      // The answer does not wait for the mail, so its duration does not reveal whether a mail was sent.
      backgroundTasks: { handler: (task) => void task.catch((err: unknown) => ctx.log.warn({ err }, 'a mail was not sent')) },
    },
  })
  return auth
}

/** We only identify people, so tokens that would let us act for them at the provider are not stored. */
const noTokens = {
  accessToken: null,
  refreshToken: null,
  idToken: null,
  accessTokenExpiresAt: null,
  refreshTokenExpiresAt: null,
}

/** An address that the provider did not verify must not be linked to an account, nor create one. */
function refuseUnverifiedEmail(given: { emailVerified?: unknown }, { method, action }: { method: string; action: string }) {
  if (method === 'oauth' && action !== 'sign-in' && given.emailVerified !== true) return { error: 'email_not_verified' }
}

const pathsThatSetPassword = new Set(['/sign-up/email', '/reset-password', '/change-password'])

function refuseCommonPassword(path: string, body: unknown): void {
  if (!pathsThatSetPassword.has(path)) return
  const { password, newPassword } = (body ?? {}) as { password?: unknown; newPassword?: unknown }
  const chosen = newPassword ?? password
  if (typeof chosen !== 'string') return
  if (isCommonPassword(chosen))
    throw new APIError('BAD_REQUEST', {
      code: 'PASSWORD_COMMON',
      message: 'This password is too common and easy to guess. Please choose another one.',
    })
}

/** A passkey replaces both factors, so the device must have verified the user by fingerprint, face or PIN. */
function refuseUnverifiedUser(info: { userVerified: boolean } | undefined): void {
  if (!info?.userVerified)
    throw new APIError('UNAUTHORIZED', {
      code: 'USER_NOT_VERIFIED',
      message: 'The device did not verify that it was you who used the passkey.',
    })
}

const times = { createdAt: 'created_at', updatedAt: 'updated_at' }

/** Maps better-auth's names of tables and columns to ours. */
const authTables = {
  user: { modelName: 'person', fields: { ...times, emailVerified: 'email_verified' } },
  session: {
    fields: { ...times, userId: 'person_id', expiresAt: 'expires_at', ipAddress: 'ip_address', userAgent: 'user_agent' },
  },
  account: {
    fields: {
      ...times,
      userId: 'person_id',
      providerId: 'provider_id',
      accountId: 'account_id',
      accessToken: 'access_token',
      refreshToken: 'refresh_token',
      idToken: 'id_token',
      accessTokenExpiresAt: 'access_token_expires_at',
      refreshTokenExpiresAt: 'refresh_token_expires_at',
    },
  },
  verification: { fields: { ...times, expiresAt: 'expires_at' } },
  twoFactor: {
    user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
    twoFactor: {
      modelName: 'two_factor',
      fields: {
        userId: 'person_id',
        backupCodes: 'backup_codes',
        failedVerificationCount: 'failed_verification_count',
        lockedUntil: 'locked_until',
      },
    },
  },
  passkey: {
    passkey: {
      fields: {
        userId: 'person_id',
        publicKey: 'public_key',
        credentialID: 'credential_id',
        deviceType: 'device_type',
        backedUp: 'backed_up',
        createdAt: 'created_at',
      },
    },
  },
}
