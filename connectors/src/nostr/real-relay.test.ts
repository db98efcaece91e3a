import { once } from 'node:events'
import { createServer } from 'node:http'
import { EventRepository, EventUtils, type Event, type Filter } from '@nostr-relay/common'
import { NostrRelay } from '@nostr-relay/core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { transport } from '../../test/transport.ts'
import { clientFor, draftFor, find, newHandle, publish, publishAndGetId, send, stage } from '../kit/conformance/test-account.ts'
import { simulate } from '../../test/simulate.ts'
import { publicKeyOf } from './keys.ts'
import { nostr } from './nostr.ts'

/** The relay leaves the store to whoever runs it. */
class Memory extends EventRepository {
  readonly events = new Map<string, Event>()

  override isSearchSupported() {
    return false
  }
  override upsert(event: Event) {
    const isDuplicate = this.events.has(event.id)
    this.events.set(event.id, event)
    return { isDuplicate }
  }
  override find(filter: Filter) {
    const found = [...this.events.values()].filter((event) => EventUtils.isMatchingFilter(event, filter))
    return found.toSorted((a, b) => b.created_at - a.created_at).slice(0, filter.limit ?? 100)
  }
  override async deleteByDeletionRequest({ tags, pubkey }: Event) {
    for (const [name, id = ''] of tags) if (name === 'e' && this.events.get(id)?.pubkey === pubkey) this.events.delete(id)
  }
  override async destroy() {}
}

const store = new Memory()
const relay = new NostrRelay(store, { filterResultCacheTtl: 0 })
const server = createServer()
const sockets = new WebSocketServer({ server })
let url = ''

beforeAll(async () => {
  sockets.on('connection', (socket) => {
    relay.handleConnection(socket)
    socket.on(
      'message',
      (data) => void relay.handleMessage(socket, JSON.parse((data as Buffer).toString())).catch(() => socket.terminate()),
    )
    socket.on('close', () => relay.handleDisconnect(socket))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The relay has no port.')
  url = `http://127.0.0.1:${address.port}`
})
afterAll(() => server.close())

/** Guarantee: a relay that shares no code with us and checks signatures takes what we send, finds it, and keeps it once. */
test('a note, the same again, a comment, figures and a removal on a relay of others', async () => {
  const secretKey = '67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa'
  const publicKey = publicKeyOf(secretKey)
  const credentials = { accessToken: secretKey, extra: { publicKey, relays: '', mediaServer: '' } }
  const testPlatform = { ...simulate('nostr'), transport, origin: () => url }
  const client = clientFor(nostr, testPlatform, { id: publicKey, handle: '' }, credentials)
  const account = { client, connector: nostr, testPlatform }
  expect(await nostr.account(client)).toMatchObject({ id: publicKey, handle: expect.stringMatching(/^npub10elfcs4/) })

  const draft = draftFor(account, { text: 'Bells: "ding"\n\tdong \\ 🔔 \u2028 #Bells' })
  const sent = { draft, staged: await stage(account, draft), handle: newHandle() }
  expect(await find(account, sent)).toEqual({ state: 'absent', proof: 'reference' })
  const outcome = await send(account, sent)
  expect(await send(account, sent)).toEqual(outcome)
  expect(store.events.size).toBe(1)
  expect([...store.events.values()]).toMatchObject([{ content: draft.text, pubkey: publicKey }])
  const postId = outcome.state === 'published' ? outcome.postId : ''
  expect(await find(account, sent)).toMatchObject({ state: 'published', postId })
  expect(await find(account, { ...sent, staged: null })).toMatchObject({ state: 'published', postId })

  await publishAndGetId(account, draftFor(account, { replyTo: { postId } }))
  expect(await nostr.metrics?.(client, [postId])).toEqual(new Map([[postId, { likes: 0, shares: 0, comments: 1 }]]))
  await nostr.remove?.(client, postId)
  expect(await find(account, sent)).toEqual({ state: 'absent', proof: 'reference' })
  await expect(publish(account, draftFor(account))).resolves.toMatchObject({ state: 'published', warnings: [] })
})
