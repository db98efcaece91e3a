import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Call } from '../../http/call.ts'
import { isFields, type Fields } from '../../http/fields.ts'
import type { Account } from '../../state/entities.ts'
import { randomToken } from '../../state/ids.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import { stateOf, type Token } from '../../state/tokens.ts'
import { refusal } from './errors.ts'

const maxAgeSeconds = 300

/** An Admin API key: its id, and the secret that signs tokens. Both are hexadecimal, and it is valid until somebody makes a new one. */
export function issueKey(context: PlatformContext, account: Account): string {
  const hex = (bytes: number) => Buffer.from(randomToken(bytes), 'base64url').toString('hex')
  const issuedAtMs = context.now()
  const expiresAtMs = issuedAtMs + context.accessLifetimeMs(Infinity)
  return context.tokens.issue({ value: `${hex(12)}:${hex(32)}`, kind: 'access', account, issuedAtMs, expiresAtMs }).value
}

/** The key that signed the token of a call, or why there is none: the code with which Ghost refuses it. Undefined without a token. */
export function keyOf(context: PlatformContext, { headers }: Call): string | undefined {
  const { authorization } = headers
  if (authorization === undefined) return undefined
  const jwt = /^Ghost (\S+)$/i.exec(authorization)?.[1]
  if (jwt === undefined) return 'INVALID_AUTH_HEADER'
  const [head = '', payload = '', signature = ''] = jwt.split('.')
  const [header, claims] = [readPart(head), readPart(payload)]
  if (!header || !claims) return 'INVALID_JWT'
  const kid = header['kid']
  if (typeof kid !== 'string') return 'MISSING_ADMIN_API_KID'
  const key = context.tokens.all().find(({ value }) => value.startsWith(`${kid}:`))?.value
  if (key === undefined) return 'UNKNOWN_ADMIN_API_KEY'
  // The secret is hexadecimal: whoever signs with its letters has another one.
  const secret = Buffer.from(key.slice(kid.length + 1), 'hex')
  const wanted = createHmac('sha256', secret).update(`${head}.${payload}`).digest()
  const given = Buffer.from(signature, 'base64url')
  const isSigned = given.length === wanted.length && timingSafeEqual(given, wanted)
  return isSigned && header['alg'] === 'HS256' && isCurrent(context, claims) ? key : 'INVALID_JWT'
}

function isCurrent(context: PlatformContext, { iat, exp, aud }: Fields): boolean {
  if (typeof iat !== 'number' || typeof aud !== 'string' || !/\/?admin\/?$/.test(aud)) return false
  // Tests move the clock of the simulator ahead. A running service, which signs by its own, does not follow.
  return [context.now(), Date.now()].some((nowMs) => {
    const now = Math.floor(nowMs / 1000)
    return now < iat + maxAgeSeconds && (typeof exp !== 'number' || now < exp)
  })
}

function readPart(part: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
    return isFields(value) ? value : undefined
  } catch {
    return undefined
  }
}

export function checkKey(context: PlatformContext, token: Token | undefined, sent: string | undefined): Token {
  if (sent === undefined) throw refusal('NoPermissionError')
  if (token && stateOf(token, context.now()) === 'live') return withinPlan(token)
  // A key that was made anew is unknown from then on.
  const code = token ? 'UNKNOWN_ADMIN_API_KEY' : sent
  if (code === 'UNKNOWN_ADMIN_API_KEY') throw refusal('UnauthorizedError', { message: 'Unknown Admin API Key', code })
  if (code === 'MISSING_ADMIN_API_KID') throw refusal('BadRequestError', { message: 'Admin API kid missing.', code })
  throw refusal('UnauthorizedError', { message: 'Invalid token: invalid signature', code })
}

/** The smallest plan of Ghost's own hosting has no integrations. */
function withinPlan(token: Token): Token {
  if (token.account.handle.startsWith('starter-')) throw refusal('HostLimitError')
  return token
}
