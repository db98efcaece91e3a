import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { authorize, signEvent } from '../../../test/sign-event.ts'
import { startTestSimulator, textAt, valueAt } from '../../../test/start-test-simulator.ts'

type Message = readonly unknown[]

/** Says one thing to a relay, and returns what it answers. What it says at the beginning is left out. */
async function ask(url: string, message: Message, { admit }: { admit?: string } = {}): Promise<Message[]> {
  const socket = new WebSocket(url, { headers: { 'user-agent': 'a test' } })
  const heard: Message[] = []
  const answered = new Promise<void>((resolve) => {
    socket.addEventListener('close', () => resolve())
    socket.addEventListener('message', ({ data }) => {
      const said = JSON.parse(data as string) as Message
      if (said[0] === 'AUTH' && admit !== undefined) {
        const tags = [
          ['relay', url.replace('http', 'ws')],
          ['challenge', String(said[1])],
        ]
        socket.send(JSON.stringify(['AUTH', signEvent(admit, { kind: 22_242, tags })]))
      } else if (said[0] === 'AUTH') socket.send(JSON.stringify(message))
      else if (said[0] === 'OK' && admit !== undefined && said[2] === true && heard.length === 0) {
        heard.push(['admitted'])
        socket.send(JSON.stringify(message))
      } else if (said[0] !== 'NOTICE') heard.push(said)
      if (['OK', 'EOSE', 'CLOSED'].includes(String(heard.at(-1)?.[0]))) resolve()
    })
  })
  await answered
  socket.close()
  return heard.filter(([kind]) => kind !== 'admitted')
}

async function open() {
  const simulator = await startTestSimulator()
  const { token, id } = await simulator.openAccount('nostr')
  const relay = `${simulator.url}/nostr`
  const publish = async (parts: Parameters<typeof signEvent>[1], url = relay) => {
    const event = signEvent(token, parts)
    const [answer = []] = await ask(url, ['EVENT', event])
    return { event, answer }
  }
  return { simulator, token, key: id, relay, publish }
}

test('a note that is signed by its author is kept once, found, and no longer shown when its author asks for that', async () => {
  const { simulator, relay, publish, key } = await open()
  await using _ = simulator
  const { event, answer } = await publish({ content: 'bells' })
  expect(answer).toEqual(['OK', event.id, true, ''])
  expect(await ask(relay, ['EVENT', event])).toEqual([['OK', event.id, true, 'duplicate: already have this event']])
  expect(await simulator.posts('?platform=nostr')).toMatchObject([{ text: 'bells', id: event.id }])
  const found = [
    ['EVENT', 's', event],
    ['EOSE', 's'],
  ]
  expect(await ask(relay, ['REQ', 's', { ids: [event.id] }])).toEqual(found)
  expect(await ask(relay, ['REQ', 's', { authors: [key], kinds: [1], limit: 5 }])).toEqual(found)
  expect(await ask(relay, ['REQ', 's', { authors: [key], until: event.created_at - 1, kinds: [1] }])).toEqual([['EOSE', 's']])
  await publish({ kind: 5, tags: [['e', event.id]] })
  expect(await ask(relay, ['REQ', 's', { ids: [event.id] }])).toEqual([['EOSE', 's']])
  expect(await ask(relay, ['EVENT', event])).toMatchObject([['OK', event.id, false, expect.stringMatching(/^deleted:/)]])
})

test('what is forged, too late or too large is refused, and so is who has no account', async () => {
  const { simulator, relay, publish, token } = await open()
  await using _ = simulator
  const event = signEvent(token, { content: 'bells' })
  const refusalOf = async (sent: object) => valueAt(await ask(relay, ['EVENT', sent]), 0, 3)
  expect(await refusalOf({ ...event, content: 'bombs' })).toBe('invalid: bad event id')
  expect(await refusalOf({ ...event, sig: '0'.repeat(128) })).toBe('invalid: bad signature')
  expect((await publish({ atMs: Date.now() + 3_600_000 })).answer[3]).toBe('invalid: created_at too late')
  expect((await publish({ content: 'a'.repeat(66_000) })).answer[3]).toMatch(/^invalid: event too large/)
  expect(await refusalOf(signEvent('1'.repeat(64), {}))).toMatch(/^blocked:/)
  expect(await ask(relay, ['COUNT', 'c', { kinds: [1] }])).toMatchObject([['CLOSED', 'c', expect.any(String)]])
})

test('a relay for members takes notes and answers questions after a signature for its challenge', async () => {
  const { simulator, relay, publish, token, key } = await open()
  await using _ = simulator
  const members = `${relay}/relay/members`
  expect((await publish({}, members)).answer[3]).toMatch(/^auth-required:/)
  expect(await ask(members, ['REQ', 's', { authors: [key] }])).toMatchObject([
    ['CLOSED', 's', expect.stringMatching(/^auth-required:/)],
  ])
  const event = signEvent(token, { content: 'bells' })
  expect(await ask(members, ['EVENT', event], { admit: token })).toEqual([['OK', event.id, true, '']])
  expect(await ask(members, ['EVENT', event], { admit: '1'.repeat(64) })).toMatchObject([
    ['OK', event.id, false, expect.stringMatching(/^auth-required:/)],
  ])
})

test('each relay has its own events, and a note on two of them is one post', async () => {
  const { simulator, relay, token } = await open()
  await using _ = simulator
  const event = signEvent(token, { content: 'bells' })
  const second = `${relay}/relay/second`
  await ask(second, ['EVENT', event])
  expect(await ask(relay, ['REQ', 's', { ids: [event.id] }])).toEqual([['EOSE', 's']])
  expect(await ask(relay, ['EVENT', event])).toEqual([['OK', event.id, true, '']])
  expect(await ask(relay, ['REQ', 's', { ids: [event.id] }])).toHaveLength(2)
  expect(await simulator.posts('?platform=nostr')).toHaveLength(1)
})

test('faults of a call are faults of a message: a refusal, a lost answer, and a connection that is not opened', async () => {
  const { simulator, relay, publish } = await open()
  await using _ = simulator
  const target = { platform: 'nostr', handle: 'alice', operation: 'submit', times: 1 }
  await simulator.fault(target, { kind: 'status', status: 429, retryAfterSeconds: 7 })
  expect((await publish({})).answer[3]).toBe('rate-limited: slow down, try again in 7 seconds')
  await simulator.fault(target, { kind: 'drop_after' })
  expect((await publish({ content: 'lost' })).answer).toEqual([])
  expect(await simulator.posts('?platform=nostr')).toMatchObject([{ text: 'lost' }])
  await simulator.fault({ platform: 'nostr', operation: 'other', times: 1 }, { kind: 'status', status: 503 })
  const socket = new WebSocket(relay, { headers: { 'user-agent': 'a test' } })
  const isOpened = await new Promise((resolve) => {
    socket.addEventListener('open', () => resolve(true))
    socket.addEventListener('error', () => resolve(false))
  })
  expect(isOpened).toBe(false)
})

test('a media server keeps a file by its hash, for whoever signs for it', async () => {
  const { simulator, token, publish } = await open()
  await using _ = simulator
  const body = new Uint8Array(Buffer.from('a bell'))
  const hash = createHash('sha256').update(body).digest('hex')
  const upload = (tags: string[][]) =>
    simulator.request('/nostr/upload', {
      method: 'PUT',
      body,
      headers: { authorization: authorize(token, { tags }), 'content-type': 'image/png' },
    })
  expect((await upload([['t', 'upload']])).status).toBe(400)
  expect(
    (
      await upload([
        ['t', 'delete'],
        ['x', hash],
      ])
    ).status,
  ).toBe(400)
  const { body: blob } = await upload([
    ['t', 'upload'],
    ['x', hash],
  ])
  expect(blob).toMatchObject({ sha256: hash, size: 6, type: 'image/png', url: expect.stringMatching(/\.png$/) })
  const url = textAt(blob, 'url')
  await publish({ content: `look\n\n${url}`, tags: [['imeta', `url ${url}`, 'alt A bell']] })
  expect(await simulator.posts('?platform=nostr')).toMatchObject([
    { text: 'look', media: [{ alt: 'A bell', mime: 'image/png' }] },
  ])
})

test('a post has a page at the address that any app makes of its id', async () => {
  const { simulator, publish } = await open()
  await using _ = simulator
  const { event } = await publish({ content: 'bells' })
  expect((await simulator.request(`/nostr/${event.id}`)).text).toContain('bells')
  const about = await simulator.request('/nostr/', { headers: { accept: 'application/nostr+json' } })
  expect(about.body).toMatchObject({ supported_nips: [1, 9, 11, 42] })
})
