import type { Account } from '../../state/entities.ts'
import { accountNumber } from '../../state/ids.ts'

export type Board = { id: string; name: string; owner: string; privacy: 'PUBLIC' | 'PROTECTED' | 'SECRET'; sections: Section[] }
type Section = { id: string; name: string }

const crowdedCount = 320

/**
 * An account has one board. The beginning of its handle says what is particular about it: it has several (`many-`), one of them shared by somebody
 * else under the same name and one where it may not write any more; more than a page of them (`crowded-`); or none (`boardless-`).
 */
export function boardsOf({ handle }: Pick<Account, 'handle'>): Board[] {
  const board = (name: string, more: Partial<Board> = {}): Board => ({
    id: accountNumber('pinterest board', `${more.owner ?? handle} ${name}`, 18),
    name,
    owner: handle,
    privacy: 'PUBLIC',
    sections: [],
    ...more,
  })
  if (handle.startsWith('boardless-')) return []
  if (handle.startsWith('crowded-')) return Array.from({ length: crowdedCount }, (_, at) => board(`Board ${at + 1}`))
  if (!handle.startsWith('many-')) return [board('Bells')]
  const sections = ['Old', 'New & loud'].map((name) => ({
    id: accountNumber('pinterest section', `${handle} ${name}`, 18),
    name,
  }))
  return [
    board('Bells', { owner: 'somebody' }),
    board('Bells', { sections }),
    board('Towers & spires', { privacy: 'PROTECTED' }),
    board('Surprises', { privacy: 'SECRET' }),
    board('Former friends', { owner: 'somebody' }),
  ]
}

export const mayWrite = (board: Board) => board.name !== 'Former friends'

export function viewBoard({ id, name, owner, privacy }: Board, pinCount: number) {
  return {
    id,
    name,
    description: '',
    owner: { username: owner },
    privacy,
    is_ads_only: false,
    pin_count: pinCount,
    follower_count: 0,
    collaborator_count: 0,
    created_at: '2024-02-29T12:00:00',
    board_pins_modified_at: '2024-03-01T12:00:00.123000',
    media: { image_cover_url: null, pin_thumbnail_urls: [] },
  }
}
