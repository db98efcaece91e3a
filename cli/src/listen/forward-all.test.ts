import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LoggedEvent } from '@carillon/sdk'
import { expect, test } from 'vitest'
import { forwardAll, type Forwarded } from './forward-all.ts'
import { readListenState } from './listen-state.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const timestamp = '2026-11-19T04:00:00.000Z'
const workspaceId = '6735f0c29b1e8a0012ab34cd'

function eventOf(id: string, data: LoggedEvent['data'] = { from: timestamp, until: timestamp }): LoggedEvent {
  return { id, event: 'workspace.restored', timestamp, workspaceId, data }
}

async function* listOf(...events: LoggedEvent[]) {
  yield* events
}

/** A receiver that gives these statuses, and looks at the kept position while it has a request. */
async function startReceiver(file: string, ...statuses: number[]) {
  const seen: { deliveryId: string; position: unknown }[] = []
  const server = createServer((request, response) => {
    void (async () => {
      request.resume()
      const state = await readListenState(file)
      seen.push({ deliveryId: String(request.headers['x-webhook-delivery']), position: state?.position ?? null })
      response.writeHead(statuses[seen.length - 1] ?? 204).end()
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    forward: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
      await rm(file, { force: true })
    },
  }
}

async function forwardTo(statuses: number[], events: LoggedEvent[], attemptsMax = Infinity) {
  const dir = await mkdtemp(join(tmpdir(), 'carillon-listen-'))
  const file = join(dir, 'state.json')
  await using receiver = await startReceiver(file, ...statuses)
  const reports: Forwarded[] = []
  const { forward, seen } = receiver
  await forwardAll({
    events: listOf(...events),
    forward,
    secret,
    file,
    attemptsMax,
    report: (each) => reports.push(each),
    note: () => {},
  })
  return { seen, reports, state: await readListenState(file) }
}

/** Guarantee: an event that the receiver has not accepted is forwarded again after a crash, with the same delivery id. */
test('the position moves on only after an event was accepted', async () => {
  const { seen, state } = await forwardTo([500, 204, 204], [eventOf('1'), eventOf('2')])
  expect(seen.map(({ position }) => position)).toEqual([null, null, { cursor: '1' }])
  expect(seen[0]?.deliveryId).toBe(seen[1]?.deliveryId)
  expect(seen[2]?.deliveryId).not.toBe(seen[1]?.deliveryId)
  expect(state).toEqual({ position: { cursor: '2' }, secret })
})

test('an event is given up only if that is wished, and what was deleted is not forwarded', async () => {
  const { seen, reports } = await forwardTo([500], [eventOf('1'), eventOf('2', null), eventOf('3')], 1)
  expect(seen).toHaveLength(2)
  expect(reports.map(({ id, forwarded, result }) => [id, forwarded, result])).toEqual([
    ['1', false, '500'],
    ['2', false, 'deleted since'],
    ['3', true, '204'],
  ])
})
