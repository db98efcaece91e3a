import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { readConnectResult } from './read-connect-result.ts'

/** Guarantee: only a result that was signed with the secret of its link is read. */
const said = {
  linkId: 'l',
  workspaceId: 'w',
  state: 'connected',
  connectionId: 'c',
  externalId: 'Käufer',
  at: '2026-11-19T00:00:00Z',
}
const secret = 'clr_secret'

function addressOf(result: string, key = secret): string {
  const url = new URL('https://app.example.com/done?customer=7')
  url.searchParams.set('carillon_result', result)
  url.searchParams.set('carillon_signature', createHmac('sha256', key).update(result).digest('hex'))
  return url.href
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

test('reads what was signed', async () => {
  expect(await readConnectResult(addressOf(encode(said)), secret)).toEqual(said)
})

test('refuses another secret, a changed result and none at all', async () => {
  expect(await readConnectResult(addressOf(encode(said), 'other'), secret)).toBeNull()
  const changed = new URL(addressOf(encode(said)))
  changed.searchParams.set('carillon_result', encode({ ...said, connectionId: 'other' }))
  expect(await readConnectResult(changed, secret)).toBeNull()
  expect(await readConnectResult('https://app.example.com/done', secret)).toBeNull()
  await expect(readConnectResult(addressOf(encode(said)), '')).rejects.toThrow(TypeError)
})
