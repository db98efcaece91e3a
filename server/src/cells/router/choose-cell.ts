import type { IncomingHttpHeaders } from 'node:http'
import type { RouterConfig } from '../../config.ts'
import { cellParameter } from '../../infra/db/cell-query.ts'
import { cellOf, isId } from '../../infra/db/ids.ts'
import { readBearerKey } from '../../infra/http/read-bearer-key.ts'
import { cellOfKey } from '../../features/api-keys/api-key.ts'
import { cellOfState } from '../../features/connections/connect/connect-state.ts'
import type { CellChoice } from './cell-choice.ts'
import { readCellCookie } from './cell-cookie.ts'

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

/** The paths of links in mails. */
const mailedPaths = new Set(['/address', '/join', '/reset', '/verify'])

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
