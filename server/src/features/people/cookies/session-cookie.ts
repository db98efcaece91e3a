import type { Config } from '../../../config.ts'

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
