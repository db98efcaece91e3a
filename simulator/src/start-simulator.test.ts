import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { startTestSimulator } from '../test/start-test-simulator.ts'

test('a client that disconnects during a request does not affect other clients', async () => {
  await using simulator = await startTestSimulator()
  const { token } = await simulator.openAccount('mastodon')
  const { port } = new URL(simulator.url)
  const head = `POST /mastodon/api/v1/statuses HTTP/1.1\r\nhost: a\r\nuser-agent: a\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\n`
  await simulator.fault({ operation: 'submit', times: 1, skip: 1 }, { kind: 'slow_body', bytesPerSecond: 20 })
  for (const rest of [
    'content-length: 99\r\n\r\n{"sta',
    'content-length: 17\r\n\r\n{"status":"left"}',
    'content-length: 17\r\n\r\n{"status":"slow"}',
    'nonsense\r\n\r\n',
  ]) {
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () => {
        socket.write(head + rest)
        setTimeout(() => socket.destroy(), 60)
      })
      socket.on('close', () => resolve())
    })
  }
  expect(await simulator.posts()).toMatchObject([{ text: 'left' }, { text: 'slow' }])
  expect((await simulator.request('/mastodon/api/v2/instance')).status).toBe(200)
  expect((await simulator.request('/nowhere')).status).toBe(404)
})
