import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../../config.ts'
import { cookiePrefix, readCookie } from '../../people/cookies/session-cookie.ts'
import { hashOf, newRandomToken } from './connect-state.ts'

const shape = /^[\w-]{43}$/

/**
 * Recognises the browser that came back from a platform. Only this browser can confirm the account: the person who started the flow knows
 * its state and may have given the link to another person, who agreed on the platform without knowing the workspace.
 */
export function findBrowser(config: Config, request: FastifyRequest): Buffer | null {
  const secret = readCookie(request.headers.cookie, cookieName(config))
  return secret !== null && shape.test(secret) ? hashOf(secret) : null
}

/** The secret of this browser, which gets one if it has none. It stays the same, so that two attempts in two tabs both work. */
export function ensureBrowser(config: Config, request: FastifyRequest, reply: FastifyReply, seconds: number): Buffer {
  const known = readCookie(request.headers.cookie, cookieName(config))
  const secret = known !== null && shape.test(known) ? known : newRandomToken()
  const secure = config.publicUrl.startsWith('https:') ? '; Secure' : ''
  void reply.header('set-cookie', `${cookieName(config)}=${secret}; Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Lax${secure}`)
  return hashOf(secret)
}

function cookieName(config: Config): string {
  return `${cookiePrefix(config)}.connect`
}
