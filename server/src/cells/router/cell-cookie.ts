import type { IncomingHttpHeaders } from 'node:http'
import type { RouterConfig } from '../../config.ts'
import { cookiePrefix, readCookie, sessionCookie } from '../../features/people/cookies/session-cookie.ts'
import type { CellChoice } from './cell-choice.ts'

type CookieConfig = Pick<RouterConfig, 'publicUrl'>

const validSeconds = 365 * 24 * 3600

/** The number of the cell in which this browser signed in last, as it was sent. It grants nothing. */
export function readCellCookie(config: CookieConfig, cookies: string | undefined): string | null {
  return readCookie(cookies, cookieName(config))
}

/** For how long a browser continues in a cell: a year, or until it is closed. */
type Duration = 'year' | 'browser session'

export function cellCookie(config: CookieConfig, cell: number, duration: Duration): string {
  const age = duration === 'year' ? ` Max-Age=${validSeconds};` : ''
  const secure = config.publicUrl.startsWith('https:') ? '; Secure' : ''
  return `${cookieName(config)}=${cell};${age} Path=/; HttpOnly; SameSite=Lax${secure}`
}

type Answered = { choice: CellChoice; headers: IncomingHttpHeaders; status: number; cookiesSet: readonly string[] }

/**
 * Whether this answer decides in which cell the browser continues, and for how long. A link or a refused session counts only if it cannot be
 * used by another site to take a person who is signed in away from their cell. Only a sign-in that succeeded proves that the cell is right.
 */
export function cellToRemember(config: CookieConfig, { choice, headers, status, cookiesSet }: Answered): Duration | null {
  if (headers.authorization !== undefined) return null
  // A cookie that is deleted has no value.
  if (cookiesSet.some((cookie) => cookie.startsWith(`${cookiePrefix(config)}.session_token=`) && !/^[^=]*=;/.test(cookie)))
    return 'year'
  if (readCellCookie(config, headers.cookie) === String(choice.cell)) return null
  const isSignedIn = sessionCookie(config, headers.cookie) !== null
  // Only our own pages can send such a request, so the workspace is one that the person has opened: it is in another cell than the session.
  const isFromOwnPage = choice.by === 'header' || headers['sec-fetch-site'] === 'same-origin'
  const counts =
    choice.id === null
      ? (choice.by === 'link' || choice.by === 'state') && !isSignedIn
      : status === 401 && isSignedIn && isFromOwnPage
  return counts ? 'browser session' : null
}

function cookieName(config: CookieConfig): string {
  return `${cookiePrefix(config)}.cell`
}
