import { describe, expect, test } from 'vitest'
import { newId, setIdCell } from '../../infra/db/ids.ts'
import { cellOfKey, newApiKey } from '../../features/api-keys/api-key.ts'
import { cellOfState, newState } from '../../features/connections/connect/connect-state.ts'
import { chooseCell } from './choose-cell.ts'

function idOf(cell: number): string {
  setIdCell(cell)
  const id = newId(Date.now())
  setIdCell(0)
  return id
}

const [inSeven, inFive] = [idOf(7), idOf(5)]
const cells = new Map([0, 5, 7].map((cell) => [cell, `http://cell-${cell}`]))
const routing = { cells, defaultCell: 0, publicUrl: 'http://carillon.example', moved: new Map<string, number>() }
const keyOf = (cell: number) => ({ authorization: `Bearer ${newApiKey(cell)}` })

describe('guarantee: the request alone names its cell', () => {
  test.each([
    ['the workspace header', '/api/content', { 'x-workspace-id': inSeven, ...keyOf(5) }, 7],
    ['a workspace in the path, before the header', `/api/workspaces/${inSeven}/usage`, { 'x-workspace-id': inFive }, 7],
    ['the workspace of a file', `/files/${inSeven}/media/${inFive}?expires=1`, {}, 7],
    ['the cell that signed the address of a file', `/files/${inSeven}/media/${inFive}?cell=5&signature=x`, {}, 5],
    ['any id in the path', `/api/content/${inSeven}`, keyOf(5), 7],
    ['a link in a mail', '/reset?token=x&cell=7', { cookie: 'carillon.cell=5' }, 7],
    ['the link of a new address', '/address?token=x&cell=7', { cookie: 'carillon.cell=5' }, 7],
    ['a link in a mail without a token', '/reset?cell=7', { cookie: 'carillon.cell=5' }, 5],
    ['an invitation', '/join?token=x&cell=7', {}, 7],
    ['the address for people of a workspace that moved', '/sign-in?cell=7', { 'sec-fetch-site': 'none' }, 7],
    ['the same address on another site', '/sign-in?cell=7', { 'sec-fetch-site': 'cross-site' }, 0],
    ['a parameter at another path', '/?cell=7', {}, 0],
    ['a parameter at the API', '/auth/sign-in/email?cell=7', { cookie: 'carillon.cell=5' }, 5],
    ['the state of a callback', `/integrations/x/callback?code=1&state=${newState(7)}`, { cookie: 'carillon.cell=5' }, 7],
    ['the state of a callback in cell 0', `/integrations/x/callback?state=${newState(0)}`, { cookie: 'carillon.cell=5' }, 0],
    ['an API key', '/api/me', keyOf(7), 7],
    ['an API key, also if there is a cookie', '/api/me', { ...keyOf(7), cookie: 'carillon.cell=5' }, 7],
    ['the cookie', '/api/workspaces', { cookie: 'a=b; carillon.cell=5; c=d' }, 5],
    ['nothing', '/', {}, 0],
    ['a key that is not one', '/api/me', { authorization: 'Bearer sk_x', cookie: 'carillon.cell=5' }, 0],
    ['a cookie of a cell that is gone', '/', { cookie: 'carillon.cell=9' }, 0],
    ['a cookie that is no number', '/', { cookie: 'carillon.cell=seven' }, 0],
    ['a header that is no id', '/api/content', { 'x-workspace-id': `${inSeven}, ${inFive}`, ...keyOf(5) }, 5],
  ])('%s', (_name, url, headers, cell) => {
    expect(chooseCell({ url, headers }, routing).cell).toBe(cell)
  })

  test('a workspace that has moved, by header and by path', () => {
    const moved = new Map([[inSeven, 5]])
    expect(chooseCell({ url: '/api/content', headers: { 'x-workspace-id': inSeven } }, { ...routing, moved }).cell).toBe(5)
    expect(chooseCell({ url: `/api/workspaces/${inSeven}`, headers: {} }, { ...routing, moved }).cell).toBe(5)
    // The address was signed by the cell that it had left.
    expect(chooseCell({ url: `/files/${inSeven}/x`, headers: {} }, { ...routing, moved }).cell).toBe(7)
  })

  test('keys and states without a number belong to cell 0, or to the default cell where there is no cell 0', () => {
    const without = { ...routing, cells: new Map([[7, 'http://cell-7']]), defaultCell: 7 }
    expect(chooseCell({ url: '/api/me', headers: keyOf(0) }, without).cell).toBe(7)
    expect(chooseCell({ url: `/integrations/x/callback?state=${newState(0)}`, headers: {} }, without).cell).toBe(7)
  })
})

describe('keys and states carry the cell', () => {
  test.each([0, 1, 7, 1023])('of cell %i', (cell) => {
    expect(cellOfKey(newApiKey(cell))).toBe(cell)
    expect(cellOfState(newState(cell))).toBe(cell)
    expect(newApiKey(cell)).toMatch(/^sk_[0-9A-Za-z]{49}$/)
  })

  test('a mistyped key has no cell', () => {
    const key = newApiKey(7)
    const wrong = key
      .replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
      .replace(/^sk_./, (first) => (first === 'sk_Z' ? 'sk_Y' : 'sk_Z'))
    expect(cellOfKey(wrong)).toBeNull()
  })
})
