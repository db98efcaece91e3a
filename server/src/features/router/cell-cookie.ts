import type { IncomingHttpHeaders } from 'node:http'
import type { RouterConfig } from '../../config.ts'
import { cookiePrefix, readCookie, sessionCookie } from '../people/cookies/session-cookie.ts'
import type { CellChoice } from './cell-choice.ts'

type CookieConfig = Pick<RouterConfig, 'publicUrl'>

const validSeconds = 365 * 24 * 3600

/** The number of the cell in which this browser signed in last, as it was sent. It grants nothing. */
export function readCellCookie(config: CookieConfig, cookies: string | undefined): string | null {
  return readCookie(cookies, cookieName(config))
}

export function cellCookie(config: CookieConfig, cell: number): string {
  const secure = config.publicUrl.startsWith('https:') ? '; Secure' : ''
  return `${cookieName(config)}=${cell}; Max-Age=${validSeconds}; Path=/; HttpOnly; SameSite=Lax${secure}`
}

type Answered = { choice: CellChoice; headers: IncomingHttpHeaders; status: number; cookiesSet: readonly string[] }

/**
 * Whether this answer decides in which cell the browser continues. A link or a refused session counts only if it cannot be used by another
 * site to take a person who is signed in away from their cell.
 */
export function remembersCell(config: CookieConfig, { choice, headers, status, cookiesSet }: Answered): boolean {
  if (headers.authorization !== undefined) return false
  if (readCellCookie(config, headers.cookie) === String(choice.cell)) return false
  if (cookiesSet.some((cookie) => cookie.startsWith(`${cookiePrefix(config)}.session_token=`))) return true
  const isSignedIn = sessionCookie(config, headers.cookie) !== null
  // Only our own pages can send such a request, so the workspace is one that the person has opened: it is in another cell than the session.
  const isFromOwnPage = choice.by === 'header' || headers['sec-fetch-site'] === 'same-origin'
  if (choice.id !== null) return status === 401 && isSignedIn && isFromOwnPage
  return (choice.by === 'link' || choice.by === 'state') && !isSignedIn
}

function cookieName(config: CookieConfig): string {
  return `${cookiePrefix(config)}.cell`
}
