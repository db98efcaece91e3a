import type { IncomingHttpHeaders } from 'node:http'
import type { RouterConfig } from '../../config.ts'
import { cellOfKey } from '../../features/api-keys/api-key.ts'
import { cellOfState } from '../../features/connections/connect/connect-state.ts'
import { cookiePrefix, readCookie, sessionCookie } from '../../features/people/cookies/session-cookie.ts'
import { cellParameter } from '../../infra/db/sql-parts.ts'
import { cellOf, isId } from '../../infra/db/ids.ts'
import { readBearerKey } from '../../infra/http/authenticate.ts'
import type { CellChoice } from './cell-choice.ts'

type RoutedRequest = { headers: IncomingHttpHeaders; url: string }
type Routing = Pick<RouterConfig, 'cells' | 'defaultCell' | 'publicUrl'> & {
  /** Workspaces that have left the cell which is in their id. */
  moved: ReadonlyMap<string, number>
}

/**
 * The cell that a request belongs to, from the request alone. It is only a choice of where to ask: the cell checks every key, session,
 * signature and id itself, so a request that names a wrong cell is refused there.
 */
export function chooseCell({ headers, url }: RoutedRequest, routing: Routing): CellChoice {
  const [path, query] = splitOnce(url, '?')
  const parameters = new URLSearchParams(query)
  const [, folder, workspace] = /^\/(api\/workspaces|files)\/([0-9a-f]{24})(?:\/|$)/.exec(path) ?? []
  if (workspace !== undefined)
    return folder === 'files' ? chooseByFile(workspace, parameters) : chooseById('path', workspace, routing)
  const header = headers['x-workspace-id']
  if (typeof header === 'string' && isId(header)) return chooseById('header', header, routing)
  const inPath = path.split('/').find(isId)
  if (inPath !== undefined) return chooseById('path', inPath, routing)
  const link = isLink(path, parameters, headers) ? readCell(parameters.get(cellParameter)) : null
  if (link !== null) return { cell: link, by: 'link', id: null }
  const state = isConnectCallback(path) ? cellOfState(parameters.get('state') ?? '') : null
  if (state !== null) return { cell: withoutNumber(state, routing), by: 'state', id: null }
  return chooseByCaller(headers, routing)
}

/** The paths of links in mails, and of links to connect an account. */
const mailedPaths = new Set(['/address', '/integrations/link', '/join', '/reset', '/unsubscribe', '/verify'])

/**
 * Whether the address may name a cell: a link in a mail, which has a token, or the address that an operator gives to the people of a workspace
 * that has moved. Any other site could show the latter, so it counts only if no site did.
 */
function isLink(path: string, parameters: URLSearchParams, headers: IncomingHttpHeaders): boolean {
  if (mailedPaths.has(path)) return Boolean(parameters.get('token'))
  return path === '/sign-in' && ['none', 'same-origin'].includes(headers['sec-fetch-site'] ?? 'none')
}

/** A key is used instead of the cookie, as in the API. */
function chooseByCaller(headers: IncomingHttpHeaders, routing: Routing): CellChoice {
  const key = cellOfKey(readBearerKey(headers.authorization) ?? '')
  if (key !== null) return { cell: withoutNumber(key, routing), by: 'key', id: null }
  const cookie = headers.authorization === undefined ? readCell(readCellCookie(routing, headers.cookie)) : null
  // A browser keeps its cookie when a cell is taken away, and must still be able to sign in.
  if (cookie !== null && routing.cells.has(cookie)) return { cell: cookie, by: 'cookie', id: null }
  return { cell: routing.defaultCell, by: 'nothing', id: null }
}

/** The address of a file was signed by one cell, and only that cell accepts it, wherever the workspace is now. */
function chooseByFile(workspaceId: string, parameters: URLSearchParams): CellChoice {
  return { cell: readCell(parameters.get(cellParameter)) ?? cellOf(workspaceId), by: 'path', id: null }
}

function chooseById(by: 'header' | 'path', id: string, { moved }: Routing): CellChoice {
  return { cell: moved.get(id) ?? cellOf(id), by, id }
}

/** Keys and states without a number are those of cell 0, and those from before there were numbers. */
function withoutNumber(cell: number, { cells, defaultCell }: Routing): number {
  return cell === 0 && !cells.has(0) ? defaultCell : cell
}

function isConnectCallback(path: string): boolean {
  return path.startsWith('/integrations/') && path.endsWith('/callback')
}

function readCell(text: string | null): number | null {
  return text !== null && /^\d{1,4}$/.test(text) ? Number(text) : null
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

type CookieConfig = Pick<RouterConfig, 'publicUrl'>

const validSeconds = 365 * 24 * 3600

/** The number of the cell in which this browser signed in last, as it was sent. It grants nothing. */
function readCellCookie(config: CookieConfig, cookies: string | undefined): string | null {
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
