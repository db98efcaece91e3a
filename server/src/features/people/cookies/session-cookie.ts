import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Config } from '../../../config.ts'
import { authSecrets } from '../auth-secrets.ts'

/** `__Host-` makes browsers restrict a cookie to this host and to HTTPS; without HTTPS they reject a cookie with this prefix. */
export function cookiePrefix({ publicUrl }: Pick<Config, 'publicUrl'>): string {
  return publicUrl.startsWith('https:') ? '__Host-carillon' : 'carillon'
}

/** The session cookie as it was sent, or null when there is none. */
export function sessionCookie(config: Pick<Config, 'publicUrl'>, header: string | undefined): string | null {
  return readCookie(header, `${cookiePrefix(config)}.session_token`)
}

/** The cookie of a sign-in that waits for its second factor. */
export function secondFactorCookie(config: Pick<Config, 'publicUrl'>, header: string | undefined): string | null {
  return readCookie(header, `${cookiePrefix(config)}.two_factor`)
}

/** The value of a cookie as it was sent, or null when there is none. */
export function readCookie(header: string | undefined, name: string): string | null {
  if (header === undefined) return null
  for (const pair of header.split(';')) {
    const at = pair.indexOf('=')
    if (pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim() || null
  }
  return null
}

type CookieConfig = Pick<Config, 'publicUrl' | 'secretKeys'>

/** It stays as better-auth signs it, so that people stay signed in while two releases run side by side. */
const nameWithoutBinding = 'session_token'

/**
 * The value in a cookie that we signed for this name (without the prefix), or null. A forged cookie therefore never causes a database
 * query.
 */
export function verifyCookie(config: CookieConfig, name: string, cookie: string): string | null {
  return readSigned(cookie, (value) => (name === nameWithoutBinding ? sign(config, value) : sign(config, value, name)))
}

/**
 * better-auth signs the value of a cookie without its name, so that any of its cookies would pass as any other one. What it sets is
 * signed again, with its name, before it leaves this process.
 */
export function bindCookies(config: CookieConfig, response: Response): Response {
  const copy = new Response(response.body, response)
  copy.headers.delete('set-cookie')
  for (const line of response.headers.getSetCookie()) copy.headers.append('set-cookie', bindCookie(config, line))
  return copy
}

function bindCookie(config: CookieConfig, line: string): string {
  const { name, cookie, rest } = splitPair(config, line)
  const value = name === null || name === nameWithoutBinding ? null : readSigned(cookie, (each) => sign(config, each))
  return name === null || value === null ? line : `${pairOf(config, name, `${value}.${sign(config, value, name)}`)}${rest}`
}

/** The `Cookie` header as better-auth expects it. A cookie that was not signed for its name is left out. */
export function unbindCookies(config: CookieConfig, header: string): string {
  return header
    .split(';')
    .flatMap((pair) => {
      const { name, cookie } = splitPair(config, pair.trim())
      if (name === null || name === nameWithoutBinding) return [pair.trim()]
      const value = verifyCookie(config, name, cookie)
      return value === null ? [] : [pairOf(config, name, `${value}.${sign(config, value)}`)]
    })
    .join('; ')
}

/** The name is without our prefix, and null for a cookie of others. */
function splitPair(config: CookieConfig, line: string): { name: string | null; cookie: string; rest: string } {
  const at = line.indexOf('=')
  const end = line.includes(';') ? line.indexOf(';') : line.length
  const prefix = `${cookiePrefix(config)}.`
  const name = line.startsWith(prefix) && at > 0 ? line.slice(prefix.length, at) : null
  return { name, cookie: line.slice(at + 1, end), rest: line.slice(end) }
}

function pairOf(config: CookieConfig, name: string, value: string): string {
  return `${cookiePrefix(config)}.${name}=${encodeURIComponent(value)}`
}

function readSigned(cookie: string, signatureOf: (value: string) => string): string | null {
  const text = decode(cookie)
  const at = text.lastIndexOf('.')
  if (at < 1) return null
  const value = text.slice(0, at)
  const [given, right] = [Buffer.from(text.slice(at + 1)), Buffer.from(signatureOf(value))]
  return given.length === right.length && timingSafeEqual(given, right) ? value : null
}

/** The first form is the one of better-auth. */
function sign({ secretKeys }: CookieConfig, value: string, name?: string): string {
  const [{ value: secret }] = authSecrets(secretKeys)
  return createHmac('sha256', secret)
    .update(name === undefined ? value : `cookie ${name} ${value}`)
    .digest('base64')
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
