import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { guardOrigin } from '../../infra/http/guard-origin.ts'
import { rateLimitHeaders, createRateLimiter } from '../../infra/http/create-rate-limiter.ts'
import { problem } from '../../infra/problem/problem.ts'
import { addAccountPages } from './add-account-pages.ts'
import { authPaths, type AuthPath } from './auth-paths.ts'
import { checkFields } from './check-fields.ts'
import { addressHeader } from './create-auth.ts'
import { createAuthInstances, type AuthInstances } from './create-auth-instances.ts'
import { sessionCookie } from './session-cookie.ts'
import { throttleAttempt, clearAttempts } from './throttle-attempt.ts'

const changesPerMinute = 60
const bodyBytesMax = 64 * 1024

/** Signing up, in and out, outside the API: better-auth behind a door that lets through what we named and nothing else. */
export function accountRoutes(app: FastifyInstance, ctx: Context): void {
  const accounts = createAuthInstances(ctx)
  void app.register(
    (scope, _options, done) => {
      limitChanges(scope, ctx)
      scope.get('/methods', () => ({ success: true, data: signInMethods(ctx) }))
      for (const each of authPaths) {
        scope.route({
          method: each.method,
          url: each.path,
          bodyLimit: bodyBytesMax,
          handler: (request, reply) => pass(ctx, accounts, { each, request, reply }),
        })
      }
      addAccountPages(scope, accounts)
      done()
    },
    { prefix: '/auth' },
  )
}

/** For whoever shows the sign-in page. */
function signInMethods({ config: { signUp, oidc } }: Context) {
  return { password: true, passkey: true, signUp: signUp === 'open', oidc: oidc && { provider: 'oidc', name: oidc.name } }
}

/** Every change comes from one of our own pages, and no caller's address may ask for many. */
function limitChanges(scope: FastifyInstance, ctx: Context): void {
  const byAddress = createRateLimiter('auth', changesPerMinute)
  scope.addHook('onRequest', async (request, reply) => {
    guardOrigin(ctx.config, request)
    if (request.method === 'GET') return
    const allowance = byAddress(request.ip, ctx.nowMs())
    void reply.headers(rateLimitHeaders(allowance))
    if (allowance.exceeded) throw problem('rate_limited', { retryAfterSeconds: allowance.resetSeconds })
  })
}

type Passing = { each: AuthPath; request: FastifyRequest; reply: FastifyReply }

async function pass(ctx: Context, accounts: AuthInstances, { each, request, reply }: Passing): Promise<FastifyReply> {
  const body = each.fields ? checkFields(each.fields, request.body) : undefined
  const auth = each.needsOidc ? await accounts.withOidc() : accounts.auth()
  const subject = each.throttle && throttled(ctx, each.throttle.by, { request, body })
  if (each.throttle && subject) await throttleAttempt(ctx, each.throttle, subject)

  const response = await auth.handler(asWebRequest(ctx, request, body))
  if (response.status >= 500) throw problem('internal_error', { cause: new Error(await response.text()) })
  // A mail that was sent stays counted; a right password does not.
  if (response.ok && each.throttle && subject && each.throttle.name !== 'mail') await clearAttempts(ctx, each.throttle, subject)
  return copy(response, reply)
}

function throttled(
  ctx: Context,
  by: 'email' | 'session',
  { request, body }: { request: FastifyRequest; body: Record<string, unknown> | undefined },
): string | null {
  if (by === 'session') return sessionCookie(ctx.config, request.headers.cookie)
  const email = body?.['email']
  return typeof email === 'string' ? email : null
}

const passedOn = ['cookie', 'origin', 'user-agent', 'accept', 'sec-fetch-site', 'sec-fetch-mode', 'sec-fetch-dest'] as const

/** Built from what we checked: no header that claims another host or address goes along. */
function asWebRequest(ctx: Context, request: FastifyRequest, body: Record<string, unknown> | undefined): Request {
  const headers = new Headers({ [addressHeader]: request.ip })
  for (const name of passedOn) {
    const value = request.headers[name]
    if (value !== undefined) headers.set(name, value)
  }
  if (body) headers.set('content-type', 'application/json')
  const url = new URL(request.url, ctx.config.publicUrl)
  return new Request(url, { method: request.method, headers, ...(body && { body: JSON.stringify(body) }) })
}

async function copy(response: Response, reply: FastifyReply): Promise<FastifyReply> {
  void reply.status(response.status)
  for (const [name, value] of response.headers) if (name !== 'set-cookie') void reply.header(name, value)
  for (const cookie of response.headers.getSetCookie()) void reply.header('set-cookie', cookie)
  return reply.send(await response.text())
}
