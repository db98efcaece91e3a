import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { problem } from '../../infra/problem/problem.ts'
import { bindCookies } from './cookies/signed-cookie.ts'
import { authInstances } from './create-auth-instances.ts'
import { addressHeader } from './create-auth.ts'

/** Signs in with a password that was set a moment ago, and adds the session cookie to the answer. */
export async function openSession(
  ctx: Context,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  credentials: { email: string; password: string },
): Promise<void> {
  const headers = new Headers({ [addressHeader]: request.ip, origin: new URL(ctx.config.publicUrl).origin })
  const { 'user-agent': userAgent } = request.headers
  if (userAgent !== undefined) headers.set('user-agent', userAgent)
  const { api } = authInstances(ctx).current()
  const response = await api.signInEmail({ body: { ...credentials, rememberMe: true }, headers, asResponse: true })
  if (!response.ok) throw problem('internal_error', { cause: new Error(await response.text()) })
  for (const cookie of bindCookies(ctx.config, response).headers.getSetCookie()) void reply.header('set-cookie', cookie)
}
