import { createHash, randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../../config.ts'
import type { Context } from '../../../context.ts'
import { open, seal } from '../../../infra/sealing/seal.ts'
import { cookiePrefix, readCookie } from '../../people/cookies/session-cookie.ts'

/** A token that cannot be guessed: the state that is sent with the browser, or the PKCE verifier that stays on the server. */
export function newRandomToken(): string {
  return randomBytes(32).toString('base64url')
}

/** The state of a flow. Outside of cell 0 it begins with the number of the cell, so that a router can send the callback there. */
export function newState(cell: number): string {
  return cell === 0 ? newRandomToken() : `${cell}-${newRandomToken()}`
}

/** The cell in which a flow was started, or null for a text that is no state. */
export function cellOfState(state: string): number | null {
  const found = /^(?:([1-9]\d{0,3})-)?[\w-]{43}$/.exec(state)
  return found ? Number(found[1] ?? 0) : null
}

export function hashOf(state: string): Buffer {
  return createHash('sha256').update(state).digest()
}

/** RFC 7636, S256. */
export function challengeOf(verifier: string): string {
  return hashOf(verifier).toString('base64url')
}

type Flow = { workspaceId: string; stateHash: Buffer }

export function sealVerifier(ctx: Context, flow: Flow, verifier: string): Buffer {
  return seal(ctx.config.secretKeys, placeOf(flow), verifier)
}

export function openVerifier(ctx: Context, flow: Flow, sealed: Buffer): string {
  return open(ctx.config.secretKeys, placeOf(flow), sealed)
}

function placeOf({ workspaceId, stateHash }: Flow) {
  return { workspaceId, rowId: stateHash.toString('hex'), column: 'verifier' }
}

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
