import type { Capabilities, Client } from '../kit/connector.ts'
import type { Http } from '../kit/http.ts'
import { PlatformError } from '../kit/platform-error.ts'
import type { Settings } from './settings.ts'
import { type Board, Boards, Sections } from './wire.ts'

const pageSize = 250
const pagesMax = 8

/** Everything on which the account may save, boards of others that are shared with it included. Secret boards need a permission of their own. */
async function listBoards(http: Http): Promise<{ boards: Board[]; isComplete: boolean }> {
  const boards: Board[] = []
  let bookmark: string | undefined
  for (let page = 0; page < pagesMax; page++) {
    const query = { page_size: String(pageSize), bookmark }
    const { items, bookmark: next } = await http.call({ method: 'GET', path: '/v5/boards', query, returns: Boards })
    boards.push(...items.filter(({ is_ads_only: isForAds }) => isForAds !== true))
    if (!next) return { boards, isComplete: true }
    bookmark = next
  }
  return { boards, isComplete: false }
}

/** The boards of these that a post without a choice can be meant for: one's own come before those of somebody else. */
function ownFirst(boards: readonly Board[], handle: string): readonly Board[] {
  const own = boards.filter(({ owner }) => owner?.username === handle)
  return own.length > 0 ? own : boards
}

/** The names of the boards, for people to choose from. */
export const capabilities = {
  currentMs: 20_000,
  // A board that was made since then must not be refused for long.
  bindsMs: 60_000,
  async read({ http, account }: Client): Promise<Capabilities> {
    const { boards, isComplete } = await listBoards(http)
    const needs = ownFirst(boards, account.handle).length > 1 ? { needs: ['board'] } : {}
    // Of a list that is not complete, a name that is missing may be right.
    const choices = isComplete ? { choices: { board: [...new Set(boards.map(({ name }) => name))] } } : {}
    return { rules: { ...choices, ...needs } }
  },
}

type Place = { boardId: string; sectionId: string | null }

/** People know the names of boards; Pinterest wants their ids. */
export async function findPlace({ http, account }: Client, { board, section }: Settings): Promise<Place> {
  const { boards } = await listBoards(http)
  const named = boards.filter(({ id, name }) => board === undefined || id === board || comparable(name) === comparable(board))
  // Two people may have a board of the same name.
  const [found, another] = ownFirst(named, account.handle)
  if (found === undefined || another !== undefined) throw refuseBoard(board, another !== undefined)
  return { boardId: found.id, sectionId: section === undefined ? null : await findSection(http, found, section) }
}

function refuseBoard(board: string | undefined, isUnclear: boolean): PlatformError {
  const unknown = `The account has no board “${board}”, or it is a secret one. Choose another board.`
  const none = 'The account has no board. Make one on Pinterest, then retry.'
  const unclear =
    board === undefined
      ? 'The account has more than one board. Choose one in the settings of the post.'
      : `The account has more than one board “${board}”. Rename one of them on Pinterest, then retry.`
  const message = isUnclear ? unclear : board === undefined ? none : unknown
  return new PlatformError({ kind: 'rejected', platformCode: isUnclear ? 'unclear_board' : 'unknown_board', message })
}

async function findSection(http: Http, board: Board, name: string): Promise<string> {
  const query = { page_size: String(pageSize) }
  const { items } = await http.call({ method: 'GET', path: `/v5/boards/${board.id}/sections`, query, returns: Sections })
  const found = items.find((each) => each.id === name || comparable(each.name) === comparable(name))
  if (found) return found.id
  const message = `The board “${board.name}” has no section “${name}”. Choose another one, or none.`
  throw new PlatformError({ kind: 'rejected', platformCode: 'unknown_section', message })
}

const comparable = (name: string) => name.normalize('NFC').trim().toLowerCase()
